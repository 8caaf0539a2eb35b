# glTF: the buffer beside the file, wherever that lies, and what only psbench-import may know to read.
mkdir models
# A triangle twice, once moved and turned by its node; the buffer lies beside the file.
perl -e 'print pack("f<9v3", 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 1, 2)' >models/triangle.bin
cat >models/m1.gltf <<'END'
{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
 "nodes": [{"mesh": 0}, {"translation": [10, 0, 0], "children": [2]},
           {"mesh": 0, "scale": [2, 2, 2], "rotation": [1, 0, 0, 1]}],
 "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
 "buffers": [{"uri": "triangle.bin", "byteLength": 42}],
 "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 6}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                "min": [0, 0, 0], "max": [2, 3, 0]},
               {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"}]}
END
"$PSBENCH" convert models/m1.gltf m1.off
cat m1.off
# The same in one file, packed, too.
perl -e 'local $/; open my $in, "<", "models/m1.gltf" or die; my $json = <$in>; $json =~ s/"uri": "[^"]*", //;
    open my $bin, "<:raw", "models/triangle.bin" or die; my $bytes = <$bin> . "\0\0"; $json .= " " x (-length($json) % 4);
    print pack("a4V3a4", "glTF", 2, 28 + length($json . $bytes), length $json, "JSON"), $json,
        pack("Va4", length $bytes, "BIN\0"), $bytes' >m1.glb
gzip -c m1.glb >packed.glb.gz
for file in m1.glb packed.glb.gz; do
    "$PSBENCH" convert $file other.off && cmp m1.off other.off && echo "$file: the same"
done

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
sets=(models models.tar models.zip)
"$PSBENCH" version | grep -q 'archives *none' && sets=(models models models)
for set in "${sets[@]}"; do
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

# Draco: two triangles as floats and, smaller by .1, as unsigned integers. A file that need not have
# it may say the same without it. Where psbench-import was built without Draco, it says so.
packed() { # NAME TYPE SCALE BYTES MORE BASE64
    cat >"$1.gltf" <<END
{"asset": {"version": "2.0"}, $5
 "nodes": [{"mesh": 0, "scale": [$3, $3, $3]}], "scenes": [{"nodes": [0]}],
 "buffers": [{"byteLength": $4, "uri": "data:application/octet-stream;base64,$6"}],
 "bufferViews": [{"buffer": 0, "byteLength": $4}],
 "accessors": [{"componentType": $2, "count": 4, "type": "VEC3"}, {"componentType": 5125, "count": 6, "type": "SCALAR"}],
 "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1,
    "extensions": {"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {"POSITION": 0}}}}]}]}
END
}
floats=RFJBQ08CAgEAAAACBAEAAQIBAwIBAQAJAwAAAAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAEBAAAAAAAAAAEAAAEBAAACAPw==
whole=RFJBQ08CAgEAAAACBAEAAQIBAwIBAQAEAwAAAQABAQAGAwEQCwEwAwBQgqgA2AAqoAAAAAAeAAAA
packed floats 5126 1 76 '"extensionsRequired": ["KHR_draco_mesh_compression"],' "$floats"
packed optional 5126 1 76 '' "$floats"
packed whole 5123 0.1 57 '"extensionsRequired": ["KHR_draco_mesh_compression", "KHR_mesh_quantization"],' "$whole"
packed broken 5126 1 60 '' "$floats"
cat >unpacked.off <<'END'
OFF
4 2 0
0 0 0
2 0 0
0 3 0
2 3 1
3 0 1 2
3 1 3 2
END
if "$PSBENCH" version | grep -q 'with Draco'; then
    for name in floats optional whole; do
        "$PSBENCH" convert $name.gltf out.off && cmp unpacked.off out.off
    done
    "$PSBENCH" info broken.gltf 2>&1 | grep -q 'broken.gltf: mesh 0 has bytes that are not as KHR_draco_mesh_compression' ||
        "$PSBENCH" info broken.gltf
else
    "$PSBENCH" info floats.gltf 2>&1 | grep -q 'packed by Draco' || "$PSBENCH" info floats.gltf
fi

# An extension that moves triangles is refused by its name where a file requires it.
for name in EXT_meshopt_compression KHR_some_day KHR_materials_clearcoat; do
    sed "s/{\"asset\"/{\"extensionsRequired\": [\"$name\"], \"asset\"/" models/m1.gltf >models/extended.gltf
    "$PSBENCH" info models/extended.gltf 2>&1 | grep "^psbench:"
done

# What others than psbench-import cannot read is named; without it, too.
cp floats.gltf draco.gltf
sed 's/"version": "2.0"/"version": "1.0"/' models/m1.gltf >old.gltf
for file in draco.gltf old.gltf; do
    "$PSBENCH" info --import no $file 2>&1
    echo "exit code $?"
done
mkdir bin
cp "$(readlink -f "$PSBENCH")" bin/psbench
PATH=/nowhere bin/psbench info draco.gltf 2>&1
echo "exit code $?"
printf '#!/bin/sh\n%s\n' "perl -e 'print \"psbmesh2\", pack(q(Q<6), 1, 6, 0, 0, 0, 1), q(broken)'" >bin/psbench-import
chmod +x bin/psbench-import
bin/psbench info draco.gltf 2>&1
echo "exit code $?"
