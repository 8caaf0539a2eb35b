# Rows bear the names of their models: each stage alone, over files in the order of the shell, gives
# what a run gives, and names that do not fit are refused.
"$PSBENCH" synth -q made
cla=made/classification/v1/base/test.cla
mkdir flat
find made/db -name '*.off' -exec cp {} flat \;
"$PSBENCH" describe -d SHD -o features.npy flat/*.off
sed -n 1,4p features.npy.ids
"$PSBENCH" distance --metric l2 -o shd.matrix features.npy
cmp features.npy.ids shd.matrix.ids && echo "the matrix has the names of the features"
"$PSBENCH" run -q --no-times -d SHD --cla $cla --models made/db -o run >/dev/null
"$PSBENCH" eval run | tee expected
for rows in shd.matrix "features.npy --metric l2" "features.npy --metric l2 --memory 64M"; do
    # shellcheck disable=SC2086
    "$PSBENCH" eval $cla $rows | diff expected - && echo "$rows: the same"
done
"$PSBENCH" eval $cla shd.matrix --model | diff <("$PSBENCH" eval run --model) - && echo "for each model"
"$PSBENCH" compare $cla shd.matrix run/matrices/SHD.matrix -m e_measure -f tsv | cut -f 1-4
"$PSBENCH" export -o trec $cla shd.matrix
"$PSBENCH" export -o trec_run run
cut -d ' ' -f 1-4 trec/shd.run | diff <(cut -d ' ' -f 1-4 trec_run/SHD.run) - && echo "export: the same"
"$PSBENCH" eval $cla features.npy --metric l2 --memory 256K
cmp run/features/SHD.npy.ids <(grep -E '^[0-9]+$' run/models.cla) && echo "the names of a run"
cmp run/features/SHD.npy.ids run/matrices/SHD.matrix.ids

echo "search"
"$PSBENCH" search --queries features.npy --database features.npy -k 264 -o named.lists
sed -n 2,3p named.lists | cut -f 1-3
"$PSBENCH" eval $cla named.lists | diff expected - && echo "lists: the same"
"$PSBENCH" search --queries features.npy --database features.npy -k 264 -o both.lists \
    --query-cla $cla --database-cla $cla
cmp named.lists both.lists && echo "with a classification: the same"

echo "without names"
mv shd.matrix.ids names
"$PSBENCH" eval $cla shd.matrix 2>&1

echo "names that do not fit"
try() {
    "$PSBENCH" "$@"
    echo "exit code $?"
}
sed 's/^17$/m17/' names >shd.matrix.ids
try eval $cla shd.matrix
tr '\n' '\r' <names | sed 's/\r/\r\n/g' >shd.matrix.ids
try eval $cla shd.matrix
sed 's/^17$/unknown/' names >shd.matrix.ids
try eval $cla shd.matrix
sed 's/^17$/18/' names >shd.matrix.ids
try eval $cla shd.matrix
sed 17,27d names >shd.matrix.ids
try eval $cla shd.matrix
sed '3s/$/\n3000/' names >shd.matrix.ids
try eval $cla shd.matrix
printf 'a\0b\n' >shd.matrix.ids
try eval $cla shd.matrix
: >shd.matrix.ids
try eval $cla shd.matrix
: >features.npy.ids
try distance -o short.matrix features.npy
sed 17d names >features.npy.ids
try distance -o short.matrix features.npy
try search --queries features.npy --database features.npy -o short.lists
sed 's/^17$/unknown/' names >features.npy.ids
try search --queries features.npy --database features.npy --query-cla $cla --database-cla $cla \
    -o short.lists

echo "names never outlive their rows"
rm features.npy.ids
try distance -o shd.matrix features.npy
ls

echo "a file of that name that has no rows beside it"
echo precious >own.npy.ids
"$PSBENCH" describe -d SHD -o own.npy made/db/0/m0/m0.off
echo "exit code $?"
"$PSBENCH" describe -d SHD -o given.npy made/db/0/m0/m0.off made/db/0/m1/m1.off
echo precious >own.matrix.ids
"$PSBENCH" distance -o own.matrix given.npy
echo "exit code $?"
cat own.npy.ids own.matrix.ids
"$PSBENCH" distance -q -o own.matrix given.npy --force
cat own.matrix.ids
