# Each allocation, and each call for a file, folder, map, thread or process, fails once, in many
# commands (tests/shim/once.c): a command's results are those of an undisturbed one, or the exit code
# is 3 or 4 and each result is whole or absent. So no model is left out for the machine's sake.
# Of all calls these are a sample; FAULT_STEP=1 takes each.
# Long: one call fails in each of many hundred runs.
. "$(dirname "$0")/../support/preload.sh"
. "$(dirname "$0")/../support/pyramids.sh"
in_memory
preload once
export OMP_NUM_THREADS=1

# What the commands begin with: models, also packed ones and another format's, and a finished run.
mkdir -p begin/db begin/other
pyramids begin/db 6
cp begin/db/2.off begin/db/7.off
printf 'v 0 0 0\nv 3 0 0\nv 0 2 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 2 3 4\n' >begin/db/8.obj
gzip -n begin/db/6.off
cp begin/db/[1-4].off begin/other
mkdir -p begin/tree/{a,b}
cp begin/db/[1-3].off begin/tree/a
cp begin/db/[457].off begin/db/6.off.gz begin/tree/b
(cd begin/tree && python3 -c 'import sys, zipfile
with zipfile.ZipFile("../tree.zip", "w", zipfile.ZIP_DEFLATED) as packed:
    [packed.write(name) for name in sys.argv[1:]]' a/*.off b/*.off)
tar -C begin/tree -czf begin/tree.tar.gz a b
printf 'PSB 1\n2 8\na 0 4\n1\n2\n3\n4\nb 0 4\n5\n6\n7\n8\n' >begin/c.cla
(
    cd begin || exit 1
    "$PSBENCH" run -q --no-times -t 1 -d D2,SHELLS --cla c.cla --models db -o run >/dev/null
)

# once KIND CALL OPTIONS...: one command in a fresh folder `now`, its output beside it in `now.*`
once() {
    rm -rf now
    cp -a begin now
    {
        (
            cd now || exit
            LD_PRELOAD=$shim ONCE_KIND=$1 ONCE_AT=$2 ONCE_COUNT=$place/count exec "$PSBENCH" "${@:3}"
        ) >now.out 2>now.err
        code=$?
    } 2>/dev/null
}

# differs FOLDER: files of `now` that are not those of the folder: all but costs, and what a run keeps
# to go on from
differs() {
    diff -rq -x work -x run.json -x provenance.tsv -x manifest.tsv -x .lock -x .report.lock "$1" now
}

# changed: files that are neither those of `undisturbed` nor those of `begin`
changed() {
    comm -12 <(differs undisturbed | sed -E "s/^Only in undisturbed.*//; s/^.* and (.*) differ/\1/" | sort) \
        <(differs begin | sed -E "s/^Only in begin.*//; s/^.* and (.*) differ/\1/" | sort) | grep .
}

# verdict: what the command's end is: "the same", "no result", or what is wrong
verdict() {
    if [[ $code -eq $wanted ]]; then
        if cmp -s undisturbed.out now.out && differs undisturbed >differences; then
            echo 'the same'
        else
            echo "exit code $code: $(cat differences now.err)"
        fi
    elif [[ $code -ne 3 && $code -ne 4 ]]; then
        echo "exit code $code: $(head -3 now.err)"
    elif ! cmp -s now.out <(head -c "$(stat -c %s now.out)" undisturbed.out); then
        echo "exit code $code: another output"
    elif changed >differences; then
        echo "exit code $code: $(<differences)"
    elif [[ ! -s now.err ]]; then
        echo "exit code $code: no reason is told"
    else
        echo 'no result'
    fi
}

# each OPTIONS...: both kinds, at every 31st call
each() {
    local step=${FAULT_STEP:-31} kind at all tried same none said
    for kind in memory call; do
        once "$kind" 0 "$@"
        wanted=$code all=$(<count) tried=0 same=0 none=0
        rm -rf undisturbed
        mv now undisturbed
        mv now.out undisturbed.out
        for ((at = 1; at <= all; at += step)); do
            once "$kind" "$at" "$@"
            said=$(verdict)
            case $said in
            'the same') same=$((same + 1)) ;;
            'no result') none=$((none + 1)) ;;
            *) echo "$1: $kind $at: $said" ;;
            esac
            tried=$((tried + 1))
        done
        [[ -z ${FAULT_STEP:-} ]] || echo "$1: $kind: $tried of $all failed: $same the same, $none no result"
    done
    echo "$1: exit code $wanted"
}
each run -q --no-times -t 1 -d D2,SHELLS --cla c.cla --models db -o new
each run -q --no-times -t 1 -d SHELLS --models tree -o new
each run -q --no-times -t 1 -d SHELLS --models tree.zip -o new
each run -q --no-times -t 1 -d SHELLS --models tree.tar.gz -o new
each describe -q -t 1 -d D2 -o rows.npy db/1.off db/2.off db/6.off.gz db/8.obj
each info db/1.off db/6.off.gz db/8.obj
each convert db/6.off.gz new.ply
each eval run
each combine run --sum D2=1,SHELLS=2
each compare -t 1 run --rounds 100
each search -q -t 1 --queries run/features/D2.npy --database run/features/D2.npy -k 3 -o lists
each duplicates -q -t 1 run -d D2
each query -q -t 1 -d D2 run db/3.off
each verify run
each report -q -t 1 run
each generative -q -t 1 -d D2 db other --rounds 10
each classify run
each export run
each rerank -q -t 1 run D2
each plot -q -t 1 run -f plot -o curve # tests/cli/address_space.sh has pictures: fontconfig cannot fail
each cla c.cla
each status run
