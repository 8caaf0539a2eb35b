# Pictures of one model: sizes, views, and what is refused.
printf 'OFF\n4 4 0\n0 0 0\n1 0 0\n0 2 0\n0 0 9\n3 0 1 2\n3 0 1 3\n3 0 2 3\n3 1 2 3\n' >x.off
# Width and height stand at byte 16 of a PNG file, most significant byte first.
size() { od -An -tx1 -j16 -N8 "$1"; }
"$PSBENCH" render x.off -o a.png && size a.png
"$PSBENCH" render x.off --width 100 --height 50 -o b.png && size b.png
"$PSBENCH" render x.off --azimuth 80 -o c.png && cmp -s a.png c.png || echo "another view"
"$PSBENCH" render x.off --pose aligned -o d.png && cmp -s a.png d.png || echo "another pose"
"$PSBENCH" render x.off -o e.png && cmp a.png e.png && echo "the same again"
"$PSBENCH" render x.off
"$PSBENCH" render x.off --width 0 -o f.png
"$PSBENCH" render x.off --pose upright -o f.png
"$PSBENCH" render missing.off -o f.png
echo "exit code $?"
