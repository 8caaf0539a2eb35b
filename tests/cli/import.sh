# Formats that psbench-import reads: what goes wrong there costs one model, named with its reason.
if [[ -n ${MEMCHECK:-} ]] || "$PSBENCH" version | grep -q 'assimp *none'; then
    echo "psbench-import is not there, or under valgrind cannot be replaced"
    exit 77
fi
mkdir models
# A scene that refers to a model.
printf 'v 0 0 0\nv 2 0 0\nv 0 3 0\nf 1 2 3\n' >models/triangle.obj
printf '%s\n' LWSC 3 '' 'FirstFrame 1' 'LastFrame 60' 'FramesPerSecond 30' '' 'LoadObjectLayer 1 triangle.obj' \
    'ShowObject 7 -1 0.4 0.9 0.9' >models/m1.lws
"$PSBENCH" convert models/m1.lws m1.off && cat m1.off
# A format in one file is read packed, too, and under a name that looks like an option.
printf '%s\n' '0 0 0 1 0 0 0 1 0' '0 0 0 0 1 0 0 0 1' >-a.raw
"$PSBENCH" convert -- -a.raw a.off && cat a.off
gzip -c -- -a.raw >b.raw.gz
"$PSBENCH" convert b.raw.gz b.off && cmp a.off b.off && echo "packed the same"

try() {
    "$PSBENCH" info "$1" 2>&1 >/dev/null | sed -E 's/assimp: .*/assimp: .../'
    echo "exit code ${PIPESTATUS[0]}"
}
printf 'FBX junk' >junk.fbx
try junk.fbx
: >nothing.fbx
try nothing.fbx

# assimp logs what it leaves out as an error, and goes on: that is an error of the model.
for node in a b; do
    printf '%s\n' '*3DSMAX_ASCIIEXPORT 200' '*GEOMOBJECT {' '*NODE_NAME "a"' "*NODE_TM { *NODE_NAME \"$node\" }" \
        '*MESH {' '*MESH_NUMVERTEX 3' '*MESH_NUMFACES 1' '*MESH_VERTEX_LIST {' '*MESH_VERTEX 0 0 0 0' '*MESH_VERTEX 1 1 0 0' \
        '*MESH_VERTEX 2 0 1 0' '}' '*MESH_FACE_LIST {' \
        '*MESH_FACE 0: A: 0 B: 1 C: 2 AB: 1 BC: 1 CA: 1 *MESH_SMOOTHING *MESH_MTLID 0' '}' '}' '}' >node.ase
    try node.ase
done

# Where a file refers to is looked for beside the model and below its folder, and nowhere else.
mkdir -p beside/below
cp models/triangle.obj beside
cp models/triangle.obj beside/below/more.obj
cp models/triangle.obj outside.obj
for name in triangle.obj below/more.obj ../outside.obj "$PWD/outside.obj" nothing.obj; do
    sed "s,triangle\.obj,$name," models/m1.lws >beside/m.lws
    "$PSBENCH" convert beside/m.lws beside.off 2>/dev/null
    code=$?
    echo "${name/#"$PWD"/...}: exit code $code"
    [[ $code -ne 0 ]] || cmp m1.off beside.off
done
rm -r beside

# The same rows of a folder and of an archive, where these are read.
archive=models.tar
"$PSBENCH" version | grep -q 'archives *none' && archive=models
printf 'PSB 1\n1 3\nthings 0 3\nm1\nm2\nm3\n' >one.cla
cp data/info/cube.off models/m2.off
cp data/info/two_parts.off models/m3.off
(cd models && tar cf ../models.tar m1.lws m2.off m3.off triangle.obj)
for set in models $archive; do
    "$PSBENCH" run -q --no-times --matrices no -d SHELLS --cla one.cla --models $set -o run >/dev/null
    sha256sum <run/features/SHELLS.npy
    rm -r run
done | uniq -c | sed 's/ *\([0-9]*\) .*/\1 runs, one result/'

# Who does without the other program says so, and is told of each model.
"$PSBENCH" info --import no models/m1.lws 2>&1
echo "exit code $?"
"$PSBENCH" info --import perhaps models/m1.lws 2>&1 | head -1

