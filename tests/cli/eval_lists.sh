# Ranked lists that do not cover all queries: who is missing is said, the rest is averaged, and the
# exit code is 1; figures that a list is too short for are named.
cat >set.cla <<'END'
PSB 1
4 12

dog 0 3
a
b
c
fish 0 4
d
e
f
g
cat 0 3
h
i
j
-1 0 2
k
l
END
for i in 0 1 2 3 4 5 6 7 8 9 10 11; do
    for j in 0 1 2 3 4 5 6 7 8 9 10 11; do
        printf '%d ' $((i == j ? 0 : (i * 5 + j * 7) % 11 + 1))
    done
    echo
done >all.txt
# lists DEPTH QUERY...: from the matrix, the first DEPTH of each
lists() {
    local depth=$1
    shift
    printf '# psbench search: k=%d metric=l1 queries=12 database=12\n' "$depth"
    printf 'query_row\trank\tneighbor_row\tdistance\n'
    for query in "$@"; do
        sed -n "$((query + 1))p" all.txt | tr ' ' '\n' | head -n 12 | awk -v q="$query" \
            'NR - 1 != q { print $1 "\t" NR - 1 }' | sort -n -k 1,1 -k 2,2 | head -n "$depth" |
            awk -v q="$query" -v OFS='\t' '{ print q, NR, $2, $1 }'
    done
}
lists 11 0 1 2 3 4 5 6 7 8 9 >whole.tsv
lists 11 0 2 3 5 11 >some.tsv
lists 11 10 11 >none.tsv
lists 4 0 1 2 3 4 5 6 7 8 9 >short.tsv
printf '%s\n' a c d f >listed
try() {
    "$PSBENCH" "$@" 2>&1
    echo "exit code $?: $*"
}
try eval set.cla all.txt
try eval set.cla whole.tsv
try eval set.cla some.tsv
try eval set.cla some.tsv --macro
try eval set.cla some.tsv --class
try eval set.cla some.tsv --model
try eval set.cla some.tsv -m dcg,reciprocal_rank --errors --units query
try eval set.cla some.tsv -m dcg -f json
# Those four queries alone, by name: the same figures, and nothing is missing.
try eval set.cla all.txt -m dcg,reciprocal_rank --errors --units query --query-list listed
try eval set.cla some.tsv -m dcg --query-list listed
# Or queries without a list count 0, as with trec_eval -c: the means of what the four have over ten.
try eval set.cla some.tsv -m dcg,reciprocal_rank --absent zero
try eval set.cla some.tsv all.txt -m reciprocal_rank --absent zero -f tsv
"$PSBENCH" eval -q set.cla all.txt -m reciprocal_rank --query-list listed -f tsv |
    awk 'NR == 2 { printf "reference\t%.6f\n", 4 * $2 / 10 }'
try eval set.cla none.tsv -m dcg --absent zero -f tsv
try eval set.cla some.tsv --absent one
# Several methods are averaged over the same queries.
try eval set.cla all.txt some.tsv
try compare set.cla all.txt some.tsv --rounds 100 --classes 0 -f tsv
try eval set.cla none.tsv
try eval set.cla none.tsv -m dcg
try eval set.cla short.tsv
try eval set.cla short.tsv -m dcg
try eval set.cla all.txt --units query
try eval set.cla all.txt --errors --units model
