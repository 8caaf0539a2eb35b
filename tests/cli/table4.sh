# The main job on the built-in benchmark: no published figures beside it, and it says so.
"$PSBENCH" table4 -q --no-times -d SHELLS -t 2 -o run >table.txt
echo "exit code $?"
head -n 1 table.txt
grep -c published table.txt
"$PSBENCH" run -q --no-times -d SHELLS -t 1 -o same --models run/benchmark/db \
    --cla run/benchmark/classification/v1/base/test.cla >/dev/null
diff -r -x run.json -x provenance.tsv -x work -x benchmark -x report -x maps -x 'table.*' run same && echo "run does the same"
"$PSBENCH" table4 -q --no-times -d SHELLS -o run | diff - table.txt && echo "the same again"

# A folder laid out like the benchmark's is not the benchmark: its title is its own, and nothing published stands beside it.
"$PSBENCH" table4 -q --no-times -d SHELLS --psb run/benchmark -o psb >psb.txt
head -n 1 psb.txt
grep -c published psb.txt
(cd psb && find . -name 'table*' | sort)
cmp psb/matrices/SHELLS.matrix run/matrices/SHELLS.matrix && echo "and the same matrix"

"$PSBENCH" table4 -q --psb absent -o other
echo "exit code $?"
"$PSBENCH" table4 -q -d nonesuch -o other 2>/dev/null
echo "exit code $?"
"$PSBENCH" table4 -q -o table.txt
echo "exit code $?"
mkdir full
touch full/of-work
mkdir -p taken
ln -s ../full taken/benchmark
"$PSBENCH" table4 -q -o taken
echo "exit code $?"
ls full
[[ ! -e other ]] && echo "no run was begun"
