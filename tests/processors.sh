#!/usr/bin/env bash
# Table 4 of the generated benchmark on processors that are not here, by qemu: x86-64 as it was at first,
# without AVX, and aarch64, which is compiled for that with its unit tests. Says of each file of features
# and distances whether it has the same bytes as here, else how far its numbers are apart, relative to the
# largest of the file; the figures of the table may differ by FAR percent points. A processor whose
# emulator, compiler or libraries are not there is left out with a word. Ends with "N passed, N failed".
#
#   tests/processors.sh [x86-64 | aarch64]...     PSB_DESCRIPTORS=SHD,D2: only those
set -u
cd "$(dirname "$0")/.." || exit 2
export LC_ALL=C
work=build/processors
sysroot=$PWD/$work/arm64
triplet=aarch64-linux-gnu
far=0.5 # percent points: one of 265 queries is 0.38
passed=0
failed=0
mkdir -p "$work"

check() {
    if "${@:2}"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $1"
    fi
}

# table NAME COMMAND...: the run of the built-in benchmark by that program
table() {
    rm -rf "${work:?}/$1"
    "${@:2}" table4 -q --no-times --no-report -d "${PSB_DESCRIPTORS:-all}" -o "$work/$1" >"$work/$1.txt"
}

numbers() {
    od -An -v -w4 -tf4 "$1"
}

# Where two files are not the same: the largest difference over the largest number.
apart() {
    paste <(numbers "$1") <(numbers "$2") | awk '
        { a = $1 < 0 ? -$1 : $1; d = $1 - $2; d = d < 0 ? -d : d
          if (a < 1e30 && a > most) most = a; if (d < 1e30 && d > worst) worst = d }
        END { printf "%.1e", worst / most }'
}

compare_files() {
    local file name same='' other=''
    for file in "$work"/here/features/*.npy "$work"/here/matrices/*.matrix; do
        name=${file#"$work/here/"}
        if cmp -s "$file" "$work/$1/$name"; then
            same+=" ${name#*/}"
        else
            other+="    ${name#*/}: $(apart "$file" "$work/$1/$name")"$'\n'
        fi
    done
    echo "$1: the same bytes:$same"
    echo "$1: apart:"
    printf '%s' "${other:-    nothing$'\n'}"
}

# The largest difference of a figure of the table, which has to be small.
compare_figures() {
    paste "$work/here/table.tsv" "$work/$1/table.tsv" | awk -F'\t' -v name="$1" -v far="$far" '
        NR > 1 { n = NF / 2; for (i = 5; i < n; i++) { d = $i - $(i + n); d = d < 0 ? -d : d; if (d > worst) worst = d } }
        END { printf "%s: figures of the table differ by at most %.3f percent points\n", name, worst; exit NR < 2 || worst > far }'
}

judge() {
    compare_files "$1"
    check "$1: figures" compare_figures "$1"
}

old_x86() {
    if ! command -v qemu-x86_64 >/dev/null; then
        echo 'x86-64 left out: no qemu-x86_64 (Debian: qemu-user)'
        return
    fi
    check 'x86-64: Table 4' table x86-64 qemu-x86_64 -cpu core2duo build/release/psbench
    judge x86-64
}

# The libraries of another machine, unpacked and not installed.
# shellcheck source=/dev/null
fetch_libraries() {
    [[ -e $sysroot/usr/include/cmocka.h ]] || mmdebstrap --quiet --variant=extract --architectures=arm64 \
        --include=libc6-dev,libfftw3-dev,libopenblas-openmp-dev,liblapacke-dev,libcjson-dev,libxxhash-dev,libcairo2-dev,libpng-dev,zlib1g-dev,libcmocka-dev,libgomp1 \
        "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$sysroot"
}

build_aarch64() {
    local lib=$sysroot/usr/lib/$triplet
    # Links to what is in the root there, and what installation would choose among several.
    find "$lib" -lname '/*' ! -lname "$sysroot/*" -printf '%l %p\n' | while read -r to link; do
        ln -sf "$sysroot$to" "$link"
    done
    ln -sf openblas-openmp/lib{openblas.so,openblas.so.0,lapack.so.3,blas.so.3} "$lib"
    ln -sf lapack-openblas.pc "$lib/openblas-openmp/pkgconfig/lapack.pc"
    ln -sf blas-openblas.pc "$lib/openblas-openmp/pkgconfig/blas.pc"
    PKG_CONFIG_SYSROOT_DIR=$sysroot PKG_CONFIG_LIBDIR=$lib/pkgconfig:$lib/openblas-openmp/pkgconfig:$sysroot/usr/share/pkgconfig \
        make -s -j2 config=aarch64 CFLAGS="--sysroot=$sysroot" LDFLAGS="-Wl,-rpath-link,$lib" all unit-tests
}

unit_tests() {
    local program
    for program in build/aarch64/tests/unit/test_*; do
        [[ -x $program && ! -d $program && $program != *.o ]] || continue
        check "$program" timeout 1500 "$@" "$program" >"$work/unit.log" 2>&1
        [[ $failed -eq 0 ]] || grep -E 'FAILED|ERROR' "$work/unit.log" | head -n 5
    done
}

aarch64() {
    local tool
    for tool in qemu-aarch64 aarch64-linux-gnu-gcc mmdebstrap; do
        if ! command -v "$tool" >/dev/null; then
            echo "aarch64 left out: no $tool (Debian: qemu-user gcc-aarch64-linux-gnu mmdebstrap)"
            return
        fi
    done
    if ! fetch_libraries; then
        echo 'aarch64 left out: its libraries could not be fetched'
        return
    fi
    check 'aarch64: build' build_aarch64
    check 'aarch64: Table 4' table aarch64 qemu-aarch64 -L "$sysroot" build/aarch64/psbench
    judge aarch64
    unit_tests qemu-aarch64 -L "$sysroot"
}

make -s -j2 build/release/psbench || exit 2
check 'Table 4' table here build/release/psbench
[[ $# -gt 0 ]] || set -- x86-64 aarch64
for processor in "$@"; do
    case $processor in
    x86-64) old_x86 ;;
    aarch64) aarch64 ;;
    *) echo "there is no processor $processor" >&2 && exit 2 ;;
    esac
done
echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]
