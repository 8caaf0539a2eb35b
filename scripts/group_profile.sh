#!/bin/sh
# Prints, as a Markdown table, the DCG of every descriptor of a run by group of models, and how far
# it is from the paper's.
#
#   scripts/group_profile.sh RUN RUN_COARSE RUN_COARSEST COARSER.cla
#
# RUN is a run (psbench run) with the base classification, RUN_COARSE and RUN_COARSEST the same
# models with the coarse and the coarsest one; each must have GEDT and SHELLS. COARSER.cla says
# which models are animals, buildings, furniture, household objects, plants and vehicles: the group
# columns are means over those models of the DCG by base classes.
#
# The paper's Tables 5 and 6 print DCG by group only relative to the mean of its twelve descriptors
# (scripts/published_groups.csv, in percent). GEDT and SHELLS are reproduced closely enough to give
# that mean away, G = DCG / (1 + printed): the mean of both estimates is used. So a descriptor's
# published DCG in a group is G (1 + printed), good to about 0.3. A column's second number is the
# difference from it; the last column is the root mean square of all eight.
set -eu

if [ $# -ne 4 ]; then
    sed -n '2,/^set -eu/{/^#/p;}' "$0" | cut -c3- >&2
    exit 2
fi
published=$(dirname "$0")/published_groups.csv

{
    sed 's/^/published,/' "$published"
    awk 'NF == 3 { group = $1 } NF == 1 { print "member," $1 "," group }' "$4"
    n=0
    for run in "$1" "$2" "$3"; do
        n=$((n + 1))
        table=$run/table.tsv
        [ -e "$table" ] || table=$run/table4.tsv
        awk -F '\t' -v n=$n '
            NR == 1 { for (i = 1; i <= NF; i++) if ($i == "dcg") column = i; next }
            { gsub(/,/, ";", $1); print "mean," n "," $1 "," $column }' "$table"
    done
    for file in "$1"/scores/*.tsv; do
        awk -F '\t' -v stem="$(basename "$file" .tsv)" '
            NR == 1 { for (i = 1; i <= NF; i++) if ($i == "dcg") column = i; next }
            { print "query," stem "," $1 "," $column }' "$file"
    done
} | awk -F , '
    function difference(label, column, name) {
        name = label
        sub(/:.*/, "", name)
        if (!((name, column) in printed)) return ""
        return dcg[label, column] - mean[column] * (1 + printed[name, column])
    }
    BEGIN { columns = split("coarse coarsest animal building furniture household plant vehicle", \
                            names, " ") }
    $1 == "published" && $2 == "descriptor" { for (i = 3; i <= NF; i++) heading[i] = $i; next }
    $1 == "published" { for (i = 3; i <= NF; i++) printed[$2, heading[i]] = $i / 100; next }
    $1 == "member" { group[$2] = $3; next }
    $1 == "mean" && $2 == 1 {
        label = $3
        gsub(/;/, ",", label)
        order[++labels] = label
        stem = label
        gsub(/[:,]/, "-", stem)
        of_stem[stem] = label
        next
    }
    $1 == "mean" { gsub(/;/, ",", $3); dcg[$3, $2 == 2 ? "coarse" : "coarsest"] = $4; next }
    { sum[of_stem[$2], group[$3]] += 100 * $4; count[of_stem[$2], group[$3]]++ }
    END {
        line = "| DCG |"; rule = "|---|"
        for (c = 1; c <= columns; c++) {
            for (l = 1; l <= labels; l++)
                if (c > 2) dcg[order[l], names[c]] = \
                    sum[order[l], names[c]] / count[order[l], names[c]]
            mean[names[c]] = (dcg["GEDT", names[c]] / (1 + printed["GEDT", names[c]]) + \
                              dcg["SHELLS", names[c]] / (1 + printed["SHELLS", names[c]])) / 2
            line = line " " names[c] " |"; rule = rule "---|"
        }
        print line " r.m.s. |"
        print rule "---|"
        for (l = 1; l <= labels; l++) {
            line = "| " order[l] " |"
            squares = 0
            for (c = 1; c <= columns; c++) {
                d = difference(order[l], names[c])
                squares += d * d
                line = line sprintf(" %.1f %+.1f |", dcg[order[l], names[c]], d)
            }
            print line sprintf(" %.2f |", sqrt(squares / columns))
        }
    }'
