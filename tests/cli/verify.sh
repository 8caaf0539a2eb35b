# Results prove themselves: damage in any file of a run is found by who reads it and by verify, also
# when size and time are as before and work/ is gone; the same command mends it; a table never
# believes a file of scores.
. "$(dirname "$0")/../support/pyramids.sh"
pyramids db 8
printf 'PSB 1\n2 8\na 0 4\n1\n2\n3\n4\nb 0 4\n5\n6\n7\n8\n' >c.cla
run() {
    "$PSBENCH" run -q --no-times -t 1 --models db -d D2,SHELLS --cla c.cla -o run >table.txt
    echo "exit code $?"
}
try() {
    "$PSBENCH" "$@"
    echo "exit code $?"
}
# damage FILE COMMAND...: the command changes its standard input; size and time stay those of before
damage() {
    local file=$1
    shift
    cp -p "$file" whole
    "$@" <whole >damaged
    [[ $(stat -c %s whole) -eq $(stat -c %s damaged) ]] || echo "another size"
    touch -r whole damaged
    cp -p damaged "$file"
}
turn_rows() {
    local head
    head=$(mktemp)
    cat >"$head"
    # The second half of the rows (8 of 4 floats) before the first.
    tail -c 128 "$head"
    head -c 128 "$head"
    rm "$head"
}
run
cp table.txt first.txt
cp -a run first
try verify run

echo '== a matrix whose rows were exchanged'
damage run/matrices/D2.matrix turn_rows
try eval run
try compare run
try eval c.cla run/matrices/D2.matrix
try eval run/models.cla run/matrices/D2.matrix run/matrices/SHELLS.matrix
try eval run D2
try plot -q -o plot run
try export -q -o trec run SHELLS
ls trec
try report -q --thumbnails none run
try verify run
rm -r run/work
try verify run
run
try verify run

echo '== scores with another digit, or none'
damage run/scores/D2.json tr 12345 23451
try verify run | grep -v ^ok
run
cmp table.txt first.txt && echo "the same table"
echo nothing >run/scores/D2.json
run
cmp table.txt first.txt && echo "the same table"
diff -r -x work -x run.json -x provenance.tsv -x report -x maps first run && echo "all the same"

echo '== features, the list, the facts'
damage run/features/D2.npy tr '\000' '\001'
try distance -q -o x.matrix run/features/D2.npy
try verify run | grep -v ^ok
damage run/models.cla tr 1 9
try eval run
try eval c.cla run/matrices/D2.matrix
try report -q run
damage run/models.cla tr 9 1
cp -p first/models.cla run/models.cla
damage run/run.json tr 1 2
try report -q run
rm run/scores/SHELLS.tsv
try verify run | grep -v ^ok
run
try verify run | grep -v ^ok

echo '== nothing to prove anything'
sed -i '/SHELLS.matrix/s/SHELLS/SHELLX/' run/provenance.tsv
try eval run
try verify run
cp -a run bare
rm -r bare/work bare/provenance.tsv
try eval bare
try compare bare
try verify bare
try eval bare/models.cla bare/matrices/D2.matrix
mkdir empty early
try eval empty
: >early/provenance.tsv
try eval early
try cluster early D2
try verify
try verify nowhere
run
cmp table.txt first.txt && echo "the same table"
try verify run
