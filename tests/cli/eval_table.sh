# Tables of measures: averages, classes, models, query lists, formats, input forms, wrong usage.
cat >set.cla <<'END'
PSB 1
3 9

dog 0 3
a
b
c
fish 0 4
d
e
f
g
-1 0 2
h
i
END
for i in 0 1 2 3 4 5 6 7 8; do
    for j in 0 1 2 3 4 5 6 7 8; do
        printf '%d ' $((i == j ? 0 : (i * 5 + j * 7) % 6 + 1))
    done
    echo
done >first.txt
tr ' ' , <first.txt | sed 's/,$//' | tr 123456 654321 >second.txt
printf 'a\n# the rest\n\nd\n' >list

"$PSBENCH" eval set.cla first.txt second.txt
"$PSBENCH" eval set.cla first.txt second.txt --measures dcg,normalized_dcg,average_precision,cg@3
"$PSBENCH" eval set.cla first.txt --per macro --errors -m table4,r_precision
"$PSBENCH" eval set.cla first.txt second.txt --per class -m f@2,psb_ndcg@5 -f md
"$PSBENCH" eval set.cla first.txt --per model -m recall@3 -f tsv --query-list list
"$PSBENCH" eval set.cla first.txt -m nearest_neighbor -f tex
"$PSBENCH" eval set.cla first.txt -m nearest_neighbor -f json
"$PSBENCH" eval --measures help | grep -c Shilane
printf 'x\n' >>list
for wrong in '--query-list list' '-m nothing' '--per day' '-f doc' '--class --per class' \
    '--metric l3' '--metric l1'; do
    # shellcheck disable=SC2086 # options and their values
    "$PSBENCH" eval set.cla first.txt $wrong
    echo "$?: $wrong"
done
