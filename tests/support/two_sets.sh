# For two_sets.sh and psb_two_sets.sh: compares figures of queries and targets that differ with an independent slow
# computation.

# reference QUERIES.cla TARGETS.cla FILE.npy: prints the figures, micro and macro, from the distances and the names beside
# them alone; counts each target's rank by looking at all others, without the query itself.
reference() {
    {
        sed 's/^/R /' "$3.ids"
        sed 's/^/C /' "$3.columns.ids"
        awk 'NR > 2 && NF == 3 { class = $1 } NR > 2 && NF == 1 { print "Q", $1, class }' "$1"
        awk 'NR > 2 && NF == 3 { class = $1 } NR > 2 && NF == 1 { print "T", $1, class }' "$2"
        echo D
        tail -c +129 "$3" | od -An -v -tf4 -w$((4 * $(wc -l <"$3.columns.ids")))
    } | awk '
        function log2(x) { return log(x) / log(2) }
        function least(a, b) { return a < b ? a : b }
        $1 == "R" { row[$2] = ++rows; next }
        $1 == "C" { column[$2] = ++columns; next }
        $1 == "Q" { query[++queries] = $2; class_of[queries] = $3; next }
        $1 == "T" { target[++targets] = $2; class_of_target[targets] = $3; many[$3]++; next }
        $1 == "D" { next }
        { line[++lines] = $0 }
        END {
            for (q = 1; q <= queries; q++) {
                c = class_of[q]
                self = 0
                for (t = 1; t <= targets; t++) if (target[t] == query[q]) self = t
                n = many[c] - (self && class_of_target[self] == c)
                if (c == "-1" || n == 0) continue
                split(line[row[query[q]]], distance)
                delete hit
                for (t = 1; t <= targets; t++) d[t] = distance[column[target[t]]] + 0
                for (t = 1; t <= targets; t++) {
                    if (class_of_target[t] != c || t == self) continue
                    rank = 1
                    for (u = 1; u <= targets; u++)
                        rank += u != self && (d[u] < d[t] || (d[u] == d[t] && u < t))
                    hit[rank] = 1
                }
                found = first = second = page = eye = gain = ideal = precisions = 0
                for (r = 1; r <= targets; r++) {
                    if (r <= n) ideal += r == 1 ? 1 : 1 / log2(r)
                    if (!(r in hit)) continue
                    found++
                    precisions += found / r
                    gain += r == 1 ? 1 : 1 / log2(r)
                    first += r <= n; second += r <= 2 * n; page += r <= least(32, targets - (self > 0))
                }
                value[1] = 1 in hit; value[2] = first / n; value[3] = second / n
                value[4] = 2 * page / (least(32, targets - (self > 0)) + n); value[5] = gain / ideal
                value[6] = precisions / n; value[7] = second / n # queries are none of the 2C
                taken++
                of[c]++
                for (f = 1; f <= 7; f++) { micro[f] += value[f]; of_class[c, f] += value[f] }
            }
            for (c in of) { classes++; for (f = 1; f <= 7; f++) macro[f] += of_class[c, f] / of[c] }
            for (f = 1; f <= 7; f++) printf "%.6f%s", micro[f] / taken, f < 7 ? "\t" : "\n"
            for (f = 1; f <= 7; f++) printf "%.6f%s", macro[f] / classes, f < 7 ? "\t" : "\n"
        }'
}

measures=table4,average_precision,bulls_eye
# figures WORD...: prints the same figures by the program, for each file
figures() {
    "$PSBENCH" eval -q -m $measures -f tsv "$@" | tail -n +2 | cut -f 2-
    "$PSBENCH" eval -q -m $measures -f tsv --per macro "$@" | tail -n +2 | cut -f 2-
}

# judge QUERIES.cla TARGETS.cla A.npy B.npy: checks figures from features of two sets, whose rows have names and any order
judge() {
    local sets="--queries $1 --targets $2"
    "$PSBENCH" distance -q -o two.npy "$3" "$4"
    "$PSBENCH" search -q --queries "$3" --database "$4" -k 1000000 -o two.tsv
    reference "$1" "$2" two.npy >expected
    cat expected
    # shellcheck disable=SC2086 # several words
    {
        figures $sets two.npy | cmp - expected && echo "distances: the same"
        figures $sets --metric l2 "$3,$4" | cmp - expected && echo "features: the same"
        figures $sets two.tsv | cmp - expected && echo "lists of search: the same"
        grep -v '^#' two.tsv | awk 'NR > 1 { print $1, "Q0", $3, $2, -$2, "t" }' >two.run
        figures $sets two.run | cmp - expected && echo "a TREC run of them: the same"
        "$PSBENCH" eval --check $sets two.run
    }
}
