# Nearest neighbors of features: lists, ties, selves, ids, limits; their measures; wrong usage.
npy() { # npy TYPE ROWS COLUMNS: the header of a .npy file of 128 bytes
    printf '\223NUMPY\1\0v\0%-117s\n' \
        "{'descr': '$1', 'fortran_order': False, 'shape': ($2, $3), }"
}
# The points 0, 1, 3, 1, 6, 0 of a line as little-endian floats, and two queries at 1 and 6.
zero='\0\0\0\0' one='\0\0\200\77' three='\0\0\100\100' six='\0\0\300\100'
{ npy '<f4' 6 1 && printf '%b' "$zero$one$three$one$six$zero"; } >rows.npy
{ npy '<f4' 2 1 && printf '%b' "$one$six"; } >queries.npy
printf 'PSB 1\n2 6\n\nnear 0 4\na\nb\nc\nd\nfar 0 2\ne\nf\n' >rows.cla
printf 'PSB 1\n1 2\n\nany 0 2\nb\nq\n' >queries.cla

search() {
    "$PSBENCH" search "$@"
    echo "$?: $*"
}
search --queries rows.npy --database rows.npy --metric l2 -k 2 -o self.tsv
cat self.tsv
search --queries queries.npy --database rows.npy -k 3 --metric l1 -o two.tsv
cat two.tsv
search --queries queries.npy --query-cla queries.cla --database rows.npy --metric l2 --database-cla rows.cla \
    -o all.tsv
cat all.tsv
cp rows.npy copy.npy
search --queries copy.npy --database rows.npy --metric l2 -k 2 --self -o copy.tsv
cmp self.tsv copy.tsv
search --queries rows.npy --database rows.npy -o x.tsv

# More rows: the same lists for any limits, and the measures that they permit are the matrix's.
{ npy '<f4' 300 8 && seq 1000 100000 | head -c 9600; } >floats.npy
{
    printf 'PSB 1\n4 300\n'
    for class in '20 0' '3 20' '150 23' '127 173'; do
        printf 'c%d 0 %d\n' "${class#* }" "${class% *}"
        seq -f 'm%g' "${class#* }" $((${class#* } + ${class% *} - 1))
    done
} >floats.cla
for metric in l1 l2; do
    "$PSBENCH" search --queries floats.npy --database floats.npy -k 40 --metric $metric -t 1 -o 1.tsv
    "$PSBENCH" search --queries floats.npy --database floats.npy -k 40 --metric $metric -t 3 --memory 50M \
        -o 2.tsv
    cmp 1.tsv 2.tsv
    "$PSBENCH" distance --metric $metric -o $metric.matrix floats.npy
done
{ npy '|u1' 20 4700 && seq 1000 100000 | head -c 94000; } >lfd.npy
"$PSBENCH" search --queries lfd.npy --database lfd.npy -k 2 --metric lfd -o lfd.tsv
head -n 6 lfd.tsv
"$PSBENCH" search --queries floats.npy --database floats.npy --metric l2 -k 299 --query-cla floats.cla \
    --database-cla floats.cla -o whole.tsv
"$PSBENCH" eval floats.cla l2.matrix -m all --per model -f tsv >matrix.out
"$PSBENCH" eval floats.cla whole.tsv -m all --per model -f tsv >lists.out
cmp matrix.out lists.out && echo 'whole lists have every measure'
"$PSBENCH" eval floats.cla 2.tsv l2.matrix
"$PSBENCH" eval floats.cla 2.tsv --class
"$PSBENCH" eval floats.cla 2.tsv l2.matrix -m nearest_neighbor,e_measure,precision@40,psb_ndcg@7
"$PSBENCH" compare floats.cla 2.tsv l2.matrix -m e_measure >compare.out && echo compared
for measures in dcg first_tier,psb_ndcg@7 precision@41 nearest_neighbor,first_tier,e_measure,recall@10,dcg; do
    "$PSBENCH" eval floats.cla 2.tsv -m $measures
    echo "$?: $measures"
done
"$PSBENCH" eval rows.cla 2.tsv
echo $?
sed 's/\t2\t/\t3\t/' 2.tsv >damaged.tsv
"$PSBENCH" eval floats.cla damaged.tsv
echo $?

search
search --queries rows.npy --database rows.npy
search --queries rows.npy --database rows.npy -o x.tsv more
search --queries rows.npy --database rows.npy -o x.tsv -k 0
search --queries rows.npy --database rows.npy -o x.tsv --metric l3
search --queries rows.npy --database rows.npy --metric l2 -o x.tsv --query-cla rows.cla
search --queries rows.npy --database rows.npy --metric l2 -o x.tsv --memory 10M -t 1 2>&1 | sed 's/takes [0-9]*/takes some/'
search --queries rows.npy --database floats.npy --metric l2 -o x.tsv
search --queries queries.npy --database rows.npy --metric l2 -o x.tsv --self
search --queries absent.npy --database rows.npy --metric l2 -o x.tsv
search --queries rows.npy --database rows.npy --metric l2 -o absent/x.tsv
search --queries rows.npy --database rows.npy --metric l2 -o x.tsv --query-cla queries.cla --database-cla rows.cla
ls
