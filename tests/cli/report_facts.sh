# The pages show what the run knew: those that `table4` makes and those that a later process makes
# from the folder are the same bytes, and none of it comes from the files of the table.
"$PSBENCH" synth -q bench >/dev/null
"$PSBENCH" table4 -q -d SHELLS,D2,EGI,GEDT:width=2 --psb bench -o run >/dev/null
cp -r run/report first
"$PSBENCH" report -q run && diff -r first run/report && echo "a later report is the same"
mkdir table && mv run/table4.* table
"$PSBENCH" report -q run && diff -r first run/report && echo "and needs no table"

# figures PAGE: here of the five figures, then normalized DCG here, published and difference
figures() {
    sed -n '/<table id="retrieval"/,/<\/table>/p' "$1" |
        sed -nE 's|^<tr><th scope="row"><a href="[^"]*">([^<]*)</a></th>(.*)</tr>$|\1\2|p' |
        sed -e 's|</td>||g' -e 's|<td[^>]*>|\t|g' | cut -f 1,2,6,10,14,18,22-24 | sed 's/+//g'
}
figures run/report/index.html >paged
# The same from the table for programs.
sed -n 's/^\t\t\t"\([a-z_]*\)":\t\(.*\)$/\1 \2/p' table/table4.json | tr -d '",' | awk '
    function shown(x) { x = sprintf("%.1f", x); return x == "-0.0" ? "0.0" : x }
    $1 == "descriptor" { name = $2; row[++n] = name }
    { all[name, $1] = $2 }
    END {
        split("nearest_neighbor first_tier second_tier e_measure dcg normalized_dcg normalized_dcg_published normalized_dcg_difference", names)
        for (i = 1; i <= n; i++) {
            line = row[i]
            for (k = 1; k <= 8; k++) {
                x = all[row[i], names[k]]
                line = line "\t" (x == "" || x == "null" ? "" : shown(x))
            }
            print line
        }
    }' | diff - paged && echo "the figures are the table's"
echo "zeros with a sign: $(cat run/report/*.html | grep -c '[-+]0\.0*<')"

echo "without one matrix"
printf x >>run/matrices/D2.matrix
"$PSBENCH" report -q run
echo "exit code $?"
figures run/report/index.html | cut -f 1,7-9
grep -o 'Normalized DCG is taken over [^,;]*' run/report/index.html
