# A smaller classification, for tests whose work grows with the models and whose questions do not.
# few EACH FILE: replaces the .cla by one with the same classes and the first EACH models of each
few() {
    awk -v each="$1" '
        NR <= 2 || !NF { next }
        NF == 3 { n++; name[n] = $1 " " $2; count[n] = 0; next }
        count[n] < each { count[n]++; models[n] = models[n] $1 "\n"; total++ }
        END {
            printf "PSB 1\n%d %d\n", n, total
            for (c = 1; c <= n; c++) printf "\n%s %d\n%s", name[c], count[c], models[c]
        }' "$2" >"$2.few" && mv "$2.few" "$2"
}
