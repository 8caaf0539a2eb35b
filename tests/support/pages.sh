# Sourced by tests: compares the pages of the run in the folder `made` with `eval` and `compare`.

# page NAME: prints class, queries and five figures of each row that is no group
page() {
    sed -n '/<tbody>/,$p' "made/report/$1.html" |
        sed -nE 's|^<tr><th scope="row" class="depth-[0-9]+"><span class="path">([^<]*)</span><a href="[^"]*">([^<]*)</a></th>(.*)</tr>$|\1\2 \3|p' |
        sed -e 's| / |___|g' -e 's|</*td>| |g' | awk '{ $1 = $1; print }'
}
# check_classes NAME N: compares every row's figures with eval's, checks the sum of the rows' queries, and the figures of
# the class pages, where NAME is the N-th descriptor
check_classes() {
    page "$1" | cut -d ' ' -f 1,3- >pages
    "$PSBENCH" eval made "$1" --per class | awk 'NR > 2 && NF == 0 { exit } NR > 2' | sed 's| / |___|g' |
        awk '{ $1 = $1; print }' | cmp - pages && echo "$1: $(wc -l <pages) classes are the same"
    "$PSBENCH" eval made "$1" -m dcg |
        grep -q " $(page "$1" | awk '{ sum += $2 } END { print sum }') queries" ||
        echo "$1: the rows' queries are not all"
    page "$1" | cut -d ' ' -f 2- >pages
    judged "$2" | cmp - pages || echo "$1: the class pages have other figures"
}
# judged N: prints queries and figures of the classes, as the script of the class pages has them for the
# N-th descriptor
judged() {
    sed -nE 's/^\[[0-9]+,0,([0-9]+),\[\[(.*)\]\]\],?$/\1 \2/p' made/report/data/judged.js |
        awk -v which="$1" '{ split($2, by, "\\],\\["); split(by[which], f, ",")
            print $1, f[1], f[2], f[3], f[4], f[5] }'
}

# check_pairs: compares the marks of differences between two descriptors with those of `compare`.
check_pairs() {
    "$PSBENCH" compare made -f tsv |
        awk -F'\t' 'NR > 1 { print $1, $2, $9 < 0.001 ? "***" : $9 < 0.01 ? "**" : $9 < 0.05 ? "*" : "-"
            if (($10 != "no") != ($9 < 0.05)) print "verdict and p disagree" }' | sort >compared
    sed -n '/<table id="pairs"/,/<\/table>/p' made/report/index.html |
        sed -n -e 's|^<tr><th scope="row"><a href="[^"]*">\([^<]*\)</a></th>|\1|p' |
        sed -e 's|</tr>$||' -e 's|<td></td>|<td>0<span class="mark">-</span></td>|' \
            -e 's|<span class="mark"></span>|<span class="mark">-</span>|g' \
            -e 's|<td><a [^>]*>[^<]*</a><span class="mark">\([^<]*\)</span></td>| \1|g' \
            -e 's|<td>0<span class="mark">-</span></td>| -|g' >marks
    awk 'NR == FNR { name[NR] = $1; next } { for (i = FNR + 1; i < NF; i++) print $1, name[i], $(i + 1) }' \
        marks marks | sort >paged
    cmp compared paged && echo "$(wc -l <paged) pairs have the same mark, $(grep -c '\*' paged) of them one"
}

# check_pages TABLE: checks the pages of all descriptors of the run's table
check_pages() {
    local name number=0
    for name in $(tail -n +2 "$1" | cut -f 1); do
        number=$((number + 1))
        check_classes "$name" "$number"
    done
    check_pairs
}

# front PAGE: prints, sorted, the rows of the front page's table: the descriptor, five figures as reproduced, and normalized
# DCG; if the page has published figures, also the published normalized DCG and the difference
front() {
    local published=no
    ! grep -q 'title="published"' "$1" || published=yes
    sed -n '/<table id="retrieval"/,/<\/table>/p' "$1" |
        sed -nE 's|^<tr><th scope="row"><a href="[^"]*">([^<]*)</a>( <span class="chip">given</span>)?</th>(.*)</tr>$|\1\3|p' |
        sed -e 's|</td>||g' -e 's|<td[^>]*>|\t|g' |
        if [[ $published == yes ]]; then cut -f 1,2,6,10,14,18,22-24; else cut -f 1,2,4,6,8,10,12; fi | sed 's/+//g' | sort
}

# of_table TABLE.json: prints the same from the table for programs
of_table() {
    sed -n 's/^\t\t\t"\([a-z_]*\)":\t\(.*\)$/\1 \2/p' "$1" | tr -d '",' | awk '
        function shown(x) { x = sprintf("%.1f", x); return x == "-0.0" ? "0.0" : x }
        $1 == "descriptor" { name = $2; row[++n] = name }
        { all[name, $1] = $2; published = published || ($1 == "normalized_dcg_published" && $2 != "null") }
        END {
            split("nearest_neighbor first_tier second_tier e_measure dcg normalized_dcg normalized_dcg_published normalized_dcg_difference", names)
            for (i = 1; i <= n; i++) {
                line = row[i]
                for (k = 1; k <= (published ? 8 : 6); k++) {
                    x = all[row[i], names[k]]
                    line = line "\t" (x == "" || x == "null" ? "" : shown(x))
                }
                print line
            }
        }' | sort
}
