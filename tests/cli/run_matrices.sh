# Figures without matrices are those with them, to the bit, and nothing N x N is left behind.
# Plain build only: figures are compared; signature, run_two_sets and methods_list run without matrices, too.
. "$(dirname "${BASH_SOURCE[0]}")/../support/flip.sh"
. "$(dirname "${BASH_SOURCE[0]}")/../support/few.sh"
"$PSBENCH" synth -q set
few 4 set/classification/v1/base/test.cla
run() { # run RUN OPTIONS...: the built-in benchmark
    "$PSBENCH" run -q --no-times -t 2 -d SHD,EXT,LFD --cla set/classification/v1/base/test.cla \
        --models set/db -o "$@"
}
run with >with.txt
run without --matrices no >without.txt
run little --matrices no --memory 60M >little.txt
cmp with.txt without.txt && cmp with.txt little.txt
for run in without little; do diff -r -x '*.values' with/scores $run/scores; done && echo 'the same scores'
ls with without
echo '== matrices later, from the same rows; none later, of those that are there'
run without >again.txt
cmp with.txt again.txt
diff -r with/matrices without/matrices && echo 'the same matrices'
run without --matrices no >again.txt
cmp with.txt again.txt
"$PSBENCH" verify without
echo '== values are taken from the folder, unless somebody changed them'
flip without/scores/EXT.values 100
"$PSBENCH" run --no-times -t 2 -d SHD,EXT --cla set/classification/v1/base/test.cla --models set/db \
    -o without --matrices no 2>&1 >again.txt | grep -o 'scores.*\|. ranks.*100 %'
cmp with.txt again.txt
echo '== the pages are those with matrices, but for the command and its times'
for run in with little; do
    "$PSBENCH" report -q $run || echo "exit code $?"
    sed -i '/<footer>/d' $run/report/*.html # has the command
    grep -vE '<dt>(Command|Wall time|CPU time|Peak memory)<' $run/report/index.html >$run.html
done
cmp with.html little.html
diff -r -x index.html with/report little/report && echo 'the same pages'
find little/matrices 2>/dev/null
echo '== one without features, and all'
rm little/features/EXT.npy
"$PSBENCH" report -q little
echo "exit code $?"
sed '/<footer>/d' little/report/index.html | grep -c EXT
rm little/features/*.npy
"$PSBENCH" report -q little
echo "exit code $?"
echo '== what cannot be'
run other --matrices perhaps
echo "exit code $?"
run other --matrices no --memory 1M >/dev/null
echo "exit code $?"
echo '== values of other rows are counted anew'
while read -r id; do
    cp "set/db/$((id / 100))/m$((id + 1))/m$((id + 1)).off" "set/db/$((id / 100))/m$id/m$id.off"
done < <(grep -E '^[0-9]*[02468]$' without/models.cla | head -n 9) 2>/dev/null
for run in without fresh; do
    run $run --matrices no >$run.txt
done
cmp with.txt without.txt >/dev/null || echo 'other figures'
cmp without.txt fresh.txt && diff -r without/scores fresh/scores && echo 'the same scores'
