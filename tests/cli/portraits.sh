# Pages are the same bytes whether the run kept portraits of the models that it read, or some, or
# none; and what it kept is gone when they are there.
"$PSBENCH" synth -q bench
bench=bench/classification/v1/base
printf 'PSB 1\n2 6\nchair 0 3\n0\n31\n62\nstool 0 3\n1\n32\n63\n' >$bench/test.cla
echo 'not really a JPEG' >bench/db/0/m31/m31_thumb.jpg
run() {
    "$PSBENCH" table4 -q --no-times -d D2,SHELLS --psb bench -o "$@" >/dev/null 2>err
    echo "exit code $?"
}
# Of costs pages have what cannot be compared.
same() {
    diff -r -I '^<footer>' -x index.html -x 'table4.*' kept/report "$1/report" && echo "the same pages"
    find "$1/work" -name 'portraits*'
}

run kept
same kept

echo '== rows first, pages later'
run later --no-report
find later/work -name 'portraits*'
"$PSBENCH" report -q later
same later

echo '== pages fail, and come later'
run fails --no-report
rm fails/work/*.rows
mkdir fails/report
touch fails/report/of-others
run fails
cat err
cp fails/work/portraits album
rm -r fails/report
"$PSBENCH" report -q fails 2>err
same fails

echo '== what was kept is damaged'
for damage in 'head -c 20000' 'tail -c +300' 'tail -c +30' 'sed s/psbrow2/psbrow1/' 'head -c 0'; do
    $damage album >fails/work/portraits
    rm -r fails/report
    "$PSBENCH" report -q fails
    same fails
done

echo '== pictures of another kind, pages elsewhere'
cp album fails/work/portraits
"$PSBENCH" report -q -o elsewhere --thumbnails render fails
ls elsewhere/thumbnails | sed 's/-.*-/-KEY-/'
cmp album fails/work/portraits
