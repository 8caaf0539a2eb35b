#!/usr/bin/env bash
# Runs libFuzzer on every target in turn, as many at a time as there are processors.
#
#   scripts/fuzz.sh PROGRAM SECONDS [TARGET...]
#
# PROGRAM is what config=fuzz builds. Begins with the seeds and with what earlier runs kept in
# build/fuzz/corpus. An input that fails is left in build/fuzz/failed: its place, once the reason is
# found and mended, is tests/fuzz/found/TARGET, where the tests run it for ever. Exits with 1 where
# there was one.
set -u
if [[ $# -lt 2 || ! $2 =~ ^[0-9]+$ ]]; then
    echo "usage: scripts/fuzz.sh PROGRAM SECONDS [TARGET...]" >&2
    exit 2
fi
program=$(realpath "$1") || exit 2
seconds=$2
shift 2
cd "$(dirname "$0")/.." || exit 2
if [[ $# -gt 0 ]]; then
    targets=("$@")
else
    read -r -a targets < <(FUZZ_TARGET='' "$program" 2>&1 | sed 's/.*://')
fi

# Inputs take microseconds, but for those that become twelve descriptors under a sanitizer.
fuzz_one() {
    local target=$1 folder corpus=build/fuzz/corpus/$1
    local folders=("$corpus")
    mkdir -p "$corpus" build/fuzz/failed
    for folder in "tests/fuzz/seeds/$target" "tests/fuzz/found/$target"; do
        [[ -d $folder ]] && folders+=("$folder")
    done
    case $target in
    off | describe) folders+=(tests/data/off_good tests/data/off_bad) ;;
    obj | ply | stl | gltf) folders+=("tests/data/${target}_good" "tests/data/${target}_bad") ;;
    mesh) folders+=(tests/data/{off,obj,ply,stl,gltf}_good) ;;
    cla) folders+=(tests/data/cla_bad) ;;
    labels) folders+=(tests/data/labels_good tests/data/labels_bad) ;;
    esac
    if FUZZ_TARGET=$target "$program" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=2048 \
        -max_len=4096 -artifact_prefix="build/fuzz/failed/$target-" "${folders[@]}" \
        >"build/fuzz/$target.log" 2>&1; then
        echo "$target: $(grep -c . < <(ls "$corpus")) inputs kept," \
            "$(sed -nE 's/^Done ([0-9]+) runs in ([0-9]+) second.*/\1 runs in \2 s, no failure/p' \
                "build/fuzz/$target.log")"
    else
        echo "$target: FAILED, see build/fuzz/$target.log and build/fuzz/failed"
        # Why, where these files are gone when somebody reads this; with the input, if it is small.
        grep -aE 'broken promise|runtime error|^==[0-9]+==|SUMMARY|^ +#[0-9] |Base64' "build/fuzz/$target.log" | head -30
        return 1
    fi
}
export -f fuzz_one
export program seconds

printf '%s\n' "${targets[@]}" | xargs -P "$(nproc)" -I{} bash -c 'fuzz_one {}' || exit 1
