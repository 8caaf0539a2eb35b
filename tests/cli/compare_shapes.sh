# Two shapes beside each other: a copy, one that is moved, an open one, formats, wrong usage.
compare() {
    "$PSBENCH" compare-shapes "$@"
    echo "$?: $*"
}
cat >cube.off <<'END'
OFF
8 6 0
0 0 0
1 0 0
1 1 0
0 1 0
0 0 1
1 0 1
1 1 1
0 1 1
4 0 3 2 1
4 4 5 6 7
4 0 1 5 4
4 1 2 6 5
4 2 3 7 6
4 3 0 4 7
END
sed '/^[01] [01] [01]$/s/$/.5/' cube.off >raised.off # by half a side
sed 's/^8 6 0/8 5 0/; /^4 4 5 6 7$/d' cube.off >open.off
awk 'NF == 3 && /^[01]/ { print 4 * $2 + 9, 4 * $3, 4 * $1 - 2; next } { print }' cube.off >scaled.off
compare cube.off cube.off
compare cube.off raised.off --threshold 0.02 --points 5000
compare cube.off cube.off --points 10001 | tail -n 3
compare open.off cube.off -f tsv | sed -n '/^[avow]/p'
"$PSBENCH" compare-shapes scaled.off cube.off -f tsv | awk '$1 == "area" || $1 == "volume"'
# Each in its own box, or A on B, they are the same cube.
for how in '--pose sphere' '--pose box' --align; do
    "$PSBENCH" compare-shapes scaled.off cube.off $how -f tsv | awk -F '\t' '$1 == "hausdorff" { print $2 < 0.12 ? "near" : "far " $2 }'
done
"$PSBENCH" compare-shapes cube.off open.off -f json | head -n 3
compare cube.off
compare cube.off missing.off
compare cube.off open.off --pose upright
compare cube.off open.off --points 0
printf 'OFF\n3 1 0\n0 0 0\n1 0 0\n2 0 0\n3 0 1 2\n' >flat.off
compare cube.off flat.off
