# One model on another: a copy comes back, whatever it was turned by, in any format that is written.
# Two figures without symmetries, whose best pose is no matter of rounding.
a=a.off b=b.off
tetrahedron() {
    printf 'OFF\n4 4 0\n0 0 0\n%s\n%s\n%s\n3 0 1 2\n3 0 1 3\n3 0 2 3\n3 1 2 3\n' "$@"
}
tetrahedron '4 0 0' '1 2 0' '0.5 0.7 1' >$a
tetrahedron '0.2 5 0.3' '0 1 2.5' '1.4 0.2 0.7' >$b
# A copy, three times as large and farther off, with x, y and z in another order.
awk 'NR == 2 { n = $1 } NR > 2 && NR <= n + 2 { print 3 * $2 + 7, 3 * $3 - 1, 3 * $1; next } 1' "$a" >copy.off
"$PSBENCH" align "$a" copy.off >out || cat out
echo "the matrix, rounded"
head -n 4 out | awk '{ for (k = 1; k <= 4; k++) printf "%d ", $k + ($k < 0 ? -0.5 : 0.5); print "" }'
awk '/^residual/ { print ($2 < 1e-5 ? "nothing is left" : $0) }' out

# The matrix does not depend on how A lies, nor does what is written, but for rounding.
near() { # near A B: numbers that differ by no more than 1e-4
    paste -d ' ' "$1" "$2" | awk '{ for (k = 1; k <= NF / 2; k++) { d = $k - $(k + NF / 2); if (d * d > 1e-8) bad++ } }
        END { print bad ? bad " numbers differ" : "the same" }'
}
"$PSBENCH" align "$a" "$b" -o plain.off >plain
"$PSBENCH" align "$a" "$b" -o again.off | cmp - plain && cmp plain.off again.off && echo "byte for byte"
for seed in 1 2; do
    "$PSBENCH" align "$a" "$b" --turn $seed -o turned.off >turned
    near <(head -n 4 plain) <(head -n 4 turned)
    near <(grep -v OFF plain.off) <(grep -v OFF turned.off)
done
# The matrix is what the written mesh was moved by.
awk 'FILENAME == "plain" { if (FNR < 4) for (k = 1; k <= 4; k++) m[FNR, k] = $k; next }
    FNR == 2 { n = $1 }
    FNR > 2 && FNR <= n + 2 { { for (i = 1; i < 4; i++) printf "%.9g ", m[i, 1] * $1 + m[i, 2] * $2 + m[i, 3] * $3 + m[i, 4]; print "" } }' \
    plain "$a" >moved
near moved <(sed -n "3,$(($(wc -l <moved) + 2))p" plain.off)
# What is on B stays there; in another format as well.
"$PSBENCH" align plain.off "$b" --mirror -f json -o plain.ply | grep -o '"[a-z]*":' | tr -d '\n'; echo
"$PSBENCH" convert plain.ply back.off && head -n 2 back.off | cmp - <(head -n 2 plain.off) && echo "as many"

# What is wrong is named, and nothing is lost.
try() {
    "$PSBENCH" align "$@"
    echo "$?: $*"
}
try "$a"
try "$a" "$b" -f tsv
try "$a" "$b" --turn -1
try "$a" absent.off
cp $b kept.off
try "$a" b.off -o b.off
cmp kept.off b.off && echo "it is still there"
try "$a" b.off -o b.xyz
echo text >text.off
try "$a" b.off -o text.off
printf 'OFF 3 1 0\n0 0 0\n0 0 0\n0 0 0\n3 0 1 2\n' >point.off
try point.off b.off
try "$a" b.off --picture b.off
try "$a" b.off --picture sheet.jpg

# A box, twice as large and turned so that another of its like poses is found first: the scale is exact.
faces='3 0 2 1\n3 0 3 2\n3 4 5 6\n3 4 6 7\n3 0 1 5\n3 0 5 4\n3 1 2 6\n3 1 6 5\n3 2 3 7\n3 2 7 6\n3 3 0 4\n3 3 4 7\n'
printf "OFF\n8 12 0\n0 0 0\n1 0 0\n1 2 0\n0 2 0\n0 0 3\n1 0 3\n1 2 3\n0 2 3\n$faces" >box.off
printf "OFF\n8 12 0\n5 1 -2\n6.48857037 0.18351168 -0.94287887\n9.06925631 1.12335598 -3.85092853\n7.58068594 1.93984430 -4.90804965
6.03564448 6.29270063 0.62959323\n7.52421485 5.47621231 1.68671436\n10.10490079 6.41605651 -1.22133530\n8.61633042 7.23254493 -2.27845642\n$faces" >twice.off
"$PSBENCH" align box.off twice.off | awk '/^scale/ { printf "scale %.6f\n", $2 } /^residual/'

# Three pictures beside each other, the same ones each time.
"$PSBENCH" align "$a" b.off --picture sheet.png >/dev/null && "$PSBENCH" align "$a" b.off --picture again.png >/dev/null
cmp sheet.png again.png && od -An -tu1 -j16 -N8 sheet.png
"$PSBENCH" align "$a" copy.off --picture other.png >/dev/null && cmp -s sheet.png other.png || echo "another picture"
ls -- *.*
