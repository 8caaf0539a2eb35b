# Meshes from format to format: the same features in every one, and what cannot be written is said.
try() {
    "$PSBENCH" convert "$@"
    echo "$?: convert $*"
}
"$PSBENCH" synth set >/dev/null
model=$(find set -name '*.off' | sort | sed -n 5p)
try "$model" a.obj
try "$model" a.ply
try --encoding big "$model" big.ply
try --encoding text "$model" text.ply
try --encoding text "$model" text.stl
try a.obj back.off
try "$model" a.stl
try --float --encoding big "$model" float.ply
gzip -k a.obj text.ply
# Equal geometry, equal rows: D2 too, for the triangles keep their order.
row() {
    cp "$2" "model.${2#*.}"
    "$PSBENCH" describe -d "$1" "model.${2#*.}" | cut -f 2-
    rm "model.${2#*.}"
}
specs='LFD REXT SHD GEDT EXT SECSHEL VOXEL SECTORS CEGI EGI D2 SHELLS'
# Under valgrind and sanitizers, where each takes long, a few show that the readers are fine.
[[ -z ${MEMCHECK:-} && $PSBENCH != */asan/* ]] || specs='SHD D2 SHELLS'
for spec in $specs; do
    row "$spec" "$model" >expected
    for file in a.obj a.ply big.ply text.ply back.off a.obj.gz text.ply.gz; do
        row "$spec" $file | cmp -s - expected || echo "$spec of $file differs"
    done
    # Rounded to single precision, and with other vertices where seams were welded: within 1e-4 of
    # the row's largest number. D2 picks points by sums of areas: rounding may move one to the
    # next triangle, and a distance from bin to bin. The light field has whole numbers.
    [[ $spec == D2 || $spec == LFD ]] && continue
    for file in a.stl text.stl float.ply; do
        row "$spec" $file | paste -d '\n' - expected | awk -v name="$spec of $file" '
            NR == 1 { n = split($0, a, "\t") }
            NR == 2 {
                split($0, b, "\t")
                for (i = 1; i <= n; i++) {
                    difference = a[i] > b[i] ? a[i] - b[i] : b[i] - a[i]
                    worst = difference > worst ? difference : worst
                    largest = b[i] > largest ? b[i] : largest
                }
                if (worst > 1e-4 * largest) print name, "differs by", worst, "of", largest
            }'
    done
done
ls -- *.*

# What goes wrong is named, and leaves no file.
mkdir wrong
try "$model"
try "$model" wrong/a.xyz
try "$model" wrong/a.obj.gz
try --encoding middle "$model" wrong/a.ply
try --encoding big "$model" wrong/a.stl
try --encoding little "$model" wrong/a.obj
cp "$model" same.off
ln -s same.off link.off
try same.off link.off
try same.off same.off
cmp same.off "$model" && echo "it is still there"
try data/ply_bad/tristrips_index.ply wrong/a.off
try absent.obj wrong/a.off
try same.off absent/a.off
printf 'OFF 3 1 0\n1e300 0 0\n0 0 0\n0 1 0\n3 0 1 2\n' >huge.off
try huge.off wrong/a.stl
try --float huge.off wrong/a.ply
ls wrong
