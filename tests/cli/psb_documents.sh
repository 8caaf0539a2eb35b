# What documents show of the benchmark's own models beside Table 4 (psb_table4), as it stands there: Tables 5 and 6 by
# their commands, like models, two halves of the test set beside each other, and twenty models turned onto others.
# Long: a minute of a processor, for figures of documents.
. "$(dirname "${BASH_SOURCE[0]}")/../support/documents.sh"
with_benchmark 'what documents show of its models is not compared'
psbench table4 -q --no-times --psb ~/psb_v1 --skip-missing --no-report -o run-psb >/dev/null
while IFS= read -r line; do
    type_line docs/commands.md "$line"
done < <(grep -E '^    build/psbench table[56] ' "$documents/docs/commands.md" | sed 's/^ *//')

psbench duplicates -q -f tsv run-psb | awk -F '\t' '
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
split -b 4700 -a 3 -d <(tail -c $((905 * 4700)) run-psb/features/LFD.npy) row.
for half in even:0:453 odd:1:452; do
    IFS=: read -r name first count <<<"$half"
    {
        printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' "{'descr': '|u1', 'fortran_order': False, 'shape': ($count, 4700), }"
        for ((i = first; i < 905; i += 2)); do cat "row.$(printf %03d $i)"; done
    } >$name.npy
done
same 'two halves of the test set' "$(grep '^| 453 |' "$documents/docs/generative.md")" \
    "$(psbench generative -q even.npy odd.npy --metric lfd -f md | sed -n 's/^| lfd //p')"

"$documents/bench/turned.sh" "$PSBENCH" "$PSB_DIR" >printed
same 'twenty models on others' "$(sed -n '/^| class | A on B/,/^$/p' "$documents/docs/beyond.md" | sed 1,2d | grep .)" "$(cat printed)"
