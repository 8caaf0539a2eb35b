# What the pages of a report say of classes and of pairs is what `eval` and `compare` say, also where
# classes with models have classes below them.
# Plain build only: its figures are compared; the commands are those of other tests.
"$PSBENCH" synth -q bench >/dev/null
# The built-in classification, where a class without models takes over those of the first below it.
awk 'NR < 3 || NF == 0 { next }
    NF == 3 { n++; name[n] = $1; parent[n] = $2; count[n] = $3; next }
    { models[n] = models[n] $1 "\n"; total++ }
    END {
        for (c = n; c > 0; c--)
            if (count[c] == 0 && parent[c + 1] == name[c] && count[c + 1] > 0 && !gone[c + 1]) {
                count[c] = count[c + 1]; models[c] = models[c + 1]; gone[c + 1] = 1
                for (d = 1; d <= n; d++) if (parent[d] == name[c + 1]) parent[d] = name[c]
            }
        for (c = 1; c <= n; c++) left += !gone[c]
        printf "PSB 1\n%d %d\n", left, total
        for (c = 1; c <= n; c++) if (!gone[c]) printf "\n%s %s %d\n%s", name[c], parent[c], count[c], models[c]
    }' bench/classification/v1/base/test.cla >nested.cla
"$PSBENCH" run -q --no-times -d all --cla nested.cla --models bench/db -o made >/dev/null
"$PSBENCH" report -q --thumbnails none made

. "$(dirname "$0")/../support/pages.sh"
check_pages made/table.tsv
grep -c '<tr class="group">' made/report/LFD.html
