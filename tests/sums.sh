# For scripts that run the tests several times: `run` adds up their last lines, `total` prints the sum.
# shellcheck shell=bash
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
passed=0
failed=0

# run COMMAND...: one run of the tests; its last line is added to the sums
run() {
    echo "== $*"
    local began=$SECONDS
    "$@" 2>&1 | tee "$log"
    local code=${PIPESTATUS[0]} sums
    echo "== it took $((SECONDS - began)) s"
    sums=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
    if [[ $sums =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed ]]; then
        passed=$((passed + BASH_REMATCH[1]))
        failed=$((failed + BASH_REMATCH[2]))
        [[ $code -eq 0 || ${BASH_REMATCH[2]} -gt 0 ]] || failed=$((failed + 1))
    else
        failed=$((failed + 1)) # it did not come as far as testing
    fi
}

# The last line of all; false where something failed.
total() {
    echo "$passed passed, $failed failed"
    [[ $failed -eq 0 ]]
}
