# Figures without matrices are those with them, to the bit, and nothing N x N is left behind.
"$PSBENCH" synth -q set
run() { # run RUN OPTIONS...: the built-in benchmark
    "$PSBENCH" run -q --no-times -t 2 -d SHD,EXT,LFD --cla set/classification/v1/base/test.cla \
        --models set/db -o "$@"
}
run with >with.txt
run without --matrices no >without.txt
run little --matrices no --memory 60M >little.txt
cmp with.txt without.txt && cmp with.txt little.txt
diff -r with/scores without/scores && diff -r with/scores little/scores && echo 'the same scores'
ls with without
echo '== matrices later, from the same rows; none later, of those that are there'
run without >again.txt
cmp with.txt again.txt
diff -r with/matrices without/matrices && echo 'the same matrices'
run without --matrices no >again.txt
cmp with.txt again.txt
"$PSBENCH" verify without
echo '== what needs matrices says so'
"$PSBENCH" report -q little
echo "exit code $?"
run other --matrices perhaps
echo "exit code $?"
run other --matrices no --memory 1M >/dev/null
echo "exit code $?"
