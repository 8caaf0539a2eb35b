# A report of which nothing changed is known by its key, with matrices and without; a changed page, option, model, row or
# class makes the pages anew. A report that makes pages also makes the maps that are gone, which shows here what it did.
. "$(dirname "${BASH_SOURCE[0]}")/../support/few.sh"
"$PSBENCH" synth -q bench >/dev/null
some 4 6 0 bench/classification/v1/base/test.cla >set.cla
runs() {
    for run in yes no; do
        "$PSBENCH" run -q --no-times -d D2,SHELLS --cla set.cla --models bench/db --matrices $run -o $run "$@" >/dev/null
    done
}
report() {
    for run in yes no; do
        rm -f $run/maps/*
        "$PSBENCH" report -q "$@" $run
        echo "$run $?: $(find $run/maps -name '*.npy' | wc -l) maps made"
    done
}
same() { diff -r first-yes yes/report && diff -r first-no no/report && echo "the pages are the first ones"; }
runs
report
cp -r yes/report first-yes
cp -r no/report first-no
echo "nothing changed"
report -t 1
same
echo "a page is gone, one edited, one of the user's beside them"
rm {yes,no}/report/models.html
report
printf x | tee -a {yes,no}/report/data/D2/0.js >/dev/null
report
same
touch {yes,no}/report/mine.html
report
rm {yes,no}/report/mine.html
echo "other options, and again; those of before"
report --paths
report --paths
report --verify --paths
report
same
echo "a model has another time"
mapfile -t ids < <(sed -n '/^[0-9][0-9]*$/p' set.cla)
file() { echo "bench/db/$((ids[$1] / 100))/m${ids[$1]}/m${ids[$1]}.off"; }
touch "$(file 3)"
report
report
same
echo "other rows"
cp "$(file 0)" kept.off && cp "$(file 13)" "$(file 0)" && cp kept.off "$(file 13)"
runs
report
same | grep -c '^Only\|differ'
report
echo "rows that no run made"
printf x >>no/features/D2.npy
report
echo "another class"
sed -i '0,/ 0 6$/s/^[^ ]* 0 6$/renamed 0 6/' set.cla
runs --replace
report
grep -c '"renamed"' {yes,no}/report/data/models.js
report