# Programs that crash, hang, hunger or lie, in the place of the real one.
real=$(dirname "$(readlink -f "$PSBENCH")")/psbench-import
mkdir bin
cp "$(readlink -f "$PSBENCH")" bin/psbench
PSBENCH=bin/psbench
helper() {
    printf '#!/bin/sh\n%s\n' "$1" >bin/psbench-import
    chmod +x bin/psbench-import
    "$PSBENCH" info models/m1.lws 2>&1
    echo "exit code $?"
}
# message KIND LENGTH VERTICES TRIANGLES POLYGONS WALLS: a command that prints it
message() {
    echo "perl -e 'print \"psbmesh2\", pack(q(Q<6), $1, $2, $3, $4, $5, $6)'"
}
# shellcheck disable=SC2016
helper 'kill -SEGV $$'
helper 'exit 1'
helper 'echo nonsense that is longer than any answer begins, sixty bytes and then even some more'
# shellcheck disable=SC2016
helper 'kill -KILL $$'
helper "$(message 0 0 '~0' '~0' '~0' 1)"
helper "$(message 0 0 3 1 1 1); printf abc"
helper "$(message 0 0 1 1 1 1); head -c 24 /dev/zero; printf '\\001\\0\\0\\0\\001\\0\\0\\0\\001\\0\\0\\0'"
helper "$(message 7 0 0 0 0 1)"
helper "$(message 3 5000 0 0 0 1); head -c 5000 /dev/zero"
helper "$(message 3 4 0 0 0 1); printf 'a\\0bc'"
# It answers, and does not end.
helper "$(message 0 0 '~0' '~0' '~0' 1); sleep 1000"
helper "$(message 1 6 0 0 0 1); printf 'a\\033\\nbcd'"
# It had no memory though it had not yet what it may have; its kernel has no walls.
helper "$(message 2 9 0 0 0 1); printf 'no memory'"
helper "$(message 1 6 0 0 0 0); printf 'broken'"
# It never has done with asking: one process, as the real one is.
helper "exec perl -e '\$| = 1; while (1) { print \"psbmesh2\", pack(q(Q<6), 3, 6, 0, 0, 0, 1), \"m2.lws\"; sysread STDIN, \$_, 8 }'"
# It answers at the end of its life, though it has closed its line long before.
helper 'exec >&- <&-; perl -e "select undef, undef, undef, 1.3"; kill -SEGV $$'
rm bin/psbench-import
PATH=/nowhere "$PSBENCH" info models/m1.lws 2>&1
echo "exit code $?"

# In a run it costs that model, and no more: the rest is described.
printf 'PSB 1\n1 3\nthings 0 3\n1\n2\n3\n' >all.cla
# shellcheck disable=SC2016
for work in 'while :; do :; done' 'sleep 1000' 'exec >&- <&-; sleep 1000' 'kill -SYS $$'; do
    printf '#!/bin/sh\n%s\n' "$work" >bin/psbench-import
    chmod +x bin/psbench-import
    "$PSBENCH" run -q --max-seconds 1 -d SHELLS --cla all.cla --models models -o run >/dev/null 2>&1
    echo "exit code $?"
    cut -f 1,4 run/failures.tsv
    rm -r run
done
# What is no fault of the model's ends the run.
# shellcheck disable=SC2016
for work in 'kill -KILL $$' ''; do
    rm -f bin/psbench-import
    [[ -z $work ]] || printf '#!/bin/sh\n%s\n' "$work" >bin/psbench-import
    [[ -z $work ]] || chmod +x bin/psbench-import
    PATH=/nowhere "$PSBENCH" run -q -d SHELLS --cla all.cla --models models -o run 2>&1 | sed 's/; .*//'
    echo "exit code ${PIPESTATUS[0]}"
    [[ ! -e run/table.txt ]] || echo 'a table'
    rm -r run
done
"$PSBENCH" run -q --import no -d SHELLS --cla all.cla --models models -o run >/dev/null 2>&1
echo "exit code $?"
rm -r run
cp "$real" bin/psbench-import
"$PSBENCH" run -q -d SHELLS --cla all.cla --models models -o run >/dev/null
echo "exit code $?"
grep -c . run/models.cla
