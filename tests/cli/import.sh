# Formats that psbench-import reads: a scene's nodes placed, and whatever goes wrong there costs one
# model, named with its reason.
if [[ -n ${MEMCHECK:-} ]] || "$PSBENCH" version | grep -q 'assimp *none'; then
    echo "psbench-import is not there, or under valgrind cannot be replaced"
    exit 77
fi
mkdir models
# A triangle twice, once moved and turned by its node; the buffer lies beside the file.
perl -e 'print pack("f<9v3", 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 1, 2)' >models/triangle.bin
cat >models/m1.gltf <<'END'
{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
 "nodes": [{"mesh": 0}, {"translation": [10, 0, 0], "children": [2]},
           {"mesh": 0, "scale": [2, 2, 2], "rotation": [0.70710678, 0, 0, 0.70710678]}],
 "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
 "buffers": [{"uri": "triangle.bin", "byteLength": 42}],
 "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 6}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                "min": [0, 0, 0], "max": [2, 3, 0]},
               {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"}]}
END
"$PSBENCH" convert models/m1.gltf m1.off
awk 'NF == 3 { printf "%.4f %.4f %.4f\n", $1 + 0, $2 + 0, $3 + 0; next } 1' m1.off | sed 's/-0\.0000/0.0000/g'
# A format in one file is read packed, too, and under a name that looks like an option.
printf '%s\n' '0 0 0 1 0 0 0 1 0' '0 0 0 0 1 0 0 0 1' >-a.raw
"$PSBENCH" convert -- -a.raw a.off && cat a.off
gzip -c -- -a.raw >b.raw.gz
"$PSBENCH" convert b.raw.gz b.off && cmp a.off b.off && echo "packed the same"

try() {
    "$PSBENCH" info "$1" 2>&1 >/dev/null | sed -E 's/assimp: .*/assimp: .../'
    echo "exit code ${PIPESTATUS[0]}"
}
printf 'glTF junk' >junk.glb
try junk.glb
printf '{"asset": {"version": "2.0"}}' >empty.gltf
try empty.gltf
: >nothing.glb
try nothing.glb

# Where a file refers to is looked for beside the model and below its folder, and nowhere else.
mkdir -p beside/below
cp models/triangle.bin beside
cp models/triangle.bin beside/below/more.bin
cp models/triangle.bin outside.bin
mkfifo beside/pipe
ln -s ../outside.bin beside/link
ln -s .. beside/up
for uri in triangle.bin ./triangle.bin below/more.bin ../outside.bin "$PWD/outside.bin" \
    link up/outside.bin pipe below nothing.bin; do
    sed "s,triangle\.bin,$uri," models/m1.gltf >beside/m.gltf
    "$PSBENCH" convert beside/m.gltf beside.off 2>/dev/null
    code=$?
    echo "${uri/#"$PWD"/...}: exit code $code"
    [[ $code -ne 0 ]] || cmp m1.off beside.off
done
rm -r beside

# The same rows, from whatever folder, of a folder and of archives with its files; the buffer that
# lies where the program is called is another.
printf 'PSB 1\n1 3\nthings 0 3\nm1\nm2\nm3\n' >one.cla
cp data/info/cube.off models/m2.off
cp data/info/two_parts.off models/m3.off
(cd models && tar cf ../models.tar m1.gltf m2.off m3.off triangle.bin)
perl -e 'use strict; my ($out, @names) = @ARGV; my ($data, $index, $n) = ("", "", 0);
    for my $name (@names) {
        open my $in, "<:raw", "models/$name" or die; local $/; my $bytes = <$in>;
        my $crc = 0xFFFFFFFF;
        for my $b (unpack "C*", $bytes) { $crc ^= $b; $crc = ($crc >> 1) ^ ($crc & 1 ? 0xEDB88320 : 0) for 1 .. 8 }
        my $head = pack("v5V3v2", 20, 0, 0, 0, 33, $crc ^ 0xFFFFFFFF, length $bytes, length $bytes, length $name, 0);
        $index .= pack("Vv", 0x02014b50, 20) . $head . pack("v3V2", 0, 0, 0, 0, length $data) . $name;
        $data .= pack("V", 0x04034b50) . $head . $name . $bytes; $n++;
    }
    open my $out_file, ">:raw", $out or die;
    print $out_file $data, $index, pack("Vv4V2v", 0x06054b50, 0, 0, $n, $n, length $index, length $data, 0)' \
    models.zip m1.gltf m2.off m3.off triangle.bin
mkdir elsewhere
perl -e 'print pack("f<9v3", 9, 9, 9, 2, 0, 0, 0, 3, 0, 0, 1, 2)' >elsewhere/triangle.bin
here=$PWD psbench=$(readlink -f "$PSBENCH")
for set in models models.tar models.zip; do
    for from in . models elsewhere; do
        (cd "$from" && "$psbench" run -q --no-times --matrices no -d SHELLS --cla "$here/one.cla" \
            --models "$here/$set" -o "$here/run" >/dev/null) || echo "$set from $from: exit code $?"
        sha256sum <run/features/SHELLS.npy
        rm -r run
    done
done | uniq -c | sed 's/ *\([0-9]*\) .*/\1 runs, one result/'

# Another buffer is another model, for a run that goes on where one ended, too.
rows() {
    "$PSBENCH" run -q --no-times --matrices no -d SHELLS --cla one.cla --models changing -o run >/dev/null
    sha256sum <run/features/SHELLS.npy
}
mkdir changing
cp models/* changing
first=$(rows)
[[ $(rows) == "$first" ]] && echo 'the same buffer, the same rows'
cp elsewhere/triangle.bin changing
second=$(rows)
rm -r run
[[ $second != "$first" && $second == "$(rows)" ]] && echo 'another buffer, other rows'
rm -r run

# Who does without the other program says so, and is told of each model.
"$PSBENCH" info --import no models/m1.gltf 2>&1
echo "exit code $?"
"$PSBENCH" info --import perhaps models/m1.gltf 2>&1 | head -1

# Programs that crash, hang, hunger or lie, in the place of the real one.
real=$(dirname "$(readlink -f "$PSBENCH")")/psbench-import
mkdir bin
cp "$(readlink -f "$PSBENCH")" bin/psbench
PSBENCH=bin/psbench
helper() {
    printf '#!/bin/sh\n%s\n' "$1" >bin/psbench-import
    chmod +x bin/psbench-import
    "$PSBENCH" info models/m1.gltf 2>&1
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
# It never has done with asking.
helper "while :; do $(message 3 7 0 0 0 1); printf m2.gltf; head -c 8 >/dev/null; done"
rm bin/psbench-import
PATH=/nowhere "$PSBENCH" info models/m1.gltf 2>&1
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
