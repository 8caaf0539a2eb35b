# Features as tables of text: the same figures as from .npy, in every command that compares rows; names within the
# table count; distances and tables without a metric are refused by name.
"$PSBENCH" synth -q bench >/dev/null
base=bench/classification/v1/base
"$PSBENCH" run -q --no-times -d SHELLS --cla $base/test.cla --models bench/db --matrices no -o run >/dev/null
cp run/features/SHELLS.npy rows.npy
cp run/features/SHELLS.npy.ids rows.npy.ids
"$PSBENCH" cla $base/test.cla -o labels.csv
# In tables with names the last row comes first, so that only names tell whose rows these are.
count=$(wc -l <rows.npy.ids)
start=$(head -n 1 rows.npy | wc -c)
bytes=$((($(wc -c <rows.npy) - start) / count))
tail -c +$((start + 1)) rows.npy | od -An -v -t f4 -w$bytes | sed 's/^ *//; s/  */ /g' >numbers
paste -d ' ' rows.npy.ids numbers | tac >named
columns() { # columns SEPARATOR PREFIX
    seq -s "$1" -f "$2%.0f" 0 $((bytes / 4 - 1))
}
{ echo '# numbers' && cat numbers; } >plain.txt
{ columns , '' && tr ' ' , <numbers; } | sed 's/$/\r/' >bare.csv
{ echo "id;$(columns ';' f)" && tr ' ' ';' <named; } >id.csv
{ printf '\t' && columns $'\t' '' && tr ' ' '\t' <named; } | { printf '\377\376' && iconv -f UTF-8 -t UTF-16LE; } >wide.tsv
{ columns ' ' '"V' | sed 's/ /" /g; s/$/"/' && cat named; } >r.txt
"$PSBENCH" eval labels.csv rows.npy --metric l2 -f tsv | tail -n 1 | cut -f 2- >expected
for file in plain.txt bare.csv id.csv wide.tsv r.txt; do
    "$PSBENCH" eval labels.csv $file --metric l2 -f tsv 2>said | tail -n 1 | cut -f 2- | cmp - expected
    "$PSBENCH" eval labels.csv x=$file:l2 -f tsv -t 2 --memory 64M 2>>said | tail -n 1 | cut -f 2- | cmp - expected
    sort -u said
done
"$PSBENCH" distance -q --metric l2 rows.npy -o npy.matrix
"$PSBENCH" distance -q --metric l2 plain.txt -o text.matrix
cmp npy.matrix text.matrix
"$PSBENCH" search -q --metric l2 -k 5 --queries rows.npy --database rows.npy -o npy.txt
"$PSBENCH" search -q --metric l2 -k 5 --queries wide.tsv --database rows.npy -o text.txt
cmp <(grep -v '^#' npy.txt | sort) <(grep -v '^#' text.txt | sort)
for command in cluster classify; do
    cmp <("$PSBENCH" $command labels.csv x=rows.npy:l2 -f tsv) <("$PSBENCH" $command labels.csv x=id.csv:l2 -f tsv)
done
"$PSBENCH" generative id.csv rows.npy --metric l2 -f tsv | tail -n 1 | cut -f 1-4
head -n 11 labels.csv >queries.csv
sed '2,11d' labels.csv >targets.csv
awk -F '[,;]' 'NR == FNR { of[$1] = 1; next } $1 in of' queries.csv id.csv >qrows.csv
awk -F '[,;]' 'NR == FNR { of[$1] = 1; next } $1 in of' targets.csv id.csv >trows.csv
"$PSBENCH" eval --queries queries.csv --targets targets.csv qrows.csv,trows.csv:l2 -m nn -f tsv
try() {
    "$PSBENCH" "$@"
    echo "exit code $?"
}
try eval labels.csv id.csv
try eval labels.csv plain.txt
printf '0 1 2\n1 0 3\n2 3 0\n' >distances.txt
try search --metric l2 --queries distances.txt --database distances.txt -o none
sed '3s/;[^;]*$/;nan/' id.csv >nan.csv
try eval labels.csv nan.csv --metric l2
sed '3s/;[^;]*$//' id.csv >short.csv
try eval labels.csv short.csv --metric l2
sed '3s/^[^;]*/other/' id.csv >other.csv
try eval labels.csv other.csv --metric l2
