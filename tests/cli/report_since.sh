# What changed since another run: figures are those of `eval`, the test that of `compare`; models that came or went
# change nothing; what is not common is said.
"$PSBENCH" synth -q bench >/dev/null
. "$(dirname "${BASH_SOURCE[0]}")/../support/few.sh"
some 4 6 0 bench/classification/v1/base/test.cla >set.cla
run() { "$PSBENCH" run -q --no-times "$@" >/dev/null; }
run -d D2 --cla set.cla --models bench/db -o then
mapfile -t ids < <(sed -n '/^[0-9][0-9]*$/p' then/models.cla)
file() { echo "bench/db/$((ids[$1] / 100))/m${ids[$1]}/m${ids[$1]}.off"; }
cp "$(file 0)" kept.off && cp "$(file 13)" "$(file 0)" && cp kept.off "$(file 13)"
run -d D2,SHELLS --cla set.cla --models bench/db -o now
"$PSBENCH" report now --since then
echo "exit code $?"
row() { sed -nE 's|^<tr><th scope="row"><a href="D2.html">D2</a></th>(.*)</tr>$|\1|p' now/report/since.html | sed 's|</td><td>|\t|g; s|</*td>||g'; }
figures() { "$PSBENCH" eval "$1" D2 -m table4 -f tsv | awk 'NR > 1 { for (i = 2; i <= 6; i++) printf "%.1f\t", 100 * $i; print "" }'; }
row | cut -f 1,3,5,7,10 | paste -s | diff - <(figures now | sed 's/\t$//') && row | cut -f 9 | diff - <(figures then | cut -f 5) && echo "figures are those of eval"
"$PSBENCH" compare now/models.cla now=now/matrices/D2.matrix then=then/matrices/D2.matrix -f tsv | tail -n 1 >tested
awk -F '\t' '{ printf "%.4f\n", $8 }' tested | diff - <(row | cut -f 13) && echo "p is that of compare"
grep -o 'q=[0-9]*&amp;d=D2' now/report/since.html | grep -c -e "=${ids[0]}&" -e "=${ids[13]}&"
cp -r now/report again && "$PSBENCH" report -q -t 1 now --since then && diff -r again now/report && echo "one thread: the same pages"
"$PSBENCH" report -q now && ls now/report/*.html
echo "models that came and went"
some 4 6 1 bench/classification/v1/base/test.cla >moved.cla
run -d D2 --cla moved.cla --models bench/db -o moved
"$PSBENCH" report -q moved --since now && sed -n 's/.*<p class="summary">\(.*\)<\/p>/\1/p' moved/report/since.html
echo "nothing changed"
cp -r now same
"$PSBENCH" report -q same --since now && sed -n 's/.*<p class="summary">\(.*\)<\/p>/\1/p' same/report/since.html
echo "what cannot be"
run -d SHELLS --cla set.cla --models bench/db -o other
"$PSBENCH" report -q other --since then
echo "exit code $?"
some 8 6 0 bench/classification/v1/base/test.cla | awk 'NR == 2 { print "4 24"; next } NF == 3 { class++ } NR == 1 || class > 4' >far.cla
run -d D2 --cla far.cla --models bench/db -o far
"$PSBENCH" report -q far --since then
echo "exit code $?"
"$PSBENCH" report -q now --since nowhere
echo "exit code $?"
"$PSBENCH" report set.cla --with then/matrices/D2.matrix --since then -o pages
echo "exit code $?"
