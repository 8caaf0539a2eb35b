#!/usr/bin/env bash
# Runs every test against one build and ends with the line "N passed, N failed".
#
#   tests/run.sh [BUILD_DIR]                 all but the long ones; BUILD_DIR defaults to build/release
#   tests/run.sh [BUILD_DIR] --long          the long ones: command-line tests with a line "Long: REASON"
#   tests/run.sh [BUILD_DIR] --only NAME...  those: structure, test_x of tests/unit, x of tests/cli
#   tests/run.sh [BUILD_DIR] --redo NAME...  writes what tests/cli/NAME.sh prints now as expected
#   tests/run.sh [BUILD_DIR] --memcheck [NAME...]  the command-line tests under valgrind
#
# Unit tests are the programs that make built in BUILD_DIR/tests/unit. A command-line test
# tests/cli/NAME.sh runs in a fresh folder that holds nothing but `data`, a link to tests/data; it
# calls the program as "$PSBENCH". Its output has to be that of NAME.out, its errors NAME.err, its
# exit code NAME.rc (no file: nothing, nothing, 0). One that exits with 77 is skipped; its output
# says why.
set -u
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
if [[ $# -gt 0 && $1 != --* ]]; then
    build=$(cd "$1" && pwd) || exit 2
    shift
else
    build=$(cd "$here/../build/release" && pwd) || exit 2
fi
if [[ -n ${PSB_DIR:-} ]]; then
    PSB_DIR=$(cd "$PSB_DIR" && pwd) || exit 2
    export PSB_DIR
fi
cd "$here/.." || exit 2
export PSBENCH=$build/psbench

# For sanitizer builds: a size that is too large is an error to be handled, not a reason to abort.
# ThreadSanitizer follows OpenMP through archer, which comes with clang's libomp.
export ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1:allocator_may_return_null=1
export LSAN_OPTIONS=suppressions=$here/lsan.supp:print_suppressions=0
export UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=ignore_noninstrumented_modules=1:allocator_may_return_null=1
archer=$(find /usr/lib/llvm-*/lib -name libarcher.so 2>/dev/null | head -n 1)
if [[ $(basename "$build") == tsan && -n $archer ]]; then
    export OMP_TOOL_LIBRARIES=$archer
fi
export TERM=dumb
unset POSIXLY_CORRECT
unset MAKEFLAGS MFLAGS MAKELEVEL # a test that calls make is not part of the make that called it

temporary=$(mktemp -d) || exit 2
trap 'rm -rf "$temporary"' EXIT

passed=0
failed=0
skipped=0
patience=1500 # seconds after which a command-line test counts as one that hangs
only=        # names of the tests that are wanted; none: all but the long ones
mapfile -t long < <(grep -l '^# Long: ' tests/cli/*.sh | sed 's|.*/||; s|\.sh$||')

# tally SUITE PASSED FAILED SKIPPED [FILE]: adds to the sums; shows the file where something failed
tally() {
    passed=$((passed + $2))
    failed=$((failed + $3))
    skipped=$((skipped + $4))
    printf '%-28s %4d passed, %d failed' "$1" "$2" "$3"
    [[ $4 -eq 0 ]] || printf ', %d skipped' "$4"
    printf '\n'
    [[ $3 -eq 0 ]] || sed 's/^/    /' "$5"
}

# spread COMMAND...: runs it beside others, as many at a time as there are processors
spread() {
    while [[ $(jobs -rp | wc -l) -ge $(nproc) ]]; do
        wait -n
    done
    "$@" &
}

# run_tap SUITE COMMAND...: runs what reports its tests as lines "ok ..." and "not ok ..."
run_tap() {
    local place=$temporary/$1
    mkdir -p "$place"
    timeout "$patience" "${@:2}" >"$place/log" 2>&1 </dev/null
    echo $? >"$place/rc"
}

# tally_tap SUITE: counts what run_tap left
tally_tap() {
    local suite=$1 log=$temporary/$1/log code ok bad skip
    code=$(<"$temporary/$suite/rc")
    skip=$(grep -cE '^(not )?ok .*# SKIP' "$log")
    ok=$(grep -E '^ok ' "$log" | grep -cv '# SKIP')
    bad=$(grep -E '^not ok' "$log" | grep -cv '# SKIP')
    # It crashed, hung, or a sanitizer spoke up after the last test.
    if [[ $code -ne 0 && $bad -eq 0 ]]; then
        echo "exit code $code" >>"$log"
        bad=1
    fi
    # The reason is what the test said before.
    awk -v suite="$suite" '/^(not )?ok .*# SKIP/ { sub(/^(not )?ok( [0-9]+)?( -)? /, ""); sub(/# SKIP */, "")
            print "skipped: " suite ": " $0 (said ~ /^(#|1\.\.|ok|not ok)/ ? "" : ": " said) }
        { said = $0 }' "$log"
    tally "$suite" "$ok" "$bad" "$skip" "$log"
}

# run_script NAME: leaves out, err and rc of one command-line test in $temporary/NAME. Where a message lists all names of
# a table, "..." stands for them, so that a new descriptor, metric or measure changes no stored message (cli/list checks
# the lists).
run_script() {
    local place=$temporary/$1
    mkdir -p "$place/cwd"
    ln -s "$here/data" "$place/cwd/data"
    (cd "$place/cwd" && timeout "$patience" bash "$here/cli/$1.sh") \
        >"$place/out" 2>"$place/err" </dev/null
    echo $? >"$place/rc"
    sed -E -i "s/(there is no (descriptor|metric|measure) '[^']*'( \(did you mean [^)]*\))?; there are ).*/\1.../; s/(--metric is ).*(, not ')/\1...\2/" "$place/out" "$place/err"
    # Work that takes long, which depends on the machine, says each minute how far it is.
    sed -E -i '/^psbench: [^:]+: [0-9]+\/[0-9]+ +[0-9]+ %/d' "$place/err"
    rm -rf "$place/cwd"
    # Processor seconds, which other work on the machine hardly changes. Only this test ran in this process.
    times >"$place/times"
    awk -v name="$1" 'NR == 2 { split($1 $2, t, /[ms]/); printf "%d s %s\n", 60 * (t[1] + t[3]) + t[2] + t[4], name }' \
        "$place/times" >"$place/time"
}

# A stream that should be as its file says, where no file means empty (0 for the exit code).
expected() {
    if [[ -e $here/cli/$1.$2 ]]; then
        cat "$here/cli/$1.$2"
    elif [[ $2 == rc ]]; then
        echo 0
    fi
}

# choose NAME...: from now on only those tests are wanted
choose() {
    local name
    for name in "$@"; do
        if [[ $name != structure && ! -e $here/unit/$name.c && ! -e $here/cli/$name.sh ]]; then
            echo "there is no test $name: neither tests/unit/$name.c nor tests/cli/$name.sh" >&2
            exit 2
        fi
    done
    only="$*"
}

# wanted NAME: whether that test is among those asked for; where nothing was asked for, whether it is not a long one
wanted() {
    if [[ -n $only ]]; then
        [[ " $only " == *" $1 "* ]]
    else
        [[ " ${long[*]} " != *" $1 "* ]]
    fi
}

# Starts the command-line tests that are wanted.
begin_cli() {
    local script name
    for script in "$here"/cli/*.sh; do
        name=$(basename "$script" .sh)
        ! wanted "$name" || spread run_script "$name"
    done
}

# Counts what these left.
tally_cli() {
    local ok=0 bad=0 skip=0 script name stream fine log=$temporary/cli_log
    : >"$log"
    for script in "$here"/cli/*.sh; do
        name=$(basename "$script" .sh)
        wanted "$name" || continue
        if [[ $(<"$temporary/$name/rc") -eq 77 ]]; then
            echo "skipped: cli/$name: $(head -n 1 "$temporary/$name/out")"
            skip=$((skip + 1))
            continue
        fi
        fine=1
        for stream in out err rc; do
            expected "$name" "$stream" >"$temporary/expected"
            if ! diff -au --label "expected $stream of cli/$name" --label "$stream now" \
                "$temporary/expected" "$temporary/$name/$stream" >>"$log"; then
                fine=0
            fi
        done
        if [[ $fine -eq 1 ]]; then
            ok=$((ok + 1))
        else
            bad=$((bad + 1))
        fi
    done
    tally cli "$ok" "$bad" "$skip" "$log"
    [[ $((ok + bad)) -lt 20 ]] || sort -rn "$temporary"/*/time | head -n 12 | paste -sd, | sed 's/^/    the longest, in seconds of a processor: /; s/,/, /g'
}

# outdated PROGRAM...: names what is newer than one of the programs' objects (a source that make noted for it) or than
# what is linked from them. Notes of objects whose own source, the first that is noted, was removed do not count.
outdated() {
    local part source program first tested=$build/tests/libtested.so
    first=$(stat -c '%Y %n' "$build/psbench" "$tested" "$@" | sort -n | sed -n '1s/^[0-9]* //p')
    for part in src tools tests/support tests/fuzz; do
        find "$build/$part" -name '*.d'
    done >"$temporary/notes"
    printf '%s\n' "${@/%/.d}" >>"$temporary/notes"
    find src tools include tests -name '*.[ch]' -newer "$first" >"$temporary/newer"
    xargs awk -v newer="$temporary/newer" 'BEGIN { while ((getline source < newer) > 0) changed[source] }
            FNR == 1 { own = "" }
            { for (i = 1; i <= NF; i++) {
                if (own == "" && $i !~ /:$/ && $i != "\\") { own = $i; there = (getline line < own) >= 0; close(own) }
                if (there && $i in changed) print $i, FILENAME
            } }' <"$temporary/notes" |
        while read -r source part; do
            [[ ! $source -nt ${part%.d}.o ]] || echo "$source"
        done
    grep -E '^src/.*\.c$' "$temporary/newer" | while read -r source; do
        compgen -G "$build/${source%.c}*.o" >/dev/null || echo "$source"
    done
    find "$build/src" -name '*.o' -newer "$build/psbench"
    find "$build/src" -name '*.o' -not -path '*/src/cli/*' -newer "$tested"
    for program in "$@"; do
        [[ ! $program.o -nt $program ]] || echo "$program.o"
    done
}

# Ends the script if a program that it would run is not there or older than the sources.
refuse_old_programs() {
    local source name programs=() missing=0
    for source in tests/unit/test_*.c; do
        name=$(basename "$source" .c)
        ! wanted "$name" || programs+=("$build/tests/unit/$name")
    done
    for name in "$build/psbench" "$build/tests/libtested.so" "${programs[@]}"; do
        [[ -x $name ]] || missing=$name
    done
    if [[ $missing != 0 ]]; then
        echo "there is no $missing"
    else
        outdated "${programs[@]}"
    fi | sort -u | head -n 5 >"$temporary/outdated"
    if [[ -s $temporary/outdated ]]; then
        { echo 'Programs are older than the sources; `make all unit-tests` makes them anew. Newer are, among others:'
            cat "$temporary/outdated"; } >&2
        exit 2
    fi
}

redo() {
    local name stream
    for name in "$@"; do
        if [[ ! -e $here/cli/$name.sh ]]; then
            echo "there is no tests/cli/$name.sh" >&2
            exit 2
        fi
        run_script "$name"
        for stream in out err rc; do
            rm -f "$here/cli/$name.$stream"
            if ! expected "$name" "$stream" | cmp -s - "$temporary/$name/$stream"; then
                cp "$temporary/$name/$stream" "$here/cli/$name.$stream"
            fi
        done
    done
}

if [[ ${1:-} == --redo ]]; then
    shift
    redo "$@"
    exit 0
fi

# Puts valgrind before every call of the program. What it finds changes the exit code, and stands in
# a log of its own; that memory is still reachable at the end is no finding. The tests look for other
# programs beside the one that they call, so it stands in the build folder.
under_valgrind() {
    local real=$PSBENCH
    mkdir "$temporary/valgrind"
    export PSBENCH=$build/psbench-memcheck MEMCHECK=1
    trap 'rm -rf "$temporary" "$PSBENCH"' EXIT
    cat >"$PSBENCH" <<END
#!/bin/sh
exec valgrind -q --error-exitcode=99 --leak-check=full --show-leak-kinds=definite \\
    --errors-for-leak-kinds=definite --suppressions='$here/memcheck.supp' \\
    --log-file='$temporary/valgrind/%p' '$real' "\$@"
END
    chmod +x "$PSBENCH"
    patience=3600
}

if [[ ${1:-} == --memcheck ]]; then
    choose "${@:2}"
    unset PSB_DIR # real models under valgrind take more time than they tell news
    under_valgrind
    begin_cli
    wait
    tally_cli
    if [[ -n $(find "$temporary/valgrind" -type f -size +0 -exec cat {} + | tee /dev/stderr) ]]; then
        failed=$((failed + 1))
    fi
    printf '%d passed, %d failed\n' "$passed" "$failed"
    [[ $failed -eq 0 ]]
    exit
fi

[[ ${1:-} != --only ]] || choose "${@:2}"
[[ ${1:-} != --long ]] || choose "${long[@]}"
refuse_old_programs
# Unit tests are short: behind the others they leave no processor without work at the end.
begin_cli
suites=()
if wanted structure; then
    suites+=(structure)
    spread run_tap structure tests/structure.sh "$build"
fi
for source in tests/unit/test_*.c; do
    name=$(basename "$source" .c)
    if wanted "$name"; then
        suites+=("unit/$name")
        CMOCKA_MESSAGE_OUTPUT=TAP spread run_tap "unit/$name" "$build/tests/unit/$name"
    fi
done
wait
for suite in "${suites[@]}"; do
    tally_tap "$suite"
done
tally_cli
[[ -n $only ]] || echo "left to make test-long: ${long[*]}"

printf '%d passed, %d failed' "$passed" "$failed"
[[ $skipped -eq 0 ]] || printf ', %d skipped' "$skipped"
printf '\n'
[[ $failed -eq 0 ]]
