"""pdf_page.py FILE: the number of pages of a PDF and the width of the first, in whole millimetres.

Writers differ in whether they pack the objects that say so into compressed streams, so all streams are unpacked.
"""
import re
import sys
import zlib

data = open(sys.argv[1], "rb").read()
for stream in re.findall(rb"stream\r?\n(.*?)endstream", data, re.S):
    try:
        data += zlib.decompressobj().decompress(stream)
    except zlib.error:
        pass  # not compressed
pages = len(re.findall(rb"/Type\s*/Page\b", data))
box = re.search(rb"/MediaBox\s*\[([^]]*)\]", data)
left, _, right, _ = (float(x) / 72 * 25.4 for x in box[1].split())
print(f"{pages} page, {right - left:.0f} mm wide")
