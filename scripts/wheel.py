#!/usr/bin/env python3
"""Makes a wheel, a zip with METADATA, WHEEL and RECORD, and prints its name.

    wheel.py TAG FOLDER PACKAGE... LICENCES

TAG is the platform's, manylinux_2_31_x86_64; the wheel goes to FOLDER; each PACKAGE is a folder that will
be importable, or that those need; LICENCES is one that goes to the metadata. Same files, same bytes.
"""

import base64
import hashlib
import os
import re
import sys
import time
import zipfile
from pathlib import Path

METADATA = """Metadata-Version: 2.1
Name: psbench
Version: {version}
Summary: Shape descriptors, distances and retrieval statistics of the Princeton Shape Benchmark
License: {licence}
Requires-Python: >=3.9
Requires-Dist: numpy>=1.20
"""
WHEEL = "Wheel-Version: 1.0\nGenerator: psbench\nRoot-Is-Purelib: false\nTag: py3-none-{tag}\n"


def main(tag, folder, *trees):
    packages, licences = [Path(tree) for tree in trees[:-1]], Path(trees[-1])
    text = (packages[0] / "_version.py").read_text()
    version = re.search(r'^VERSION = "(.*)"', text, re.M).group(1)
    licence = "MIT" + (
        "; as a whole GPL-2.0-or-later, as FFTW inside is; other libraries have licences of their own"
        if len(packages) > 1
        else ""
    )
    info = f"psbench-{version}.dist-info"
    files = {}
    for tree, name in [(p, p.name) for p in packages] + [(licences, info + "/licenses")]:
        for path in (p for p in tree.rglob("*") if p.is_file() and p.suffix != ".pyc"):
            mode = 0o755 if path.name == "psbench-import" else 0o644
            files[f"{name}/{path.relative_to(tree)}"] = (path.read_bytes(), mode)
    files[info + "/METADATA"] = (METADATA.format(version=version, licence=licence).encode(), 0o644)
    files[info + "/WHEEL"] = (WHEEL.format(tag=tag).encode(), 0o644)
    record = ""
    for name, (data, _) in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files[info + "/RECORD"] = (f"{record}{info}/RECORD,,\n".encode(), 0o644)
    moment = time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", 315532800)))[:6]
    Path(folder).mkdir(parents=True, exist_ok=True)
    wheel = Path(folder, f"psbench-{version}-py3-none-{tag}.whl")
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for name, (data, mode) in sorted(files.items(), key=lambda f: (info in f[0], f[0])):
            entry = zipfile.ZipInfo(name, moment)
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            out.writestr(entry, data)
    print(wheel)


main(*sys.argv[1:])
