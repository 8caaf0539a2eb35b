# Comparisons are seeded: the same for any number of threads, and for the folder of a run.
"$PSBENCH" synth -q bench >/dev/null
"$PSBENCH" run -q --no-times -d D2,SHELLS,SHD --cla bench/classification/v1/base/test.cla \
    --models bench/db -o made >/dev/null
"$PSBENCH" compare made -t 1 --rounds 500 >one
for threads in 2 5; do
    "$PSBENCH" compare made -t $threads --rounds 500 | cmp - one && echo "$threads threads: same"
done
"$PSBENCH" compare made/models.cla made/matrices/{SHD,D2,SHELLS}.matrix --rounds 500 | cmp - one &&
    echo 'files: same'
"$PSBENCH" compare made --rounds 500 --seed 2 | cmp -s - one || echo 'another seed: different'
"$PSBENCH" compare made SHD D2 --rounds 500 -f tsv --per class | awk -F'\t' '{ print NF, $1, $2 }'
"$PSBENCH" compare made SHD
echo $?
"$PSBENCH" compare made -m normalized_dcg
echo $?

# The classes on which the first gains and loses most, against the classes' own figures, sorted.
"$PSBENCH" compare made SHD D2 --rounds 100 --classes 3 |
    awk '/^Classes on which/ { on = 1 } on && NF >= 5 && $(NF - 2) ~ /^[0-9.]+$/ { print $(NF - 2), $NF }' >in_order
sort -k2,2gr in_order >shown
paste <("$PSBENCH" eval made SHD -m dcg -f tsv --per class) <("$PSBENCH" eval made D2 -m dcg -f tsv --per class) |
    awk -F'\t' 'NR > 1 { printf "%.1f %+.1f\n", 100 * $2, 100 * ($2 - $4) }' | sort -k2,2gr >gains
{ head -n 3 gains && tail -n 3 gains; } | cmp - shown && echo "$(wc -l <shown) classes that gain and lose: the same"
cmp <(cut -d' ' -f2 in_order) <(cut -d' ' -f2 shown) && echo 'the largest gain is the first'

# The models of a run's matrix are known: in another order they find their place; in runs of older
# versions, which have no names beside the rows, another order is refused.
awk '/^[0-9]+$/ && n++ == 0 { first = $0; next } { print } n == 2 { print first; n++ }' \
    made/models.cla >other.cla
"$PSBENCH" eval other.cla made/matrices/SHD.matrix
echo $?
rm made/matrices/SHD.matrix.ids
"$PSBENCH" eval other.cla made/matrices/SHD.matrix
echo $?
