# Parts of a run, as plain processes: whatever becomes of them, the same command without --part ends
# in the bytes of one undisturbed run, or says what is missing.
. "$(dirname "$0")/../support/flip.sh"
. "$(dirname "$0")/../support/parts.sh"
begin

echo '== four parts'
for i in 0 1 2 3; do
    run four --part $i/4
done
"$PSBENCH" status --all four
echo "exit code $?"
[[ ! -e four/models.cla && ! -e four/work/D2.rows ]] && echo 'nothing outside of their folders'
"$PSBENCH" run --no-times -q -t 1 -d D2,SHELLS --cla c.cla --models db -o four --complete >table.txt
echo "exit code $?"
same four
run four --part 1/4
find four/work -name 'D2.rows' -size +1k

"$PSBENCH" status four
echo "exit code $?"

echo '== more parts than models, and at the same time'
for i in {0..39}; do
    run many -q --part "$i/40" >/dev/null &
done
wait
run many --complete
same many

echo '== as launchers say'
SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=2 SLURM_ARRAY_TASK_MIN=2 SLURM_ARRAY_TASK_MAX=3 run auto --part auto
PMI_RANK=0 PMI_SIZE=2 run auto --part auto
run auto --complete
same auto
SLURM_ARRAY_TASK_ID=5 SLURM_ARRAY_TASK_COUNT=2 SLURM_ARRAY_TASK_MIN=2 SLURM_ARRAY_TASK_MAX=5 run auto --part auto
OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=2 run auto --part auto
run auto --part auto

echo '== one twice at once, beside a run, and a run beside it'
parts twice 4
flock twice/work/part-2-of-4/.lock "$PSBENCH" status --all twice | grep "at work"
flock twice/work/part-2-of-4/.lock "$PSBENCH" run -q -d D2 --cla c.cla --models db -o twice --part 2/4 2>&1 | sed 's/: .* is at/: WHO is at/'
flock twice/.lock "$PSBENCH" run -q -d D2 --cla c.cla --models db -o twice --part 2/4 2>&1 | sed 's/: .* is at/: WHO is at/'
flock -s twice/.lock "$PSBENCH" run -q -d D2,SHELLS --cla c.cla --models db -o twice
run twice
same twice

echo '== another N in between, and other descriptors'
parts other 4 1
parts other 3 2
"$PSBENCH" run -q -t 1 -d GEDT --cla c.cla --models db -o other --part 0/4 2>/dev/null
"$PSBENCH" status other
echo "exit code $?"
run other
find other/work -name '*.rows' | sort

echo '== a model that changed in between, damage'
parts changed 2
cp db/3.off db/4.off
run changed -q
cp -p kept/4.off db/4.off
run changed
same changed
parts mixed 2
flip mixed/work/part-0-of-2/D2.rows
flip mixed/work/part-1-of-2/SHELLS.rows 70
run mixed | sed 's/byte [0-9]*/byte B/'
same mixed

echo '== describe, and table4'
mkdir -p psb/classification/v1/base
ln -s ../db psb/db
cp c.cla psb/classification/v1/base/test.cla
for command in 'describe --models db' 'table4 --psb psb --no-report'; do
    rm -rf once twice
    # shellcheck disable=SC2086 # a command with its options
    into() { # into RUN OPTIONS...
        "$PSBENCH" $command -q --no-times -t 1 -d D2,SHELLS -o "$@" >/dev/null 2>&1
        echo "exit code $?"
    }
    into once
    into twice --part 1/2
    into twice --complete
    "$PSBENCH" status twice
    into twice --part 0/2
    into twice --complete
    diff -r -x work -x run.json -x provenance.tsv -x .lock once twice && echo 'the same bytes'
done
"$PSBENCH" describe -d D2 --part 0/2 db/1.off
"$PSBENCH" table4 -q --part 0/2 -o wrong

echo '== nothing to say a status of'
"$PSBENCH" status db
echo "exit code $?"
cp -r whole bare
rm -r bare/work
"$PSBENCH" status bare
echo "exit code $?"

echo '== another list'
sed 's/^c 0/d 0/' c.cla >other.cla
"$PSBENCH" run -q -d D2 --cla other.cla --models db -o whole --part 0/2
echo "exit code $?"
for part in 2/2 -1/2 1 a/2 1/2x 0/0 1/999999999999; do
    "$PSBENCH" run -q -d D2 --cla c.cla --models db -o wrong --part "$part" 2>&1 | head -n 1
done
"$PSBENCH" run -q -d D2 --cla c.cla --models db -o wrong --part 0/2 --replace 2>&1 | head -n 1
"$PSBENCH" run -q -d D2 --cla c.cla --models db -o wrong --part 0/2 --complete 2>&1 | head -n 1
[[ ! -e wrong ]] && echo 'nothing was made'
exit 0
