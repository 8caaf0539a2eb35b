# The key of a run's features, which says what they were made from, changes with the bytes of any one model's
# file: those of the first, of one in the middle, and of the last, also where its row stays the same.
printf 'PSB 1\n2 6\nchair 0 3\n0\n31\n62\nstool 0 3\n1\n32\n63\n' >c.cla
"$PSBENCH" synth -q models
key() {
    "$PSBENCH" run -q --no-times -d SHELLS --cla c.cla --models models/db -o run >table.txt || echo "exit code $?"
    awk -F'\t' '$1 == "file" && $2 == "features/SHELLS.npy" { print $3 }' run/provenance.tsv
}
key >keys
key >again
cmp keys again && echo 'nothing changed: the same key'
cp run/features/SHELLS.npy first.npy
for id in 0 62 63; do
    echo >>"models/db/0/m$id/m$id.off"
    key >>keys
done
cmp run/features/SHELLS.npy first.npy && echo 'the rows stay'
echo "$(wc -l <keys) states of the models, $(sort -u keys | wc -l) keys"
