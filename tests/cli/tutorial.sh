# docs/tutorial.md as it stands: each command succeeds, and prints the lines below it, where "..." stands
# for any lines and blanks may be more or fewer.
tutorial=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/docs/tutorial.md
mkdir build
ln -s "$PSBENCH" build/psbench
plain() {
    sed -E 's/[[:space:]]+/ /g; s/^ //; s/ $//' "$@"
}
# What the last command printed, and what stands below it.
check() {
    local pattern='' line
    while IFS= read -r line; do
        [[ $line == ... ]] && pattern+='*' || pattern+=$(printf '%q' "$line")$'\n'
    done <<<"$1"
    # shellcheck disable=SC2053 # a pattern
    if [[ -n $1 && $(plain out)$'\n' != $pattern ]]; then
        echo 'is not what the tutorial says:'
        cat out
    fi
}
expected=
while IFS= read -r line; do
    case $line in
    '    build/psbench '* | '    mkdir '* | '    cp '*)
        check "$expected"
        expected=
        echo "${line#    }"
        eval "$line" >out 2>err || { echo "exit code $?"; cat err; }
        ;;
    '    '*) expected+=${expected:+$'\n'}$(plain <<<"$line") ;;
    esac
done <"$tutorial"
check "$expected"
find shapes_run/report/index.html plot.svg near.tsv chair.png
