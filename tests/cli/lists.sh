# Ranked lists of other programs: those that `export` writes give the figures of the matrix, whatever
# form they come in; shorter ones, ties and grades are what a plain reference makes of the files
# alone; --check says everything that is wrong.
cla=data/agreement/models.cla
matrix=data/agreement/distances.txt
tell() {
    "$@" 2>&1
    echo "exit code $?"
}
"$PSBENCH" export -q $cla $matrix -o trec
"$PSBENCH" export -q $cla $matrix -f shrec -o shrec
run=trec/distances.run

echo '== all measures, from lists in every form'
# table WORD...: of all queries, without the name of the file
table() {
    "$PSBENCH" eval -q -m all --per model -f tsv "$@" | sed 's/.*\///'
}
table $cla $matrix >expected
awk '{ list[$1] = list[$1] " " $3 } END { for (q in list) print q list[q] }' $run >lines
awk 'NR > 2 && NF == 1 { print $1 }' $cla | while read -r id; do
    awk -v q="$id" '$1 == q { sub(/^[^ ]* /, ""); print; found = 1 } END { if (!found) print "" }' lines
done >rows.txt
mkdir endings
for list in shrec/distances/*; do
    { echo '# model, distance' && tr ' ' ',' <"$list"; } >"endings/$(basename "$list").csv"
done
tac $run >backwards
table $cla $run | cmp - expected && echo "trec: the same"
table $cla backwards --lists trec | cmp - expected && echo "trec, lines in another order: the same"
table $cla shrec/distances | cmp - expected && echo "shrec: the same"
table $cla endings | cmp - expected && echo "shrec with commas and endings: the same"
table $cla rows.txt --lists rows | cmp - expected && echo "rows: the same"
# Names that are no numbers tell such a file from a matrix; numbers do not.
table $cla rows.txt | cmp - expected && echo "rows, recognised: the same"
sed '3,$ s/^m//' $cla >numbers.cla
sed 's/m//g' rows.txt >numbers.txt
tell "$PSBENCH" eval -q numbers.cla numbers.txt --lists rows
tell "$PSBENCH" eval -q numbers.cla numbers.txt
table $cla --qrels trec/qrels.txt $run >judged
table $cla --qrels trec/qrels.txt $matrix | cmp - judged && echo "judged: from matrix and lists the same"
awk '{ print $1, $2, $3, NR % 4 }' trec/qrels.txt >grades
table $cla --qrels grades $run >judged
table $cla --qrels grades $matrix | cmp - judged && echo "graded: from matrix and lists the same"
# Those that take part in averages have the same values by judgements as by classes.
measures=table4,average_precision,trec_ndcg,f_max
"$PSBENCH" eval -q $cla $matrix -m $measures -f tsv
"$PSBENCH" eval -q $cla --qrels trec/qrels.txt $run -m $measures -f tsv

echo '== the first five of each: what is not listed was not found'
awk '$4 <= 5' $run >short.run
tell "$PSBENCH" eval $cla short.run -m average_precision,recall@10,precision@10,reciprocal_rank,dcg -f tsv
awk 'function log2(x) { return log(x) / log(2) }
    NR == FNR { relevant[$1, $3] = 1; wanted[$1]++; next }
    ($1, $3) in relevant {
        hits[$1]++
        ap[$1] += hits[$1] / $4
        dcg[$1] += $4 == 1 ? 1 : 1 / log2($4)
        if (!($1 in first)) first[$1] = $4
    }
    END {
        for (q in wanted) {
            n++
            ideal = 1
            for (k = 2; k <= wanted[q]; k++) ideal += 1 / log2(k)
            a += ap[q] / wanted[q]; r += hits[q] / wanted[q]; p += hits[q] / 10
            rr += q in first ? 1 / first[q] : 0; d += dcg[q] / ideal
        }
        printf "reference\t%.6f\t%.6f\t%.6f\t%.6f\t%.6f\n", a / n, r / n, p / n, rr / n, d / n
    }' trec/qrels.txt short.run

echo '== ties, as trec_eval breaks them: the name that sorts last comes first, RANK says nothing'
printf 'PSB 1\n2 6\na 0 3\nq\nx\nb\nc 0 3\nu\nv\nw\n' >six.cla
printf 'q Q0 b 1 0.5 t\nq Q0 w 2 0.5 t\nq Q0 x 3 0.50000000001 t\nq Q0 u 9 7 t\n' >ties.run
tell "$PSBENCH" eval -q six.cla ties.run --per model -m precision@1,precision@2,precision@3,precision@4 -f tsv

echo "== 0 for Q0; BEIR's header and float grades; a run as JSON is refused by name"
sed 's/Q0/0/' ties.run >zero.run
tell "$PSBENCH" eval -q six.cla zero.run --per model -m precision@1,precision@2,precision@3,precision@4 -f tsv
printf 'query-id\tcorpus-id\tscore\nq\tx\t3.0\nq\tw\t1\nq\tb\t-1.0\n' >beir.tsv
tell "$PSBENCH" eval -q six.cla --qrels beir.tsv zero.run -m map,map@2,map_cut_1 -f tsv
printf 'q\tx\t1.5\n' >half.tsv
tell "$PSBENCH" eval -q six.cla --qrels half.tsv zero.run -m map -f tsv
printf '{"q": {"x": 3, "w": 1.5}}' >ranx.json
tell "$PSBENCH" eval -q six.cla ranx.json

echo '== grades: both conventions of gain, and what is below 1 is not relevant'
printf 'q 0 x 3\nq 0 w 1\nq 0 u 0\nq 0 b -1\nq 0 v 2\nq 0 q 3\n' >graded
tell "$PSBENCH" eval -q six.cla --qrels graded ties.run \
    -m trec_ndcg,exp_ndcg,trec_ndcg_cut@2,exp_ndcg_cut@2,psb_ndcg@4,cg@4,precision@4,average_precision -f tsv
awk 'function log2(x) { return log(x) / log(2) }
    function gain(g, e) { return e ? 2 ^ g - 1 : g }
    BEGIN { # the list is u x w b; the ideal one x v w
        split("0 3 1 0", got); split("3 2 1", best)
        for (e = 0; e < 2; e++) {
            s = s2 = i = i2 = 0
            for (k = 1; k <= 4; k++) {
                s += gain(got[k], e) / log2(k + 1); i += k < 4 ? gain(best[k], e) / log2(k + 1) : 0
                if (k == 2) { s2 = s; i2 = i }
            }
            whole[e] = s / i; cut[e] = s2 / i2
        }
        princeton = (3 / log2(2) + 1 / log2(3)) / (3 + 2 / log2(2) + 1 / log2(3))
        printf "reference\t%.6f\t%.6f\t%.6f\t%.6f\t%.6f\t%.6f\t%.6f\t%.6f\n", whole[0], whole[1], cut[0],
            cut[1], princeton, 4, 2 / 4, (1 / 2 + 2 / 3) / 3
    }'

echo '== the lists of SHREC 16 and 17: micro and macro, a query in its own list'
mkdir net
printf 'PSB 1\n2 5\na 0 3\n000001\n000002\n000003\nb 0 2\n000004\n000005\n' >net.cla
printf '1 0\n2 0.5\n000002 0.6\n4 0.7\nnone 1\n' >net/000001
printf '000004\n000001\n' >net/2
printf '5\n' >net/000004
tell "$PSBENCH" eval net.cla net --lists shapenet --with-query -f tsv \
    -m shrec17_precision,shrec17_recall,shrec17_f1,shrec17_map,shrec17_ndcg
tell "$PSBENCH" eval -q net.cla net --lists shapenet --with-query -f tsv --per macro \
    -m shrec17_precision,shrec17_recall,shrec17_f1,shrec17_map,shrec17_ndcg
awk 'function log2(x) { return log(x) / log(2) }
    function one(hits, n, r, ap, dcg, ideal) { # of a query
        p = hits / n; q = hits / r
        printf "query\t%.6f\t%.6f\t%.6f\t%.6f\t%.6f\n", p, q, (p + q > 0 ? 2 * p * q / (p + q) : 0), ap / r, dcg / ideal
    }
    BEGIN {
        three = 2 + 1 / log2(3)
        one(2, 3, 3, 2, 2, three)         # 1 2 4
        one(1, 2, 3, 1 / 2, 1, three)     # 4 1
        one(1, 1, 2, 1, 1, 2)             # 5
    }'

echo '== zeros in front of numbers, in every form; where two models may be meant, none is'
mkdir padded
printf '0002 0.1\n5 0.2\n' >padded/1
printf '1 Q0 00002 1 2 t\n1 Q0 5 2 1 t\n' >padded.run
tell "$PSBENCH" eval -q net.cla padded -m map -f tsv
tell "$PSBENCH" eval -q net.cla padded.run -m map -f tsv
printf 'PSB 1\n2 6\na 0 3\n1\n02\n002\nb 0 3\n4\n5\n6\n' >twins.cla
printf '02\n4\n' >padded/1
tell "$PSBENCH" eval -q twins.cla padded -m map -f tsv
printf '2\n' >padded/1
tell "$PSBENCH" eval -q twins.cla padded -m map -f tsv

echo "== SHREC's sketches: the query's name first, and since '16 the distance before the model"
mkdir titled turned mixed
for list in shrec/distances/*; do
    { basename "$list" && cat "$list"; } >"titled/$(basename "$list")"
    awk '{ print $2, $1 }' "$list" >"turned/$(basename "$list")"
done
table $cla titled | cmp - <(table $cla shrec/distances) && echo 'with a title: the same'
table $cla turned | cmp - <(table $cla shrec/distances) && echo 'distance first: the same'
# Numbers that are models stay what they are where they come first.
printf 'PSB 1\n2 6\na 0 3\n0\n1\n2\nb 0 3\n3\n4\n5\n' >digits.cla
printf '1 2\n2 3\n' >mixed/0
printf '0.5 2\n0.75 0\n' >mixed/1
printf '3 4\n9 5\n' >mixed/2
printf '3 4\n9 55\n' >mixed/3
tell "$PSBENCH" eval --check digits.cla mixed
rm mixed/3
tell "$PSBENCH" eval -q digits.cla mixed --per model -m P@1,map -f tsv

echo '== everything that is wrong'
tell "$PSBENCH" eval --check $cla $run
{
    head -n 4 ties.run
    printf '%s\n' 'q Q0 x 3 0.5 t' 'z Q0 x 1 1 t' 'x Q0 z 1 1 t' 'x Q0 q 1' 'x Q0 q one 1 t' 'x Q0 q 1 nan t' \
        'x Q0 q 1 2 t more' '' 'b Q0 q 1 1e999 t'
} >wrong.run
tell "$PSBENCH" eval --check six.cla wrong.run
tell "$PSBENCH" eval six.cla wrong.run
mkdir wrong
printf 'x 1\nw 0.5\nu 0.4\nx 2\nnobody 3\nv 1 2\n' >wrong/q
printf 'x\n' >wrong/q.txt
printf 'x\n' >wrong/stranger
tell "$PSBENCH" eval --check six.cla wrong
tell "$PSBENCH" eval six.cla wrong
printf 'x w\n\nq q\nx\nx\nx\nx\n' >wrong.txt
tell "$PSBENCH" eval --check --lists rows six.cla wrong.txt
# A list with nothing in it is a list in which nothing was found; a query without a file has none.
mkdir hollow
for query in q x u v; do : >hollow/$query; done
printf 'x\n' >hollow/q
printf 'x\n\n\nv w\n\n\n' >hollow.txt
tell "$PSBENCH" eval --check six.cla hollow
tell "$PSBENCH" eval six.cla hollow -m nearest_neighbor --per model -f tsv
tell "$PSBENCH" eval --check --lists rows six.cla hollow.txt
tell "$PSBENCH" eval --lists rows six.cla hollow.txt -m nearest_neighbor --per model -f tsv
mkdir fewer
cp hollow/q hollow/x fewer
touch hollow/{b,w}
"$PSBENCH" eval -q six.cla hollow -m all -f tsv | sed 1d >expected
"$PSBENCH" eval -q six.cla --lists shrec fewer -m all -f tsv --absent zero | sed 1d >zeros
cmp <(cut -f 2- expected) <(cut -f 2- zeros) && echo 'no list counts as an empty one'
printf 'q 0 x 1\nq 0 x 2\n' >twice
printf 'q 0 x 256\n' >much
printf 'q 0 x\n' >none
printf 'q 0 nobody 1\n' >nobody
for file in twice much none nobody absent; do
    tell "$PSBENCH" eval six.cla --qrels $file ties.run
done
tell "$PSBENCH" eval --check six.cla six.cla
tell "$PSBENCH" eval six.cla ties.run --lists lists
