# A run's folder has one list of methods: what an earlier command left stays in the table, the report,
# combine's table and wherever else methods are shown, and the run says so.
. "$(dirname "${BASH_SOURCE[0]}")/../support/flip.sh"
. "$(dirname "${BASH_SOURCE[0]}")/../support/few.sh"
"$PSBENCH" synth -q bench >/dev/null
base=bench/classification/v1/base
some 6 3 0 $base/test.cla >few.cla && mv few.cla $base/test.cla
make() { # make RUN OPTION...
    "$PSBENCH" run --no-times --cla $base/test.cla --models bench/db -o "$@" 2>&1 >/dev/null |
        grep -o 'also has.*\|[^ ]* is no longer in the table.*'
}
show() { # show RUN: the methods in the table, run.json, eval and status
    cut -f 1 "$1/table.tsv" | tail -n +2 | tr '\n' ' '
    sed -n 's/.*"label":	"\(.*\)".*/\1/p' "$1/run.json" | tr '\n' ' '
    "$PSBENCH" eval "$1" -f tsv | cut -f 1 | tail -n +2 | sort | tr '\n' ' '
    echo
}
make run -d SHELLS
make run -d EGI
show run
"$PSBENCH" combine -q run --sum SHELLS=1,EGI=1 --name SUM >/dev/null
show run
"$PSBENCH" report -q run --thumbnails none && ls run/report/*.html
make both -d EGI,SHELLS
"$PSBENCH" combine -q both --sum SHELLS=1,EGI=1 --name SUM >/dev/null
for file in matrices/SUM.matrix scores/SUM.tsv scores/SHELLS.tsv table.tsv table.json; do
    cmp run/$file both/$file && echo "the same $file"
done
"$PSBENCH" verify run | grep -cv '^ok'

echo 'without matrices, and of two sets'
make no -d SHELLS --matrices no
make no -d EGI --matrices no
cut -f 1-3 no/table.tsv | cmp - <(cut -f 1-3 both/table.tsv | grep -v SUM) && echo 'the same'
cp $base/test.cla targets.cla
two() {
    "$PSBENCH" run -q --no-times -d "$2" --queries $base/test.cla --targets targets.cla \
        --models bench/db -o "$1" >/dev/null
}
two one_by_one SHELLS
two one_by_one EGI
two at_once EGI,SHELLS
cmp one_by_one/table.tsv at_once/table.tsv && echo 'the same'

echo 'a method that is not what it was'
flip run/matrices/SHELLS.matrix 40
make run -d EGI
show run
