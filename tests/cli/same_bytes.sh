# Features, distances and scores have the same bytes whatever kernels psbench, OpenBLAS and the C library would take:
# 40 models of all sizes of the benchmark, where it is there, or every seventh generated one.
# tests/processors.sh asks the same of processors that are not here.
mkdir -p set/a set/b
if [ -d "${PSB_DIR:-}/db" ]; then
    find "$PSB_DIR/db" -name '*.off' -printf '%s %f %p\n' | sort -n | awk 'NR % 46 == 1 { print $3 }'
else
    "$PSBENCH" synth -q made >/dev/null
    find "$PWD/made/db" -name '*.off' | sort | awk 'NR % 7 == 1'
fi >models.txt
awk '{ print $1, NR % 2 ? "a" : "b" }' models.txt | while read -r file class; do
    ln -s "$file" "set/$class"
done
run() { # run NAME: with the rest of the environment as it is
    "$PSBENCH" run -q --no-times -d all,VIEWS,SPIN --models set -o "$1" >/dev/null &&
        (cd "$1" && md5sum features/*.npy matrices/* scores/*.tsv) >"$1.txt"
}
run best
for kernel in Prescott Nehalem Sandybridge Haswell SkylakeX; do
    case $kernel in # only those that this processor can run
    Sandybridge) needs=avx ;;
    Haswell) needs=avx2 ;;
    SkylakeX) needs=avx512vl ;;
    *) needs=ssse3 ;;
    esac
    if ! grep -qsw "$needs" /proc/cpuinfo; then
        continue
    fi
    OPENBLAS_CORETYPE=$kernel run $kernel
    diff best.txt $kernel.txt
done
for set in plain avx2; do
    if [ $set = plain ] || grep -qsw avx2 /proc/cpuinfo; then
        PSB_CPU=$set run $set
        diff best.txt $set.txt
    fi
done
without=-AVX2,-FMA,-FMA4,-AVX512F,-AVX2_Usable,-FMA_Usable,-FMA4_Usable,-AVX512F_Usable
OPENBLAS_CORETYPE=Prescott GLIBC_TUNABLES=glibc.cpu.hwcaps=$without run library
diff best.txt library.txt
wc -l <best.txt
