# A set has two orders, that of its file and that of its classes: rows without names are in the file's, whatever names
# the classes. Each command over a table in a third order gives what a run gives, whose rows have names.
"$PSBENCH" synth -q made
"$PSBENCH" run -q --no-times -d D2 --cla made/classification/v1/base/test.cla --models made/db -o run >/dev/null
"$PSBENCH" cla run -o sorted.csv
sed 1d sorted.csv | awk '{ print NR * 151 % 265, $0 }' | sort -n | cut -d ' ' -f 2- >rows
for separator in ',' '\t'; do
    ending=$([[ $separator == , ]] && echo csv || echo tsv)
    { head -n 1 sorted.csv; cat rows; } | sed "s/,/$separator/g" >labels.$ending
done
"$PSBENCH" cla labels.csv -o labels.txt
cut -d , -f 1 rows | while read -r id; do echo "made/db/$((id / 100))/m$id/m$id.off"; done >files
mapfile -t files <files
"$PSBENCH" describe -q -d D2 -o rows.npy "${files[@]}"
"$PSBENCH" distance -q -o rows.matrix rows.npy
rm rows.npy.ids rows.matrix.ids
# A folder's file order is that of paths as bytes.
while read -r path; do
    id=${path##*/}
    mkdir -p "folders/${path%/*}"
    cp "made/db/$((id / 100))/m$id/m$id.off" "folders/${path%/*}/"
done <labels.txt
find folders -name '*.off' | sort >paths
mapfile -t files <paths
"$PSBENCH" describe -q -d D2 -o inside.npy "${files[@]}"
rm inside.npy.ids

figures() {
    "$PSBENCH" eval -q -m nearest_neighbor,first_tier,dcg -f tsv "$@" | tail -n 1 | cut -f 2-
}
echo "== eval"
figures run D2 | tee expected
for classes in labels.csv labels.tsv labels.txt; do
    figures $classes rows.matrix | cmp - expected && echo "$classes, distances: the same"
    figures $classes --metric l2 rows.npy | cmp - expected && echo "$classes, features: the same"
done
figures folders --metric l2 inside.npy | cmp - expected && echo "folders: the same"
figures run --level 1 >coarse
figures labels.csv rows.matrix --level 1 | cmp - coarse && echo "cut at a level: the same"
figures --queries labels.csv --targets labels.tsv --metric l2 rows.npy,rows.npy | cmp - expected && echo "two sets: the same"
"$PSBENCH" search -q --queries rows.npy --database rows.npy -k 264 -o by_row.tsv
figures labels.csv by_row.tsv | cmp - expected && echo "lists of rows: the same"
echo "== others"
"$PSBENCH" compare -q labels.csv rows.matrix run/matrices/D2.matrix -f tsv | cut -f 1-4
"$PSBENCH" classify -q run D2 -f tsv >expected
"$PSBENCH" classify -q labels.csv rows.matrix -f tsv | sed 's/^rows/D2/' | cmp - expected && echo "classify: the same"
"$PSBENCH" export -q run D2 -f shrec -o exported
"$PSBENCH" export -q labels.csv rows.matrix -f shrec -o own
for query in exported/D2/*; do
    diff <(cut -f 2 "$query") <(cut -f 2 "own/rows/${query##*/}") >/dev/null || echo "export: $query differs"
done
"$PSBENCH" plot -q run D2 -f plot -o expected
"$PSBENCH" plot -q labels.csv rows.matrix -f plot -o own
cmp expected.plot own.plot && echo "plot: the same"

echo "== what changes the order says so"
"$PSBENCH" cla labels.csv -o other.cla 2>&1
"$PSBENCH" cla labels.csv -o other.csv && cmp labels.csv other.csv && echo "a table stays in its order"
"$PSBENCH" cla run/models.cla -o same.cla
"$PSBENCH" eval other.cla rows.matrix 2>&1 >/dev/null
echo "== rows of other models are warned of"
cp run/matrices/D2.matrix turned.matrix
awk '{ print NR * 151 % 265, $0 }' run/features/D2.npy.ids | sort -n | cut -d ' ' -f 2 >turned.matrix.ids
cp run/features/D2.npy turned.npy
cp turned.matrix.ids turned.npy.ids
for command in eval compare classify "export -o chance" "plot -f plot -o chance"; do
    # shellcheck disable=SC2086 # words
    "$PSBENCH" $command run/models.cla turned.matrix run/matrices/D2.matrix 2>&1 >/dev/null | grep -v '^plot'
done
"$PSBENCH" eval run/models.cla turned.npy --metric l2 2>&1 >/dev/null
"$PSBENCH" eval run/models.cla run/features/D2.npy --metric l2 2>&1 >/dev/null
echo "== a run of a list in another order has two orders: rows without names are refused, with names they are placed"
"$PSBENCH" run -q --no-times -d D2 --labels labels.csv --models made/db -o listed >/dev/null
cut -d , -f 1 rows | cmp - listed/models.ids && echo "models.ids: the list's order"
"$PSBENCH" eval listed rows.matrix 2>&1
"$PSBENCH" eval listed rows.npy --metric l2 2>&1 | cut -c 1-60
"$PSBENCH" eval listed rows.npy --metric l2 --level 1 2>&1 | cut -c 1-60
"$PSBENCH" eval listed by_row.tsv 2>&1 | cut -c 1-60
for command in compare classify "export -o refused" "plot -f plot -o refused"; do
    # shellcheck disable=SC2086 # words
    "$PSBENCH" $command -q listed rows.matrix 2>&1 | cut -c 1-60
done
"$PSBENCH" combine -q listed --sum D2=1,rows.matrix=1 2>&1 | cut -c 1-60
"$PSBENCH" report -q listed --with rows.matrix 2>&1 | cut -c 1-60
"$PSBENCH" run -q --no-times -d D2 --queries labels.csv --targets run/models.cla --models made/db -o between >/dev/null
"$PSBENCH" eval between rows.npy,run/features/D2.npy --metric l2 2>&1 | cut -c 1-60
figures run D2 >expected
cp listed/models.ids rows.matrix.ids
figures listed rows.matrix | cmp - expected && echo "the list's names: the same"
rm rows.matrix.ids
figures listed/models.cla run/matrices/D2.matrix | cmp - expected && echo "the run's classes, names within: the same"
figures listed D2 | cmp - expected && echo "its own: the same"
cp listed/matrices/D2.matrix sorted.matrix
figures listed/models.cla sorted.matrix | cmp - expected && echo "the order of its models.cla: the same"
echo "== models.ids is proven, and goes with the list that it is of"
head -n 1 listed/models.ids >>listed/models.ids
"$PSBENCH" eval listed D2 2>&1 | cut -c 1-80
"$PSBENCH" run -q --no-times -d D2 --labels labels.csv --models made/db -o listed >/dev/null
"$PSBENCH" verify -q listed | grep models
cp listed/models.cla listed.cla
"$PSBENCH" run -q --no-times -d D2 --cla listed.cla --models made/db -o listed >/dev/null && [[ ! -e listed/models.ids ]] && "$PSBENCH" verify -q listed | grep models
figures listed sorted.matrix | cmp - expected && echo "one order: the same"
