# What README.md and docs/beyond.md show of the benchmark's own models, as they stand there: Table 4, the memory that it asks
# for, Tables 5 and 6 by their commands, and twenty models turned onto others.
if [[ -z ${PSB_DIR:-} ]]; then
    echo "PSB_DIR is not set: what documents show of the benchmark is not compared"
    exit 77
fi
. "$(dirname "${BASH_SOURCE[0]}")/../support/documents.sh"
mkdir home build
HOME=$PWD/home
ln -s "$PSB_DIR" home/psb_v1
ln -s "$PSBENCH" build/

# same WHAT SHOWN PRINTED: without blanks that stand where columns are wider
same() {
    diff <(plain <<<"$2") <(plain <<<"$3") && echo "$1: as the document shows it"
}
psbench table4 -q --no-times --no-report --psb ~/psb_v1 --skip-missing --log made.log -o psb-run >printed
same 'Table 4' "$(sed -n '/^    Princeton Shape Benchmark/,/^    SECTORS, CEGI, EGI, D2 and/p' "$documents/README.md")" "$(sed '/storage, bytes/,$d' printed)"
# The number of threads decides how much memory is asked for in all, not what one takes.
diff <(grep -o 'memory: at most .*' made.log) <(grep -o '^    memory: at most .*' "$documents/docs/operations.md" | sed 's/^ *//') &&
    echo 'its memory: as the document shows it'
while IFS= read -r line; do
    type_line docs/commands.md "$line"
done < <(grep -E '^    build/psbench table[56] ' "$documents/docs/commands.md" | sed 's/^ *//')

psbench duplicates -q -f tsv psb-run | awk -F '\t' '
    NR > 1 {
        models[$1] = models[$1] (models[$1] ? ", " : "") $2
        evidence[$1] = $3
        if (!($1 in least) || $5 < least[$1]) least[$1] = $5
        if ($5 > most[$1]) most[$1] = $5
    }
    END {
        for (g in models)
            printf "| %s | %s | %d%s |\n", models[g], evidence[g], least[g], (most[g] > least[g] ? " to " most[g] : "")
    }' | sort >groups
same 'duplicates' "$(sed -n '/^| models | evidence/,$p' "$documents/docs/duplicates.md" | sed 1,2d | grep -o '^|[^|]*|[^|]*|[^|]*|' | sort)" "$(cat groups)"

# Every other row of LFD, 4,700 bytes each, behind a header of its own.
split -b 4700 -a 3 -d <(tail -c $((905 * 4700)) psb-run/features/LFD.npy) row.
for half in even:0:453 odd:1:452; do
    IFS=: read -r name first count <<<"$half"
    {
        printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' "{'descr': '|u1', 'fortran_order': False, 'shape': ($count, 4700), }"
        for ((i = first; i < 905; i += 2)); do cat "row.$(printf %03d $i)"; done
    } >$name.npy
done
same 'two halves of the test set' "$(grep '^| 453 |' "$documents/docs/generative.md")" \
    "$(psbench generative -q even.npy odd.npy -m lfd -f md | sed -n 's/^| lfd //p')"

tr -d '\r' <"$PSB_DIR/classification/v1/base/train.cla" >train.cla
ln -s "$PSB_DIR/db" db
sed -n "/^    angle=/,/^        done/p" "$documents/docs/beyond.md" >turned.sh
. ./turned.sh >printed
same 'twenty models on others' "$(sed -n '/^| class | A on B/,/^$/p' "$documents/docs/beyond.md" | sed 1,2d | grep .)" "$(cat printed)"
