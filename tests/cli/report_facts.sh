# The pages show what the run knew: those that `table4` makes and those that a later process makes
# from the folder are the same bytes, and none of it comes from the files of the table. A set that is laid out like the paper's
# is not the paper's: nothing published stands beside it (cli/psb_table4 has what does).
. "$(dirname "${BASH_SOURCE[0]}")/../support/few.sh"
"$PSBENCH" synth -q bench >/dev/null
few 4 bench/classification/v1/base/test.cla
"$PSBENCH" table4 -q -d SHELLS,D2,EGI,GEDT:width=2 --psb bench -o run >/dev/null
cp -r run/report first
grep -c published run/table.txt run/report/index.html
"$PSBENCH" report -q run && diff -r first run/report && echo "a later report is the same"
mkdir table && mv run/table.* table
"$PSBENCH" report -q run && diff -r first run/report && echo "and needs no table"

. "$(dirname "${BASH_SOURCE[0]}")/../support/pages.sh"
front run/report/index.html | cut -f 1-7 >paged
of_table table/table.json | diff - paged && echo "the figures are the table's"
echo "zeros with a sign: $(cat run/report/*.html | grep -c '[-+]0\.0*<')"

echo "without one matrix"
printf x >>run/matrices/D2.matrix
"$PSBENCH" report -q run
echo "exit code $?"
front run/report/index.html | cut -f 1,7
grep -o 'Normalized DCG: relative to [^.;]*' run/report/index.html

echo "with times the foot has a date and the host, without them neither: pages stay the same on another day"
"$PSBENCH" run -q --no-times -d SHELLS --cla bench/classification/v1/base/test.cla --models bench/db --skip-missing -o timeless >/dev/null
"$PSBENCH" report -q timeless
for page in first/index.html timeless/report/index.html; do
    foot=$(grep '<footer>' "$page")
    grep -o "on 20[0-9][0-9]-[0-9][0-9]-[0-9][0-9], on $(uname -n)" <<<"$foot" | wc -l
done
