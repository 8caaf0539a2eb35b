# One descriptor of single files, printed or written; a mesh that cannot be described is named.
try() {
    "$PSBENCH" describe "$@" 2>err
    echo "exit code $?"
    sed -E 's/there are .*/there are .../' err >&2
    rm err
}
"$PSBENCH" describe -d SHELLS data/info/cube.off data/info/two_parts.off |
    awk -F'\t' '{ print $1 ":", NF - 1, "numbers" }'
# The row is the same whatever is described before it, and for the same mesh in another spelling.
"$PSBENCH" describe -d D2 data/off_good/plain.off >alone.txt
"$PSBENCH" describe -d D2 data/info/cube.off data/off_good/plain.off | tail -n 1 |
    diff alone.txt - && echo "the same behind another"
mkdir other
for name in cr bom coff homogeneous no_keyword; do
    cp "data/off_good/$name.off" other/plain.off
    "$PSBENCH" describe -d D2 other/plain.off | cut -f 2- |
        diff - <(cut -f 2- alone.txt) && echo "$name: the same"
done
"$PSBENCH" describe -d SHELLS -o rows.npy data/info/cube.off data/info/two_parts.off
head -c 128 rows.npy | tail -c 118 | sed 's/ *$//'
wc -c <rows.npy

try
try -d nonesuch data/info/cube.off
try -d GEDT:width=0 data/info/cube.off
try -d SHELLS absent.off
try -d SHELLS data
try -d SHELLS data/info/no_area.off
try -d SHELLS data/off_bad/index_too_large.off
try -d SHELLS -o kept.npy data/info/cube.off data/off_bad/coordinate_nan.off
try -d SHELLS -o rows.npy/below data/info/cube.off
printf 'OFF 3 1 0\n1e300 0 0\n-1e300 0 0\n0 1e300 0\n3 0 1 2\n' >huge.off
printf 'OFF 3 1 0\n1e-200 0 0\n0 0 0\n0 1e-200 0\n3 0 1 2\n' >tiny.off
printf 'OFF 3 1 0\n1e9 0 0\n1e9 0 0\n1e9 0 0\n3 0 1 2\n' >point.off
try -d SHELLS huge.off
try -d SHELLS tiny.off
try -d SHELLS point.off
ls
