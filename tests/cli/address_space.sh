# A limit of address space (ulimit -v): a run ends, with the right bytes or with exit code 4 and the
# need beside the limit, for any number of threads. OpenBLAS by itself tries for ever where it
# cannot map its buffers.
if [[ ! $(basename "$(dirname "$PSBENCH")") =~ ^(release|debug|portable)$ || -n ${MEMCHECK:-} ]]; then
    echo "sanitizers and valgrind take more address space than there is"
    exit 77
fi
# Otherwise the room that OpenBLAS takes when it is loaded depends on the number of processors.
export OMP_NUM_THREADS=1
"$PSBENCH" synth -q models
{
    printf 'PSB 1\n2 8\nchair 0 4\n'
    printf '%s\n' 0 31 62 93
    printf 'stool 0 4\n'
    printf '%s\n' 1 32 63 94
} >c.cla
program=("$PSBENCH" run -q --no-times -d 'SHD,LFD' --cla c.cla --models models/db)
"${program[@]}" -t 1 -o free >free.txt

# limited KIB COMMAND...: its exit code in $code; one that tries for ever ends after a minute of CPU time
limited() {
    code=0
    (ulimit -v "$1" -t 60 && "${@:2}" >out 2>err) || code=$?
}

ended=0
for limit in 250000 300000 350000 450000 600000 900000 1250000 2500000; do
    for threads in 1 2 8 16; do
        rm -rf run
        limited "$limit" "${program[@]}" -t "$threads" -o run
        if [[ $code -eq 4 ]]; then
            ended=$((ended + 1))
            grep -q 'out of memory: ' err || cat err
        elif [[ $code -ne 0 ]] || ! diff -r -x work -x run.json -x provenance.tsv free run; then
            echo "$limit KiB, $threads threads: exit code $code"
            cat err
        fi
    done
done
[[ $ended -gt 0 && $code -eq 0 ]] && echo 'some end, with much room none'

# Before the program begins, and before the first product.
limited 120000 "$PSBENCH" list
echo "exit code $code"
cat err
limited 270000 "$PSBENCH" describe -d SHD models/db/0/m0/m0.off
echo "exit code $code"
cat err

# Pictures: fontconfig would crash, or take another font, where it gets no memory.
"$PSBENCH" plot -q free -f svg,pdf -o free-plot
ended=0
for limit in 250000 350000 365000 380000 395000 410000 425000 440000 700000; do
    rm -f plot.*
    limited "$limit" "$PSBENCH" plot -q free -t 1 -f svg,pdf -o plot
    if [[ $code -eq 4 ]]; then
        ended=$((ended + 1))
    elif [[ $code -ne 0 ]] || ! cmp plot.svg free-plot.svg || ! cmp plot.pdf free-plot.pdf; then
        echo "plot, $limit KiB: exit code $code"
        cat err
    fi
done
[[ $ended -gt 0 && $code -eq 0 ]] && echo 'some plots end, with much room none'
