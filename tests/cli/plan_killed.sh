# A run of descriptors, a sum and re-ranked methods is killed, at calls that change files and at random
# moments; the same command goes on, and leaves the bytes of run, combine and rerank, one after the
# other and undisturbed. tests/shim/fault.c kills.
# Long: a run is ended at dozens of calls, and begun again.
. "$(dirname "$0")/../support/preload.sh"
. "$(dirname "$0")/../support/pyramids.sh"
in_memory
preload fault

pyramids db 6
printf 'PSB 1\n2 6\na 0 3\n1\n2\n3\nb 0 3\n4\n5\n6\n' >c.cla
options=(-q --no-times -t 1 --cla c.cla --models db)
program=("$PSBENCH" run "${options[@]}" -d SHELLS,T3,T3+kr,SHELLS+kr -o run)

L='LFD:moments=zernike,root=yes,GEDT:shells=8,metric=pose48,CEGI:smooth=0.04,normals=outward,metric=pose48'
"$PSBENCH" run "${options[@]}" -d "SHELLS,$L" -o undisturbed >out
"$PSBENCH" combine -q undisturbed t3 >out
"$PSBENCH" rerank -q undisturbed T3 SHELLS >expected

facts() {
    sed -E '/"[a-z_]*seconds"|"peak_memory_bytes"|"command_line"/d' "$1/run.json"
}
finish() { # finish WHAT: the same command, then every byte
    if ! "${program[@]}" >out 2>err || ! diff expected out ||
        ! diff -r -x work -x run.json -x provenance.tsv -x .lock undisturbed run ||
        ! diff <(facts undisturbed) <(facts run) || find run | grep -F .tmp; then
        echo "$1: this differs"
        cat err
    fi
    rm -rf run
}

faulty none 0
calls=$(<count)
echo "exit code $code"
[[ $calls -ge 100 ]] && echo 'many calls that change files'
finish 'the undisturbed run'
for ((at = 1; at <= calls; at += 3)); do
    faulty kill "$at"
    [[ $code -eq 137 ]] || echo "call $at: exit code $code"
    finish "killed at call $at"
done
echo 'killed at every third call: the right bytes after each'

RANDOM=11
for ((round = 0; round < 10; round++)); do
    faulty kill $((RANDOM % calls + 1))
    {
        "${program[@]}" >/dev/null 2>&1 &
        sleep "0.$((RANDOM % 50 + 10))"
        kill -KILL $!
        wait $!
    } 2>/dev/null
    faulty kill $((RANDOM % calls + 1))
    finish "round $round"
done
echo '10 runs killed three times each'
