# Pages of methods over a set without a run: the figures are those of `eval`, the lists and images to the byte those of
# the run that the features are from, and nothing tells where files lie.
"$PSBENCH" synth -q bench >/dev/null
. "$(dirname "${BASH_SOURCE[0]}")/../support/few.sh"
some 5 6 0 bench/classification/v1/base/test.cla >set.cla
"$PSBENCH" run -q --no-times -d SHELLS,D2 --cla set.cla --models bench/db -o run >/dev/null
mkdir deep
cp run/features/D2.npy deep/emb.npy
cp run/features/D2.npy.ids deep/emb.npy.ids
cp run/matrices/SHELLS.matrix deep/other.matrix
"$PSBENCH" cla run/models.cla -o labels.csv

report() { # report NAME ARGUMENT...: and what it says, without the folder
    "$PSBENCH" report "${@:2}" -o "$1" 2>&1 | sed "s|$PWD|HERE|g"
    echo "exit code ${PIPESTATUS[0]}"
}
report page "$PWD/labels.csv" --with mine="$PWD/deep/emb.npy":l2 --with deep/other.matrix
(cd page && find . -type f | grep -v '/[0-9]*\.js$' | LC_ALL=C sort)
grep -rlF "$PWD" page
"$PSBENCH" report -q -t 1 labels.csv --with mine=deep/emb.npy:l2 deep/other.matrix -o again && diff -r page again && echo "one thread, other paths: the same pages"
"$PSBENCH" report -q --paths labels.csv --with mine="$PWD/deep/emb.npy":l2 -o told
grep -lF "$PWD/deep/emb.npy" told/*.html

. "$(dirname "${BASH_SOURCE[0]}")/../support/pages.sh"
front page/index.html | cut -f 2-6 >paged
"$PSBENCH" eval -q labels.csv deep/emb.npy:l2 deep/other.matrix -m table4 -f tsv |
    awk 'NR > 1 { printf "%.1f\t%.1f\t%.1f\t%.1f\t%.1f\n", 100 * $2, 100 * $3, 100 * $4, 100 * $5, 100 * $6 }' |
    diff - paged && echo "the figures are those of eval"

echo "the lists and images of the run that the features are from"
"$PSBENCH" report -q run --thumbnails none
"$PSBENCH" report -q run/models.cla --with SHELLS=deep/other.matrix --with D2=deep/emb.npy:l2 -o same
for part in data/SHELLS data/D2 images data/judged.js; do
    diff -rqx '*-row-?.png' "run/report/$part" "same/$part" && echo "$part"
done

echo "pictures, where there are models"
report seen labels.csv --with mine=deep/emb.npy:l2 --models bench/db
grep -o 'pictures:"[pj-]*' seen/data/models.js
report unseen labels.csv --with mine=deep/emb.npy:l2 --models nowhere

echo "one file"
report_of() { "$PSBENCH" report -q "$@" labels.csv --with mine=deep/emb.npy:l2 --models bench/db; }
mkdir one two
report_of -t 1 --single one/front.html --zip one/pages.zip && report_of -t 3 --single two/front.html --zip two/pages.zip
diff -rq one two && echo "the same bytes"
grep -cE '(src|href)="[^#"d]' one/front.html
grep -o 'download="table4[^"]*"' one/front.html
report_of --single page.pdf
echo "exit code $?"
echo thesis >thesis.zip
report_of --zip thesis.zip
echo "exit code $?"
cat thesis.zip
head -c 2 one/pages.zip && echo

echo "what cannot be"
"$PSBENCH" search -q --queries deep/emb.npy --database deep/emb.npy --metric l2 -o near.tsv
report no labels.csv
report no labels.csv --with near.tsv
report no labels.csv --with mine=deep/emb.npy
report no labels.csv --with mine=absent.npy:l2
report no run --split test
report no labels.csv deep/emb.npy
"$PSBENCH" report labels.csv --with deep/emb.npy:l2
echo "exit code $?"
ls
