# Every view of a small matrix. What is expected was worked out from the definitions of the
# measures by another program.
cat >set.cla <<'END'
PSB 1
6 10

animal 0 0
dog animal 3
a
b
c
fish animal 4
d
e
f
g
lone 0 1
h
-1 0 2
i
j
empty 0 0
END
# Distances 0 ... 9 as little-endian floats.
float=('\0\0\0\0' '\0\0\200\77' '\0\0\0\100' '\0\0\100\100' '\0\0\200\100'
    '\0\0\240\100' '\0\0\300\100' '\0\0\340\100' '\0\0\0\101' '\0\0\20\101')
matrix() {
    local row i
    for row in "$@"; do
        row=${row// /}
        for ((i = 0; i < ${#row}; i++)); do
            printf '%b' "${float[${row:i:1}]}"
        done
    done
}
matrix '012 3456 7 89' '203 1111 1 11' '980 7654 3 21' '555 0123 9 44' '111 1011 1 11' \
    '000 0000 0 00' '987 6540 3 21' '123 4567 0 89' '123 4567 8 09' '123 4567 8 90' >a.matrix
matrix '099 1234 5 67' '909 1234 5 67' '990 1234 5 67' '987 0654 3 21' '123 4056 7 89' \
    '213 4506 7 89' '321 4560 7 89' '123 4567 0 89' '123 4567 8 09' '123 4567 8 90' >b.matrix

"$PSBENCH" eval set.cla a.matrix
"$PSBENCH" eval set.cla a.matrix --macro
"$PSBENCH" eval set.cla a.matrix --class
"$PSBENCH" eval set.cla a.matrix --model
for threads in 1 2 7; do
    "$PSBENCH" eval -t "$threads" --model set.cla a.matrix
done | sort | uniq -c | awk '{ print $1 }' | uniq -c | awk '{ print $2, "times the same:", $1 }'
"$PSBENCH" eval set.cla a.matrix -class | diff - <("$PSBENCH" eval --class set.cla a.matrix) &&
    echo "-class is --class"
"$PSBENCH" eval set.cla a.matrix b.matrix
"$PSBENCH" eval -macro set.cla a.matrix b.matrix
"$PSBENCH" eval -class set.cla a.matrix b.matrix
