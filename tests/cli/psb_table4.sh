# The main job on the benchmark's own models: every figure near enough to the published one, in tables and pages. Table 4 as
# README.md shows it, and the memory that it asks for.
. "$(dirname "${BASH_SOURCE[0]}")/../support/documents.sh"
with_benchmark 'the published figures are not compared'
psbench table4 -q --no-times --psb ~/psb_v1 --skip-missing --log made.log -o run-psb >printed
same 'Table 4' "$(sed -n '/^    Princeton Shape Benchmark/,/^    SHELLS, as in the paper/p' "$documents/README.md")" "$(sed '/storage, bytes/,$d' printed)"
# The number of threads decides how much memory is asked for in all, not what one takes.
diff <(grep -o 'memory: at most .*' made.log) <(grep -o '^    memory: at most .*' "$documents/docs/operations.md" | sed 's/^ *//') &&
    echo 'its memory: as the document shows it'
ln -s run-psb made
# Points of percent by which a figure may differ: nearest neighbor, then the other four; and what the
# paper printed.
cat >bars <<'BARS'
LFD 0.4 0.4 65.7 38.0 48.7 28.0 64.3
SHD 0.6 0.3 55.6 30.9 41.1 24.1 58.4
GEDT 0.6 0.3 60.3 31.3 40.7 23.7 58.4
EXT 1.0 0.8 54.9 28.6 37.9 21.9 56.2
REXT 1.0 0.8 60.2 32.7 43.2 25.4 60.1
SHELLS 0.3 0.3 22.7 11.1 17.3 10.2 38.6
D2 2 0.6 31.1 15.8 23.5 13.9 43.4
SECSHEL 0.8 0.5 54.6 26.7 35.0 20.9 54.5
VOXEL 0.8 0.5 54.0 26.7 35.3 20.7 54.3
SECTORS 0.8 0.5 50.4 24.9 33.4 19.8 52.9
CEGI 0.8 0.5 42.0 21.1 28.7 17.0 47.9
EGI 0.8 0.5 37.7 19.7 27.7 16.5 47.2
BARS
awk -F '\t' '
    FILENAME ~ /bars$/ { name = $0; sub(/ .*/, "", name); bars[name] = $0; next }
    FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    !($1 in bars) { print $1 " has no bar"; next }
    {
        split("nearest_neighbor first_tier second_tier e_measure dcg", names, " ")
        split(bars[$1], bar, " ")
        for (k = 1; k <= 5; k++) {
            here = $column[names[k]]
            there = bar[3 + k]
            allowed = k == 1 ? bar[2] : bar[3]
            off = here > there ? here - there : there - here
            if (off > allowed) print $1, names[k], here, "published", there, "allowed", allowed
        }
        print $1 " compared"
    }' bars made/table4.tsv

# The pages of the same run; human and wheel are classes with models and with classes below them.
. "$(dirname "${BASH_SOURCE[0]}")/../support/pages.sh"
check_pages made/table4.tsv
of_table made/table4.json | diff - <(front made/report/index.html) && echo "the front page has the table's figures, published ones beside them"
page LFD | grep -E '(^|___)(human|wheel) '

# On a terminal of 80 columns the same figures of each row, in tables below each other.
figures() {
    awk '$1 ~ /^[A-Z0-9]+$/ && $2 ~ /^[-+]?[0-9.]+$/ { for (i = 2; i <= NF; i++) of[$1] = of[$1] " " $i }
        END { for (name in of) print name of[name] }' "$1" | sort
}
if command -v script >/dev/null; then
    TERM=xterm script -qec "stty cols 80; '$PSBENCH' table4 -q --psb '$PSB_DIR' --skip-missing --no-times -o run-psb" /dev/null </dev/null |
        tr -d '\r' >narrow.txt
    awk 'length > 80' narrow.txt
    figures narrow.txt >left
    [[ $(wc -l <left) -eq 12 ]] || echo "$(wc -l <left) rows"
    figures made/table4.txt | cmp - left
fi
