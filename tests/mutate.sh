#!/usr/bin/env bash
# Tests the tests: makes one small mistake after the other in a copy of the sources and says which test
# notices it. tests/mutations holds the mistakes. Ends with the line "N caught, N survived, N unfit" and
# fails unless all are caught. A mistake is unfit where its old text is not in the sources exactly once, or
# where the sources do not compile with it.
#
#   tests/mutate.sh [WORD...]     all of them, or those whose line has one of the words
#
# The copy and its build stay in build/mutate, so the next call compiles only what has changed since.
set -u
cd "$(dirname "$0")/.." || exit 2
copy=$PWD/build/mutate
caught=0
survived=0
unfit=0

# The files as they are here, committed or not; a file of the same bytes keeps its time.
update_copy() {
    local file
    mkdir -p "$copy"
    while read -r file; do
        cmp -s "$file" "$copy/$file" || cp --parents "$file" "$copy" || return
    done < <(git ls-files --cached --others --exclude-standard --deduplicate | while read -r file; do
        [[ ! -f $file ]] || echo "$file"
    done)
    while read -r file; do
        [[ -e $file ]] || rm "$copy/$file"
    done < <(cd "$copy" && find src tools include tests bench examples -type f)
}

build() {
    make -s -C "$copy" -j"$(nproc)" all unit-tests manual >"$copy/build.log" 2>&1
}

# replace FILE OLD NEW: false where OLD is not in the file exactly once
replace() {
    local text
    text=$(<"$1")
    [[ $text == *"$2"* && $text != *"$2"*"$2"* ]] || return
    printf '%s%s%s\n' "${text%%"$2"*}" "$3" "${text#*"$2"}" >"$1"
}

# first_to_fail TEST...: prints the name of the first test that fails; a test that hangs fails
first_to_fail() {
    local test
    for test in "$@"; do
        if ! timeout 600 "$copy/tests/run.sh" "$copy/build/release" --only "$test" >"$copy/test.log" 2>&1; then
            echo "$test"
            return
        fi
    done
    return 1
}

# judge BASE_NAME OLD NEW TESTS
judge() {
    local file tests by
    file=$(cd "$copy" && grep -rlF --include="$1" -e "$2" src tools)
    read -r -a tests <<<"$4"
    if [[ ! -f $copy/$file ]] || ! cp "$copy/$file" "$copy/original" || ! replace "$copy/$file" "$2" "$3"; then
        unfit=$((unfit + 1))
        echo "UNFIT     $1: $2"
        return
    fi
    if ! build; then
        unfit=$((unfit + 1))
        echo "UNFIT     $1: $2 -> $3 does not compile"
    elif by=$(first_to_fail "${tests[@]}"); then
        caught=$((caught + 1))
        echo "caught    $1: $2 -> $3 ($by)"
    else
        survived=$((survived + 1))
        echo "SURVIVED  $1: $2 -> $3 ($4)"
    fi
    cp "$copy/original" "$copy/$file"
}

# chosen LINE WORD...
chosen() {
    local word
    [[ $# -gt 1 ]] || return 0
    for word in "${@:2}"; do
        [[ $1 != *"$word"* ]] || return 0
    done
    return 1
}

update_copy || exit 2
while IFS= read -r line <&3; do
    if [[ -z $line || $line == '#'* ]] || ! chosen "$line" "$@"; then
        continue
    fi
    IFS=$'\t' read -r name old new tests <<<"$line"
    judge "$name" "$old" "$new" "$tests"
done 3<tests/mutations
build || exit 2
echo "$caught caught, $survived survived, $unfit unfit"
[[ $survived -eq 0 && $unfit -eq 0 && $caught -gt 0 ]]
