#!/usr/bin/env bash
# The same on processors that are not here, by qemu: x86-64 as it was at first, without AVX, and
# aarch64, which is compiled for that with its unit tests. Every file of features, distances and scores of a
# few models has to have the bytes that it has here; on aarch64, where FFTW and LAPACK are compiled with fused
# operations, scores have to have the same figures. A processor whose emulator, compiler or libraries are
# not there is left out with a word. Ends with "N passed, N failed".
#
#   tests/processors.sh [x86-64 | aarch64]...
#
# MODELS=FOLDER: those models, instead of every twentieth generated one; PSB_DESCRIPTORS=SHD,D2: only those.
set -u
cd "$(dirname "$0")/.." || exit 2
export LC_ALL=C
work=build/processors
sysroot=$PWD/$work/arm64
triplet=aarch64-linux-gnu
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

generate_models() {
    rm -rf "$work/made" "$work/set"
    mkdir -p "$work/set/a" "$work/set/b"
    build/release/psbench synth -q "$work/made" >/dev/null || exit 2
    find "$PWD/$work/made/db" -name '*.off' | sort | awk 'NR % 20 == 1 { print NR % 40 == 1 ? "a" : "b", $0 }' |
        while read -r class file; do ln -s "$file" "$work/set/$class"; done
}

# run_models NAME COMMAND...: a run of the models by that program
run_models() {
    rm -rf "${work:?}/$1"
    "${@:2}" run -q --no-times -d "${PSB_DESCRIPTORS:-all}" --models "$models" -o "$work/$1" >"$work/$1.txt"
}

# Names the files that differ.
compare_files() {
    local file name count=0 other=0
    for file in "$work"/here/features/*.npy "$work"/here/matrices/*.matrix "$work"/here/scores/*.tsv; do
        name=${file#"$work/here/"}
        count=$((count + 1))
        cmp "$file" "$work/$1/$name" || other=$((other + 1))
    done
    echo "$1: $other of $count files of features, distances and scores differ"
    [[ $count -gt 0 && $other -eq 0 ]]
}

# Names the files of scores that differ.
compare_scores() {
    local file count=0 other=0
    for file in "$work"/here/scores/*.tsv; do
        count=$((count + 1))
        cmp "$file" "$work/$1/scores/${file##*/}" || other=$((other + 1))
    done
    echo "$1: $other of $count files of scores differ"
    [[ $count -gt 0 && $other -eq 0 ]]
}

# judge WHAT NAME COMMAND...: compares files or scores
judge() {
    check "$2: run" run_models "${@:2}"
    check "$2: the same $1" "compare_$1" "$2"
}

# The emulator of a processor: those of Debian's qemu-user-static have a longer name.
emulator() {
    command -v "qemu-$1" || command -v "qemu-$1-static"
}

old_x86() {
    local emulator
    if ! emulator=$(emulator x86_64); then
        echo 'x86-64 left out: no qemu-x86_64 (Debian: qemu-user)'
        return
    fi
    judge files x86-64 "$emulator" -cpu core2duo build/release/psbench
}

# The libraries of another machine, unpacked and not installed.
# shellcheck source=/dev/null
fetch_libraries() {
    [[ -e $sysroot/usr/include/cmocka.h ]] || mmdebstrap --quiet --variant=extract --architectures=arm64 \
        --include=libc6-dev,libopenblas-openmp-dev,liblapacke-dev,libfftw3-dev,libcjson-dev,libxxhash-dev,libcairo2-dev,libpng-dev,zlib1g-dev,libcmocka-dev,libgomp1 \
        "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$sysroot" || return
    rm -rf "$sysroot"/{dev,tmp}
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
        check "$program" timeout 7200 "$@" "$program" >"$work/unit.log" 2>&1
        [[ $failed -eq 0 ]] || grep -E 'FAILED|ERROR' "$work/unit.log" | head -n 5
    done
}

aarch64() {
    local tool emulator
    emulator=$(emulator aarch64)
    for tool in "${emulator:-qemu-aarch64}" aarch64-linux-gnu-gcc mmdebstrap; do
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
    # The emulator looks up absolute paths among the libraries first, and would make folders there.
    mkdir -p "$work/tmp"
    local -x TMPDIR=$work/tmp
    judge scores aarch64 "$emulator" -L "$sysroot" build/aarch64/psbench
    unit_tests "$emulator" -L "$sysroot"
}

make -s -j2 build/release/psbench || exit 2
models=${MODELS:-$work/set}
[[ -n ${MODELS:-} ]] || generate_models
check 'here: run' run_models here build/release/psbench
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
