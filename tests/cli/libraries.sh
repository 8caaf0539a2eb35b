# FFTW, BLAS and LAPACKE do the work of the twelve descriptors and their distances: a preloaded library counts
# their calls (tests/shim/libraries.c). A BLAS that is wrong by one in one number ends the command before
# anything is scored, and the message says which library it is and what to do.
. "$(dirname "$0")/../support/preload.sh"
. "$(dirname "$0")/../support/pyramids.sh"
preload libraries
pyramids db 6
printf 'PSB 1\n2 6\na 0 3\n1\n2\n3\nb 0 3\n4\n5\n6\n' >c.cla
run() { # run FOLDER VARIABLE=VALUE
    env LD_PRELOAD="$shim" "$2" "$PSBENCH" run -q --no-times -d all --cla c.cla --models db -o "$1"
}
run counted "LIBRARIES_COUNT=$PWD/count" >counted.txt || echo "exit code $?"
while read -r library calls; do
    [[ $calls -gt 0 ]] && echo "$library is called"
done <count

for function in dgemm dsyrk sgemm; do
    run wrong "LIBRARIES_WRONG=$function" >out 2>err
    echo "$function: exit code $?, $(grep -c . out) lines of scores"
    [[ ! -e wrong/scores ]] || ls wrong/scores
    grep -qE 'multiplies wrongly on this processor: .*(OpenBLAS [0-9.]+.*kernel.*OPENBLAS_CORETYPE|install OpenBLAS)' err ||
        cat err
done
