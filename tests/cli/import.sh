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

# Helpers that crash, hang, hunger or lie, in the place of the real one.
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
# shellcheck disable=SC2016
helper 'kill -SEGV $$'
helper 'exit 1'
helper 'echo nonsense that is longer than any answer begins, forty bytes and more'
# shellcheck disable=SC2016
helper 'kill -KILL $$'
helper "printf 'psbmesh1'; head -c 8 /dev/zero; head -c 24 /dev/zero | tr '\\0' '\\377'"
helper "printf 'psbmesh1'; head -c 8 /dev/zero; printf '\\003\\0\\0\\0\\0\\0\\0\\0\\001\\0\\0\\0\\0\\0\\0\\0\\001\\0\\0\\0\\0\\0\\0\\0abc'"
helper "printf 'psbmesh1'; head -c 8 /dev/zero; printf '\\001\\0\\0\\0\\0\\0\\0\\0\\001\\0\\0\\0\\0\\0\\0\\0\\001\\0\\0\\0\\0\\0\\0\\0'; head -c 24 /dev/zero; printf '\\001\\0\\0\\0\\001\\0\\0\\0\\001\\0\\0\\0'"
# It answers, or closes its end, and does not end.
helper "printf 'psbmesh1'; head -c 8 /dev/zero; head -c 24 /dev/zero | tr '\\0' '\\377'; sleep 1000"
helper "exec >&-; sleep 1000"
helper "printf 'psbmesh1\\005\\0\\0\\0\\0\\0\\0\\0'; head -c 24 /dev/zero; printf 'a\\033\\nbc'"
rm bin/psbench-import
PATH=/nowhere "$PSBENCH" info models/m1.gltf 2>&1

# In a run it costs that model, and no more: the rest is described.
printf 'PSB 1\n1 3\nthings 0 3\n1\n2\n3\n' >all.cla
cp data/info/cube.off models/m2.off
cp data/info/two_parts.off models/m3.off
# shellcheck disable=SC2016
for work in 'while :; do :; done' 'sleep 1000' 'exec perl -e "\$n = 3e9; sleep 1; \$x = q(a) x \$n; sleep 1000"'; do
    printf '#!/bin/sh\n%s\n' "$work" >bin/psbench-import
    chmod +x bin/psbench-import
    "$PSBENCH" run -q --max-seconds 1 -d SHELLS --cla all.cla --models models -o run >/dev/null 2>&1
    echo "exit code $?"
    cut -f 1,4 run/failures.tsv
    rm -r run
done
cp "$real" bin/psbench-import
"$PSBENCH" run -q -d SHELLS --cla all.cla --models models -o run >/dev/null
echo "exit code $?"
grep -c . run/models.cla
