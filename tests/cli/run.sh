# A slice of the built-in benchmark: scores that are known, every file of a run, and the same bytes
# again for other numbers of threads. run.json holds times and is left out.
# Not in tsan: table4, sweep and run_errors have its loops.
"$PSBENCH" synth -q models
# pick CLASS COUNT NAME PARENT: the first models of a class, under another name
pick() {
    printf '%s %s %d\n' "$3" "$4" "$2"
    awk -v class="$1" -v n="$2" 'NF == 3 { on = $1 == class } NF == 1 && on && n-- > 0' \
        models/classification/v1/base/test.cla
}
{
    printf 'PSB 1\n6 19\nseat 0 0\n'
    pick chair 5 chair seat
    pick stool 4 stool seat
    pick bottle 4 bottle 0
    pick airplane 4 airplane 0
    pick shelf 2 -1 0
} >slice.cla
run() {
    "$PSBENCH" run -q --no-times --cla slice.cla --models models/db "$@"
}
run -d SHD,GEDT:width=2,D2,SHELLS -t 1 -o one
echo "exit code $?"
run -d SHD,GEDT:width=2,D2,SHELLS -t 2 -o two >table.txt
run -d SHD,GEDT:width=2,D2,SHELLS -t 2 -o again/and/deeper >/dev/null
diff table.txt two/table.txt && echo "stdout is table.txt"
(cd one && find . -type f | sort)
diff -r -x run.json -x provenance.tsv -x work one two && echo "the same for one thread and two"
diff -r -x run.json -x provenance.tsv -x work two again/and/deeper && echo "the same again"
run -d SHD,GEDT:width=2,D2,SHELLS -o one >/dev/null
diff -r -x run.json -x provenance.tsv -x work one two && echo "the same over what was there"
diff <(grep . slice.cla) <(grep . one/models.cla) && echo "models.cla is the classification"
"$PSBENCH" eval one/models.cla one/matrices/SHD.matrix >eval.txt && echo "eval reads the matrix"

# A part of the run by hand leads to the same files.
mapfile -t files < <(awk 'NF == 1 { printf "models/db/%d/m%d/m%d.off\n", $1 / 100, $1, $1 }' slice.cla)
"$PSBENCH" describe -d SHD -o shd.npy "${files[@]}"
cmp shd.npy one/features/SHD.npy && echo "describe writes the run's features"
"$PSBENCH" distance -q -o shd.matrix shd.npy
cmp shd.matrix one/matrices/SHD.matrix && echo "distance writes the run's matrix"

# One descriptor alone, and models in one folder, give the same numbers.
mkdir flat
find models/db -name 'm*.off' -exec cp {} flat \;
"$PSBENCH" run -q --no-times -d d2 --cla slice.cla --models flat -o alone >/dev/null
cmp alone/features/D2.npy one/features/D2.npy && echo "whatever was computed beside it"
