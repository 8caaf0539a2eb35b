#!/usr/bin/env bash
# What takes longer than `make test`. A kind is the long tests, a build with the tests that can find something new in it,
# ten seconds of fuzzing for each target, parts of a run on virtual Slurm nodes (tests/slurm.sh), the Debian packages
# (tests/debian.sh), or minimal machines (tests/fresh.sh). Ends with one line "N passed, N failed", summed over
# all; a kind that would begin after forty minutes, with the $SPENT seconds before this script, is left out, and
# that is said.
#
#   tests/long.sh [KIND...]       some of: long clang asan tsan fuzz slurm debian fresh; without a KIND these
#   tests/long.sh all [KIND...]   the same with every test in each build, a minute for each target, and ubsan
#
# Where they are named: ubsan, the command-line tests under valgrind (memcheck), other processors by qemu
# (tests/processors.sh), and the files of `make dist` and `make wheel` (dist: tests/dist.sh).
#
# What each build runs, and why the rest would find nothing:
#   long   Command-line tests with a line "Long: REASON", in the release build: `make test` leaves them out.
#   clang  All unit tests, and Table 4 with the figures of other programs. A compiler changes how numbers are
#          computed and what it warns of. It does not change what a command says about its options or files:
#          whatever reads, writes and prints is compiled once more by clang for asan and tsan.
#   asan   Addresses and undefined behaviour in one build by clang: all unit tests, and all command-line tests
#          but those with a line "Plain build only: REASON". A sanitizer looks at code that runs and not at
#          results, and each REASON says why that test runs no code that others do not (by the lines that each
#          test runs in config=coverage, but for a few that only print).
#   tsan   Unit tests that speak of threads and command-line tests that set a number of threads other than
#          one, but those with a line "Not in tsan: REASON", which says what else runs the same loops.
#          Without two threads there is no race.
#   ubsan  Only psbench-import is not in asan's build, for assimp takes more addresses than that has.
set -u
cd "$(dirname "$0")/.." || exit 2
. tests/sums.sh
export WERROR=1
SECONDS=${SPENT:-0}
models=${PSB_DIR:-}
unset PSB_DIR # real models under a sanitizer take more time than they tell news

fuzz() {
    if make -s fuzz SECONDS="$([[ $all == yes ]] && echo 60 || echo 10)"; then
        echo '1 passed, 0 failed'
    else
        echo '0 passed, 1 failed'
    fi
}

# The long tests; real models where there are any.
long() {
    make -s -j2 all manual unit-tests examples bench-programs && PSB_DIR=$models tests/run.sh build/release --long
}

# tests_of KIND: paths of the tests that its build runs
tests_of() {
    case $1 in
    clang) ls tests/unit/test_*.c tests/cli/{table4,agreement}.sh ;;
    tsan)
        grep -l 'threads' tests/unit/test_*.c
        grep -LE '^# (Plain build only|Not in tsan): ' tests/cli/*.sh | xargs grep -lE -- '(-t|--threads)[ =]?("?\$|[2-9])'
        ;;
    *)
        ls tests/unit/test_*.c
        grep -L '^# Plain build only: ' tests/cli/*.sh
        ;;
    esac
}

# suite CONFIGURATION
suite() {
    local names
    mapfile -t names < <(tests_of "$1" | sed 's|.*/||; s|\..*||')
    make -s -j2 config="$1" all unit-tests examples manual && tests/run.sh "build/$1" --only "${names[@]}"
}

all=no
if [[ ${1:-} == all ]]; then
    all=yes
    shift
    [[ $# -gt 0 ]] || set -- long clang asan ubsan tsan fuzz slurm debian fresh
fi
[[ $# -gt 0 ]] || set -- long clang asan tsan fuzz slurm debian fresh
for kind in "$@"; do
    if [[ $SECONDS -gt 2400 && $all == no ]]; then
        echo "$kind left out: $SECONDS s are gone already"
        continue
    fi
    case $kind in
    fuzz | long) run "$kind" ;;
    slurm | debian | processors | dist) run "tests/$kind.sh" ;;
    fresh)
        run tests/fresh.sh bookworm
        run tests/fresh.sh trixie
        ;;
    memcheck) run make -s -j2 memcheck ;;
    *) if [[ $all == yes ]]; then
        run make -s -j2 config="$kind" test
    else
        run suite "$kind"
    fi ;;
    esac
done
total
