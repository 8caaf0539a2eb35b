#!/usr/bin/env bash
# What takes longer than `make test`: all tests of clang's build and under each sanitizer, half a minute
# of fuzzing for each target; parts of a run on virtual Slurm nodes (tests/slurm.sh); the Debian packages (tests/debian.sh); other
# processors (tests/processors.sh); with memcheck named, the command-line tests under valgrind, which take
# longer than all the others. Ends with one line "N passed, N failed", summed over all; a kind that would begin
# after forty minutes is left out, and that is said.
#
#   tests/long.sh [KIND...]     some of: clang asan ubsan tsan memcheck fuzz slurm debian
#                               processors
set -u
cd "$(dirname "$0")/.." || exit 2
. tests/sums.sh
export WERROR=1
unset PSB_DIR # real models under a sanitizer take more time than they tell news

fuzz() {
    if make -s fuzz SECONDS=30; then
        echo '1 passed, 0 failed'
    else
        echo '0 passed, 1 failed'
    fi
}

[[ $# -gt 0 ]] || set -- clang asan ubsan tsan fuzz slurm debian processors
for kind in "$@"; do
    if [[ $SECONDS -gt 2400 ]]; then
        echo "$kind left out: $SECONDS s are gone already"
        continue
    fi
    case $kind in
    fuzz) run fuzz ;;
    slurm | debian | processors) run "tests/$kind.sh" ;;
    memcheck) run make -s -j2 memcheck ;;
    *) run make -s -j2 config="$kind" test ;;
    esac
done
total
