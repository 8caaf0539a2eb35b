# A run whose queries are not its targets: the figures of an independent slow computation, the matrix
# of `distance` and the figures of `eval`, whatever interrupts it and however it is shared out.
. "$(dirname "$0")/../support/flip.sh"
. "$(dirname "$0")/../support/parts.sh"
. "$(dirname "$0")/../support/two_sets.sh"
# 4 and 99 are in both, 13 has no file, d is a class of queries alone; both have models that are first
# in another order than they are described in.
printf 'PSB 1\n4 7\nb 0 2\n5\n6\na 0 2\n1\n4\nd 0 1\n9\n-1 0 2\n2\n99\n' >q.cla
printf 'PSB 1\n3 9\nb 0 3\n8\n7\n99\na 0 4\n13\n3\n4\n12\nc 0 2\n10\n11\n' >t.cla
data=(--queries q.cla --targets t.cla --skip-missing)
begin
cat whole.txt
head -n 30 whole/{queries,targets}.cla
cat whole/features/SHELLS.npy.ids | tr '\n' ' '
echo

echo '== the stages, each alone'
rows() { # rows NAME: in the order of NAME.cla
    # shellcheck disable=SC2046 # words
    "$PSBENCH" describe -q -t 1 -d SHELLS -o "$1.npy" $(awk 'NR > 2 && NF == 1 { print "db/" $1 ".off" }' "$1.cla")
}
cp whole/queries.cla queries.cla
cp whole/targets.cla targets.cla
rows queries
rows targets
"$PSBENCH" distance -q -o two.npy queries.npy targets.npy
for more in '' .ids .columns.ids; do
    cmp two.npy$more whole/matrices/SHELLS.npy$more && echo 'the same bytes'
done
reference queries.cla targets.cla two.npy | cut -f 1-6 | tee expected
measures=table4,average_precision
figures whole SHELLS | cmp - expected && echo 'the same figures'
figures --queries queries.cla --targets targets.cla two.npy | cmp - expected && echo 'the same figures'
figures --queries whole/queries.cla --targets whole/targets.cla whole/matrices/SHELLS.npy | cmp - expected &&
    echo 'the same figures'
"$PSBENCH" compare -q whole -m dcg | tail -n +3 | wc -l
"$PSBENCH" verify whole

echo '== two threads, parts, parts that were killed'
threads=2 run threads
same threads
parts split 3
"$PSBENCH" status split
run split --complete
same split
if can_preload fault; then
    faulty_part kill killed 0/2
else
    echo 'exit code 137'
fi
parts killed 2 1
run killed -q
same killed
run killed | grep -v '^psbench: .*99'
cp -r killed damaged
flip damaged/matrices/D2.npy 130
printf '1\n' >damaged/matrices/SHELLS.npy.columns.ids
"$PSBENCH" verify damaged | grep -v '^ok'
run damaged -q
same damaged

echo '== another list of either side is another run'
sed 's/^c 0 2/e 0 2/' t.cla >other.cla
data=(--queries q.cla --targets other.cla --skip-missing)
run whole -q | grep -v 99
data=(--cla c.cla)
run whole -q | grep -v 99
run killed -q --replace
ls killed killed/matrices
data=(--queries q.cla --targets t.cla --skip-missing)
run killed -q --replace >/dev/null
same killed

echo '== refused'
tell() {
    "$@" 2>&1
    echo "exit code $?"
}
tell "$PSBENCH" report -q whole
tell "$PSBENCH" combine -q whole --sum D2=1,SHELLS=1
tell "$PSBENCH" plot -q whole -o picture
tell "$PSBENCH" run -q -d D2 --models db --queries q.cla
tell "$PSBENCH" run -q -d D2 --models db --queries q.cla --targets t.cla --cla c.cla
tell "$PSBENCH" run -q -d D2 --queries q.cla --targets t.cla
cp q.cla again.cla
ln -s q.cla linked.cla
tell "$PSBENCH" run -q -d D2 --models db --queries q.cla --targets linked.cla
tell "$PSBENCH" run -q -d D2 --models db --queries q.cla --targets t.cla
tell "$PSBENCH" run -q -d D2 --models db --queries q.cla --targets t.cla --skip-missing --matrices no
tell "$PSBENCH" run -q -d D2 --models db --queries whole/queries.cla --targets whole/targets.cla -o whole
printf 'PSB 1\n1 1\na 0 1\n99\n' >bad.cla
tell "$PSBENCH" run -q -d D2 --models db --queries bad.cla --targets again.cla
printf 'PSB 1\n1 1\nz 0 1\n3\n' >strange.cla
tell "$PSBENCH" run -q --no-times -d D2 --models db --queries strange.cla --targets again.cla | grep -v 99
exit 0
