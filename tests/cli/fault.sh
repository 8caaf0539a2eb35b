# Whatever ends a run, the same command goes on behind it, and the result has the bytes of an
# undisturbed run: full disks and failing ones at every call that changes a file, kills at every such
# call and at random moments, signals. tests/shim/fault.c makes the calls fail.
# Long: a run is ended or fails at each of some hundred calls, and begun again.
. "$(dirname "$0")/../support/preload.sh"
. "$(dirname "$0")/../support/pyramids.sh"
in_memory
preload fault

pyramids db 8
printf 'OFF 3 1 0 0 0 0 1 0 0 0 1 0\n3 0 1 7\n' >db/9.off
printf 'PSB 1\n2 9\na 0 4\n1\n2\n3\n4\nb 0 5\n5\n6\n7\n8\n9\n' >c.cla
program=("$PSBENCH" run -q --no-times -t 1 -d 'D2,SHELLS' --cla c.cla --models db -o run)
wanted=1

# Of run.json all but the costs.
facts() {
    sed -E '/"[a-z_]*seconds"|"peak_memory_bytes"/d' "$1/run.json"
}

# finish WHAT: the same command without a fault, then every byte
finish() {
    "${program[@]}" >out 2>err
    code=$?
    if [[ $code -ne $wanted ]] || ! diff -r -x work -x run.json -x provenance.tsv undisturbed run ||
        ! diff <(facts undisturbed) <(facts run) || ! diff undisturbed/table.txt out ||
        find run | grep -F .tmp; then
        echo "$1: exit code $code, and this differs"
        cat err
    fi
    rm -rf run
}

faulty none 0
mv run undisturbed
calls=$(<count)
echo "exit code $code"
[[ $calls -ge 60 ]] && echo "many calls that change files"

# each KIND STEP CODE...: a fault at every STEP-th call; the run must end with one of the codes
each() {
    local kind=$1 step=$2 at runs=0
    shift 2
    for ((at = 1; at <= calls; at += step)); do
        faulty "$kind" "$at"
        [[ " $* " == *" $code "* ]] || echo "$kind at call $at: exit code $code"
        case $kind in
        enospc | short) reason='No space left on device' ;;
        eio) reason='Input/output error' ;;
        *) reason= ;;
        esac
        [[ -z $reason ]] || grep -qF "$reason" err || echo "$kind at call $at: no reason is told"
        finish "$kind at call $at"
        runs=$((runs + 1))
    done
    [[ $runs -gt 0 ]] && echo "$kind: the right bytes after each"
}
each eio 1 3
each enospc 4 3
each short 4 3
# Nothing is wrong with a write that does a part.
each half 3 1
each kill 1 137
# Behind the last look at the flag the run comes to its end.
each int 10 130 1
each term 10 130 1

# A signal between two models: the run stops behind that model and says how to go on.
rows=$(grep -c . c.cla)
faulty term "$rows"
echo "exit code $code"
grep -v 'db/9' err | sed -E 's/after [0-9]+ of/after some of/'
finish 'the signal'
faulty usr1 "$rows"
grep -E '^psbench: features: [0-9]+/9 ' err | sed -E 's/: [0-9].*/: the status/'
finish 'the status'

# The models are taken away while they are read: an end with a message, not a list of failures.
faulty away "$rows"
echo "exit code $code"
sed "s,db/[0-9],db/some," err
mv db.away db
finish 'the models came back'

# Killed again and again: at a random call, then at a random moment, then at a random call.
RANDOM=7
for ((round = 0; round < 60; round++)); do
    faulty kill $((RANDOM % calls + 1))
    {
        "${program[@]}" >/dev/null 2>&1 &
        sleep "0.0$((RANDOM % 60 + 10))"
        kill -KILL $!
        wait $!
    } 2>/dev/null
    faulty kill $((RANDOM % calls + 1))
    finish "round $round"
done
echo "60 runs killed three times each"

# Where no model fails the table of the rows becomes the features.
printf 'PSB 1\n1 3\na 0 3\n1\n2\n3\n' >c.cla
program=("$PSBENCH" run -q --no-times -t 1 -d D2 --cla c.cla --models db -o run)
wanted=0
faulty none 0
rm -r undisturbed
mv run undisturbed
calls=$(<count)
[[ undisturbed/features/D2.npy -ef undisturbed/work/D2.npy ]] && echo "one file"
each eio 1 3
each half 2 3 0
each kill 1 137
