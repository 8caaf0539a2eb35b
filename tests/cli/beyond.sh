# The second table over a benchmark of few models: three runs, long and wide tables, the report.
. "$(dirname "${BASH_SOURCE[0]}")/../support/few.sh"
"$PSBENCH" synth -q bench >/dev/null
base=bench/classification/v1/base
cp $base/test.cla $base/all.cla
some 4 4 0 $base/all.cla >$base/train.cla
some 4 4 4 $base/all.cla >$base/test.cla
"$PSBENCH" beyond -q --psb bench -o out -t 2 >shown.txt
echo $?
cmp shown.txt out/beyond.txt && head -n 1 out/beyond.tsv && cut -f 1-3 out/beyond.tsv | tail -n +2 | sort | uniq -c |
    awk '{ n[$1]++ } END { for (c in n) print n[c], "lines,", c, "each" }'
cut -f 2,3 out/beyond.tsv | tail -n +2 | sort | uniq -c
ls out
grep -o 'the test set was scored once' out/beyond.md
awk -F'\t' 'NR > 1 && !($2 ~ /^learned/ && $3 == "train") { for (i = 4; i <= 8; i++) if ($i !~ /^[0-9]+\.[0-9][0-9]$/) print }' out/beyond.tsv

# Its runs are runs; a figure is that of eval; nothing is made twice; turned models are others.
"$PSBENCH" verify out/test | grep -cv '^ok'
"$PSBENCH" eval out/test T4n+kr -f tsv | tail -n 1 | awk -F'\t' '{ printf "%.2f\n", 100 * $NF }' >one
awk -F'\t' '$1 == "T4n re-ranked" && $3 == "test" { print $8 }' out/beyond.tsv | cmp - one && echo 'as eval'
cp out/beyond.tsv before.tsv
"$PSBENCH" beyond -q --psb bench -o out -t 1 >/dev/null && cmp out/beyond.tsv before.tsv && echo 'the same again'
cmp -s out/test/matrices/T3.matrix out/turned/matrices/T3.matrix || echo turned

# In the report of a run of the same models; not in another's.
"$PSBENCH" run -q -d EXT --cla $base/test.cla --models bench/db -o run >/dev/null
cp -r out/train out/test out/turned run/
"$PSBENCH" report -q run --thumbnails none && grep -c 'T4n re-ranked' run/report/index.html
"$PSBENCH" run -q -d EXT --cla $base/train.cla --models bench/db -o other >/dev/null
cp -r out/train out/test out/turned other/
"$PSBENCH" report -q other --thumbnails none
echo $?
"$PSBENCH" beyond
