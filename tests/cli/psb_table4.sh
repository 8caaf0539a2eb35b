# The main job on the benchmark's own models: every figure near enough to the published one.
if [ -z "${PSB_DIR:-}" ]; then
    echo "PSB_DIR is not set: the published figures are not compared"
    exit 77
fi
"$PSBENCH" table4 -q --psb "$PSB_DIR" --skip-missing --no-times -o run >/dev/null
root=$(dirname "$0")/../..
# Points of percent by which a figure may differ: nearest neighbor, then the other four.
cat >bars <<'BARS'
LFD 0.4 0.4
SHD 0.6 0.3
GEDT 0.6 0.3
EXT 1.0 0.8
REXT 1.0 0.8
SHELLS 0.3 0.3
D2 2 0.6
SECSHEL 0.8 0.5
VOXEL 0.8 0.5
SECTORS 0.8 0.5
CEGI 0.8 0.5
EGI 0.8 0.5
BARS
awk -v FS='[,\t]' '
    FILENAME ~ /bars$/ { split($0, bar, " "); nn[bar[1]] = bar[2]; rest[bar[1]] = bar[3]; next }
    FNR == 1 { for (i = 1; i <= NF; i++) column[FILENAME, $i] = i; next }
    FILENAME ~ /csv$/ { for (i = 1; i <= NF; i++) published[$1, i] = $i; next }
    !($1 in nn) { print $1 " has no bar"; next }
    {
        split("nearest_neighbor first_tier second_tier e_measure dcg", names, " ")
        for (k = 1; k <= 5; k++) {
            here = $column[FILENAME, names[k]]
            there = published[$1, column[ARGV[2], names[k]]]
            allowed = k == 1 ? nn[$1] : rest[$1]
            off = here > there ? here - there : there - here
            if (off > allowed) print $1, names[k], here, "published", there, "allowed", allowed
        }
        print $1 " compared"
    }' bars "$root/data/published/table4.csv" run/table4.tsv
