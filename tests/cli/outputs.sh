# No output is ever an input, by whatever name, and no file of another kind is replaced, whichever
# command it is: everything that was there before is there afterwards.
"$PSBENCH" synth -q made
mkdir db given
cp made/db/0/m{0,31,62,1,32,63}/*.off db
cp made/db/0/m0/m0.off given/m.off
cp db/m1.off given/photo.png
printf 'PSB 1\n2 6\nchair 0 3\n0\n31\n62\nstool 0 3\n1\n32\n63\n' >given/set.cla
"$PSBENCH" describe -q -d D2 -o given/f.npy db/m{0,31,62,1,32,63}.off
"$PSBENCH" distance -o given/f.matrix given/f.npy
"$PSBENCH" search --queries given/f.npy --database given/f.npy -o given/f.lists
"$PSBENCH" run -q --no-times -d D2 --cla given/set.cla --models db -o run >/dev/null
ln given/f.npy given/hard.npy
ln -s f.npy given/soft.npy
mkdir given/folder
echo thesis >given/folder/thesis
echo thesis >given/text
sums() {
    find given db -type f -exec cksum {} + | sort
}
sums >before

# try WORDS...: a command that would destroy something
try() {
    "$PSBENCH" "$@" </dev/null
    echo "exit code $?: $*"
    sums | diff before - || cp before after
}
try render given/m.off -o given/m.off
try render given/m.off -o ./given/../given/m.off
try describe -d D2 -o given/f.npy given/f.npy
try describe -d D2 -o given/*.off given/m.off
try describe -d D2 -o db/m0.off db/m1.off
try distance -o given/f.npy given/f.npy
try distance -o given/hard.npy given/f.npy
try distance -o given/soft.npy given/f.npy
try distance -o given/f.npy given/soft.npy
try search --queries given/f.npy --database given/hard.npy -o given/f.npy
try search --queries given/f.npy --database given/f.npy --query-cla given/set.cla \
    --database-cla given/set.cla -o given/set.cla
try run -d D2 --cla given/set.cla --models db -o given
try run -d D2 --cla given/set.cla --models db -o db
try run -d D2 --cla given/set.cla --models db -o given/folder
try run -d D2 --cla given/set.cla --models db -o new --log given/set.cla
try run -d D2 --cla given/set.cla --models db -o new --log given/text
try run -d D2 --cla run/models.cla --models db -o run
try table4 -o given/folder
try report run -o given/folder
try report run -o run
try export run -o given/folder
try export run -o given/text
try plot given/set.cla given/f.matrix -o given/f -f plot --title "fine: given/f.plot is new"
mv given/f.matrix given/f.plot
sums >before
try plot given/set.cla given/f.plot -o given/f

echo "of another kind"
for output in given/text given/m.off given/photo.png given/f.lists; do
    try describe -d D2 -o "$output" db/m1.off
    try distance -o "$output" given/f.npy
done
for output in given/text given/photo.png given/f.npy; do
    try render db/m1.off -o "$output"
    try search --queries given/f.npy --database given/f.npy -o "$output"
done
try render db/m1.off -o given/new.jpg

echo "of its own kind, empty, or forced"
: >empty
printf 'a thesis' >forced
cp given/f.npy again.npy
for output in empty again.npy again.npy; do
    "$PSBENCH" describe -d D2 -o "$output" db/m1.off && cmp empty "$output" && echo "$output"
done
"$PSBENCH" describe -d D2 -o forced db/m1.off --force && cmp empty forced && echo forced
"$PSBENCH" run -q --no-times -d D2 --cla given/set.cla --models db -o run >/dev/null && echo run
"$PSBENCH" report -q run && "$PSBENCH" report -q run && echo report
"$PSBENCH" export run -o trec && "$PSBENCH" export run -o trec && echo export

echo "standard output"
"$PSBENCH" describe -d D2 -o - db/m1.off | cmp - empty && echo describe
"$PSBENCH" distance --metric l2 -o - again.npy | wc -c
"$PSBENCH" search --queries again.npy --database again.npy --metric l2 -o - | head -n 1
"$PSBENCH" render db/m1.off -o - | head -c 4 | tail -c 3
echo
for command in "run -d D2 --cla given/set.cla --models db" "export run" "plot run" "report run" table4; do
    # shellcheck disable=SC2086
    try $command -o -
done
ls
