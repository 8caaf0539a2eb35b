# Makes classifications smaller, for tests whose work grows with the models while their questions do not.
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

# some CLASSES EACH FIRST FILE: prints EACH models from number FIRST on of each of the first CLASSES classes with more than
# 7 models
some() {
    awk -v classes="$1" -v each="$2" -v first="$3" 'BEGIN { print "PSB 1\n" classes " " classes * each "\n" }
        NF == 3 && $3 > 7 { class++; left = $3; taken = 0; if (class <= classes) print $1, 0, each; next }
        NF == 1 && left > 0 { left--; if (class <= classes && ++taken > first && taken <= first + each) print }' "$4"
}
