# The same figures as the programs that others use: psbTable of the benchmark's utilities, and
# trec_eval on what `psbench export` writes. Their outputs for a small matrix are stored beside it.
here=data/agreement

echo '== psbTable, to the last digit'
for option in '' -macro -class -model; do
    echo "# ${option:-micro}"
    # shellcheck disable=SC2086 # no option is no word
    "$PSBENCH" eval $here/models.cla $here/distances.txt $option
done >ours
sed 1,3d $here/psbtable.txt | diff - ours && echo "the same $(wc -l <ours) lines"

# Reads qrels and run as trec_eval does, from the two files alone, and prints what it prints.
trec() {
    sort -k 1,1 -k 5,5gr -k 3,3r "$2" | awk '
        function log2(x) { return log(x) / log(2) }
        function show(name, query, value) { printf "%s %s %.4f\n", name, query, value; sum[name] += value }
        function finish(   k, ideal) {
            if (query == "") return
            for (k = 1; k <= wanted[query]; k++) ideal += 1 / log2(k + 1)
            show("map", query, precisions / wanted[query])
            show("Rprec", query, early / wanted[query])
            show("recip_rank", query, first > 0 ? 1 / first : 0)
            show("P_5", query, at[5] / 5)
            show("P_10", query, at[10] / 10)
            show("ndcg", query, gain / ideal)
            show("recall_5", query, at[5] / wanted[query])
            show("recall_10", query, at[10] / wanted[query])
            queries++
        }
        NR == FNR { relevant[$1, $3] = $4; wanted[$1] += $4; next }
        $1 != query {
            finish()
            query = $1
            rank = hits = first = early = precisions = gain = at[5] = at[10] = 0
        }
        {
            rank++
            if (relevant[$1, $3] > 0) {
                hits++
                precisions += hits / rank
                gain += 1 / log2(rank + 1)
                first = first > 0 ? first : rank
                early += rank <= wanted[$1]
            }
            if (rank == 5 || rank == 10) at[rank] = hits
        }
        END {
            finish()
            for (name in sum) printf "%s all %.4f\n", name, sum[name] / queries
        }' "$1" - | sort
}
theirs() {
    awk '!/^#/ && NF == 3 { print $1, $2, $3 }' $here/trec_eval.txt | sort
}

echo '== trec_eval: what its order and its measures make of the exported files'
"$PSBENCH" export $here/models.cla $here/distances.txt -o trec
trec trec/qrels.txt trec/distances.run >read_back
comm -23 read_back <(theirs) | grep -vE '^recall_[0-9]+ m'
echo "$(comm -12 read_back <(theirs) | wc -l) figures of $(theirs | wc -l) read back"

echo '== trec_eval: the measures of eval'
# eval has figures of 0 to 1 with six digits; they have four.
"$PSBENCH" eval $here/models.cla $here/distances.txt -f tsv \
    -m map,Rprec,P_5,P.15,P@30,recall_5,recall.10,recall@20 |
    tr '\t' '\n' | paste - - - - - - - - - | awk 'NR == 1 { for (i = 2; i <= NF; i++) name[i] = $i }
        NR == 2 { for (i = 2; i <= NF; i++) printf "%s %.4f\n", name[i], $i }' |
    sed 's/average_precision/map/; s/r_precision/Rprec/; s/^precision@/P_/; s/recall@/recall_/' |
    while read -r name value; do
        echo "$name: $value, theirs $(theirs | sed -n "s/^$name all //p")"
    done
