# Tables 5 and 6 of a run on the built-in benchmark, whose classes are other ones: Table 6 takes its
# four classifications, Table 5 says which of the paper's object types it does not have.
"$PSBENCH" synth -q bench >/dev/null
"$PSBENCH" run -q --no-times -d D2,SHELLS --models bench/db \
    --cla bench/classification/v1/base/test.cla -o made >/dev/null

"$PSBENCH" table6 made --psb bench >table6.txt
sed 1q table6.txt
echo "columns of what was published: $(grep -c 'pub\.' table6.txt)"
(cd made && ls table6.*)
cmp made/table6.txt table6.txt && echo 'as printed'
# Column by column: the average of the two descriptors' normalized DCG is nothing, by definition.
awk -F'\t' 'NR > 1 { for (i = 2; i <= NF; i++) sum[i] += $i }
    END { for (i in sum) if (sum[i] > 0.2 || sum[i] < -0.2) print "column", i, sum[i] }' <(
    "$PSBENCH" table6 made --psb bench -f tsv | cut -f 1,2,5,8,11)
# The base column is what the run itself measured.
"$PSBENCH" eval made D2 SHELLS -m normalized_dcg -f tsv | cut -f 1,2
"$PSBENCH" table6 made --psb bench -f tsv | cut -f 1,2

# The report has the table that was made, with its figures; not one that was altered since.
"$PSBENCH" report -q --thumbnails none made
sed -n '/<table id="table-6">/,/<\/table>/p' made/report/index.html | sed -nE 's/<\/t[hd]>/ /g; s/<[^>]*>//g; /^(D2|SHELLS) /p' |
    tr -s ' ' | sed 's/ $//' >page.txt
awk '/^(D2|SHELLS) / { $1 = $1; print }' table6.txt | cmp - page.txt && echo 'the figures of the page'
grep -c 'id="table-5"' made/report/index.html
echo >>made/table6.txt
"$PSBENCH" report -q --thumbnails none made
grep -c 'id="table-6"' made/report/index.html

"$PSBENCH" table5 made --psb bench
echo "exit code $?"
for wrong in 'made' 'made --psb absent' '--psb bench' 'absent --psb bench' 'made NONE --psb bench'; do
    # shellcheck disable=SC2086 # arguments
    "$PSBENCH" table6 $wrong >/dev/null
    echo "exit code $?"
done
