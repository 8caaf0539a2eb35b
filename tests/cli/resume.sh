# What the same command does in the folder of an earlier run: nothing for what is there, and what
# changed parameters, models, files and limits ask for, with the reason. Signals and faults: fault.sh.
. "$(dirname "$0")/../support/flip.sh"
"$PSBENCH" synth -q models
mkdir db
for id in 0 31 62 1 32 63; do
    cp "models/db/0/m$id/m$id.off" "db/m$id.off"
done
printf 'PSB 1\n2 6\nchair 0 3\n0\n31\n62\nstool 0 3\n1\n32\n63\n' >c.cla
run() {
    "$PSBENCH" run --no-times -t 1 -d "${list:-D2,SHELLS}" --cla c.cla --models "${db:-db}" \
        -o "${folder:-run}" "$@" >table.txt 2>err
    code=$?
    # Costs are no part of a test.
    grep -vE ' s wall, |results in ' err
    echo "exit code $code"
}
# Files made or changed since the last call, but for those that every run writes.
written() {
    find "${folder:-run}" -type f -newer mark | sort | grep -vE '/(\.lock|(table|run|models|failures|provenance)\..*)$'
    sleep 0.02
    touch mark
}
same() {
    diff -r -x work -x run.json -x provenance.tsv -x 'GEDT*' first "${folder:-run}" && echo "the same bytes"
}
touch mark

echo '== from nothing'
run
cp -a run first
written >/dev/null
run
written
same

echo '== another descriptor'
list=SHELLS,GEDT:width=2,D2 run
written
list=SHELLS,GEDT:width=3,D2 run
written
run
diff -r -x work -x run.json -x provenance.tsv -x 'GEDT*' -x 'table.*' first run && echo "the same bytes"
# Which stays in the table, until it is about other models.
tail -n +2 run/table.tsv | cut -f 1

echo '== models'
touch db/m31.off
run
written
cp db/m31.off kept.off
cp db/m63.off db/m31.off
run
written
cp kept.off db/m31.off
run
same
# The size and the time as before: only the bytes tell.
cp -p db/m62.off kept62.off
sed '4s/[0-9]/7/' kept62.off >db/m62.off
touch -r kept62.off db/m62.off
run
same
run --verify
cp -p kept62.off db/m62.off
run --verify
same

echo '== damage'
written >/dev/null
flip run/work/D2.rows
truncate -s -5 run/work/SHELLS.rows
run | sed 's/at byte [0-9]*/at some byte/'
written
same
echo >run/work/D2.rows
run
echo 'not a line of a ledger' >run/provenance.tsv
rm run/matrices/D2.matrix
printf 'x' >>run/scores/D2.json
run
same
rm run/matrices/D2.matrix
printf 'x' >>run/scores/D2.json
run
same
tr '\000' '\001' <run/features/D2.npy >changed.npy
touch -r run/features/D2.npy changed.npy
cp -p changed.npy run/features/D2.npy
run
run --verify
same
rm -r run/work
run
same
sed -i '/features.D2/s/D2/D3/' run/provenance.tsv
echo damaged >>run/provenance.tsv
run
same
touch run/features/.psbench.tmpAAAAAA run/work/.psbench.tmpBBBBBB
run
find run -name '*.tmp*'

echo '== failures and limits'
echo 'OFF 3 1 0 0 0 0 1 0 0 0 1 0 3 0 1 7' >db/m31.off
run
cat run/failures.tsv
grep -c . run/models.cla
run --max-seconds 1e-9
cut -f 1,2,4 run/failures.tsv
run --max-faces 100 | sed 's/: [0-9]* \(faces\|vertices\)/: many \1/'
cp -p kept.off db/m31.off
run
same

echo '== moved'
mkdir elsewhere
cp -r db elsewhere/models
mv run elsewhere/run
folder=elsewhere/run written >/dev/null
db=elsewhere/models folder=elsewhere/run run
folder=elsewhere/run written
folder=elsewhere/run same

echo '== one process at a time'
flock elsewhere/run/.lock true
echo 'process 1 on another' >elsewhere/run/.lock
(
    flock 9
    folder=elsewhere/run run
) 9<>elsewhere/run/.lock
folder=elsewhere/run run

echo '== the models are gone'
mv db db.away
run
mkdir db
run
rm -r db
mv db.away db

echo '== the log'
run -q --log log.txt
run --log log.txt --max-faces 100 >/dev/null
sed -E 's/^[-0-9]{10}T[:0-9]{8}Z (info|warning|error) +/\1: /; s/psbench [0-9.]+, process.*/psbench N, process .../;
    s/[0-9.]+ (s|MiB)/N \1/g; s/model ([0-9]+): [0-9]+/model \1: some/; s/(SHELLS|D2) alone$/SPEC alone/;
    s/: [0-9]+ (faces|vertices)/: many \1/; s/after .* models/after some models/' log.txt
folder=$(printf 'two\nlines') run -q --log lines.txt
grep -vE '^[-0-9]{10}T[:0-9]{8}Z (info|warning|error) ' lines.txt
run --log absent/log.txt
run --max-seconds -1
run --max-faces 0
