# Queries that are none of the targets: a rectangular matrix, features and lists of two sets give the
# figures of an independent slow computation. Where both sets are the same, nothing changes.
. "$(dirname "$0")/../support/two_sets.sh"
"$PSBENCH" synth -q bench >/dev/null
all=bench/classification/v1/base/test.cla

# half REST: the models whose line has that remainder by 3 (0, or 1 and 2); the last class is in neither
# half the same, and the first of the one half is "-1": neither has anything to find
half() {
    awk -v rest="$1" '
        NR > 2 && NF == 3 { n++; class[n] = $1; parent[n] = $2 }
        NR > 2 && NF == 1 && (NR % 3 == 0) == (rest == 0) { models[n] = models[n] $1 "\n"; count[n]++; total++ }
        END {
            for (c = n; count[c] < 2; c--); class[c] = "only_in_" rest
            for (c = 1; count[c] < 2; c++); if (rest == 0) class[c] = "-1"
            printf "PSB 1\n%d %d\n", n, total
            for (c = 1; c <= n; c++) printf "\n%s %s %d\n%s", class[c], parent[c], count[c] + 0, models[c]
        }' $all
}
half 0 >few.cla
half 1 >many.cla
files() {
    awk 'NR > 2 && NF == 1 { print $1 }' "$1" | sort | while read -r id; do
        ls bench/db/*/"m$id/m$id.off"
    done
}
# shellcheck disable=SC2046 # words
"$PSBENCH" describe -q -d SHELLS -o few.npy $(files few.cla)
# shellcheck disable=SC2046
"$PSBENCH" describe -q -d SHELLS -o many.npy $(files many.cla)

echo '== two sets'
judge few.cla many.cla few.npy many.npy

echo '== the other way round'
judge many.cla few.cla many.npy few.npy

echo '== one set, named twice: as with one'
"$PSBENCH" distance -q -o many.matrix many.npy
figures many.cla many.matrix >once
figures --queries many.cla --targets many.cla many.matrix | cmp - once && echo "the same"
"$PSBENCH" distance -q -o square.npy many.npy many.npy
cp many.cla again.cla
# Here queries are told by their names, and no class is too small for an average.
"$PSBENCH" eval -q --per model -f tsv --queries many.cla --targets again.cla square.npy >by_name
"$PSBENCH" eval -q --per model -f tsv many.cla many.matrix | tail -n +2 | grep -vFxf by_name | wc -l

echo '== refused'
tell() {
    "$@" 2>&1
    echo "exit code $?"
}
tell "$PSBENCH" eval --queries few.cla many.npy
tell "$PSBENCH" eval --queries few.cla --targets many.cla
tell "$PSBENCH" eval --queries few.cla --targets many.cla absent.npy
tell "$PSBENCH" eval --queries few.cla --targets many.cla many.matrix | sed 's/ [0-9][0-9]* queries/ some queries/'
tell "$PSBENCH" eval --queries few.cla --targets many.cla square.npy 2>&1 | grep -c 'no row for\|are no models of'
tell "$PSBENCH" eval --queries few.cla --targets many.cla --metric l2 few.npy
tell "$PSBENCH" eval --queries few.cla --targets many.cla --metric l2 --memory 1K few.npy,many.npy 2>&1 | grep -c 'do not fit into 1024'
printf 'PSB 1\n1 2\nstrange 0 2\nx\ny\n' >strange.cla
printf '1 2\n3 4\n' >strange.txt
tell "$PSBENCH" eval --queries strange.cla --targets many.cla strange.txt | sed 's/2 x [0-9]*/2 x many/'
awk 'BEGIN { for (q = 0; q < 2; q++) { for (t = 0; t < '"$(wc -l <many.npy.ids)"'; t++) printf "1 "; print "" } }' >strange.txt
tell "$PSBENCH" eval -q --queries strange.cla --targets many.cla strange.txt
tell "$PSBENCH" distance few.npy many.npy few.npy -o x.npy
tell "$PSBENCH" distance few.npy many.npy -o few.npy
tell "$PSBENCH" distance -q few.npy many.npy -o two.npy
"$PSBENCH" describe -q -d SHD -o other.npy bench/db/0/m0/m0.off
tell "$PSBENCH" distance few.npy other.npy -o two.npy
