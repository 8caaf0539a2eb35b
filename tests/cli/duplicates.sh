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
duplicates run/features/SHELLS.npy --rows-only --quantile 0.5 | grep -c 'near rows'
cp run/features/SHELLS.npy unnamed.npy
duplicates unnamed.npy --metric l2 --quantile 0.1 -f md | cut -d '|' -f 2-5
for format in tsv json md tex txt; do
    "$PSBENCH" duplicates run -t 1 -f $format >1.out
    "$PSBENCH" duplicates run -t 3 --memory 200M -f $format | cmp - 1.out
done
# Models that are added to a finished run: a copy, one that the run has, one of other triangles, and one by itself.
mkdir more
cp models/3.off models/41.off more/
mv more/3.off more/third.off
cp $db/m99/m99.off more/alone.off
awk 'BEGIN { n = m = 0 }
    NR == 1 { print; next }
    NR == 2 { v = $1; t = $2; print v + t, 3 * t, 0; next }
    NR <= 2 + v { x[n] = $1; y[n] = $2; z[n++] = $3; print; next }
    { a[m] = $2; b[m] = $3; c[m++] = $4 }
    END {
        for (i = 0; i < m; i++)
            printf "%.17g %.17g %.17g\n", (x[a[i]] + x[b[i]] + x[c[i]]) / 3, (y[a[i]] + y[b[i]] + y[c[i]]) / 3,
                (z[a[i]] + z[b[i]] + z[c[i]]) / 3
        for (i = 0; i < m; i++)
            print 3, a[i], b[i], v + i "\n" 3, b[i], c[i], v + i "\n" 3, c[i], a[i], v + i
    }' models/60.off >more/cut.off
duplicates run --add more --quantile 0
duplicates run --add more --quantile 0.3 -d SHELLS -f tsv --rows-only | cut -f 1-4
mkdir none
cp models/41.off none
duplicates run --add none
mkdir changed
cp models/3.off changed/41.off
cp models/3.off changed/new.off
duplicates run --add changed
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
