# Copies of models in a run are found by bytes, by triangles and by rows; names; wrong usage.
"$PSBENCH" synth -q synth
db=synth/db/0
mkdir models
for i in 3 7 20 41 60; do
    cp $db/m$i/m$i.off models/$i.off
done
cp models/7.off models/again.off
"$PSBENCH" convert models/20.off models/other.ply
printf 'PSB 1\n1 7\n\nany 0 7\n3\n7\n20\n41\n60\nagain\nother\n' >my.cla
"$PSBENCH" run -q --no-times -d LFD,SHELLS --cla my.cla --models models -o run >/dev/null
duplicates() {
    "$PSBENCH" duplicates "$@"
    echo "$?: $*"
}
duplicates run --quantile 0
duplicates run -d SHELLS -f tsv --quantile 0.1 | cut -f 1-4
duplicates run --rows-only --quantile 0.3 | sed 's/of [0-9]*, which/of D, which/'
duplicates run/features/SHELLS.npy --metric l2 --quantile 0.5 | grep -c 'near rows'
cp run/features/SHELLS.npy unnamed.npy
duplicates unnamed.npy --metric l2 --quantile 0.1 -f md | cut -d '|' -f 2-5
for format in tsv json md tex txt; do
    "$PSBENCH" duplicates run -t 1 -f $format >1.out
    "$PSBENCH" duplicates run -t 3 --memory 200M -f $format | cmp - 1.out
done
# What is not as the run had it, or not there.
cp -r models moved
rm moved/41.off
duplicates run --models moved --quantile 0 | tail -n 2
cp models/3.off moved/7.off
duplicates run --models moved --quantile 0
duplicates run --models absent
duplicates run -d D2
duplicates run --quantile 2
duplicates run --quantile x
duplicates run -d NONE
duplicates run --metric l3
duplicates run --metric lfd -d SHELLS
duplicates
duplicates absent.npy
ls
# A run without LFD: its first descriptor.
"$PSBENCH" run -q --no-times -d SHELLS --cla my.cla --models models -o shells >/dev/null
"$PSBENCH" duplicates run -d SHELLS -f tsv --quantile 0.1 >1.out
duplicates shells -f tsv --quantile 0.1 | cmp - <(cat 1.out; echo '0: shells -f tsv --quantile 0.1') && echo 'of what the run has'
