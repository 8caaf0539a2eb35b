# Every example of every command's help, in the overview's order, as someone would type it, with
# the generated benchmark for the paper's: of each of four classes four models to train and four to test.
# Long: a minute of a processor, for commands that other tests run, too.
# Plain build only: these are the commands of other tests once more, as documents have them.
. "$(dirname "${BASH_SOURCE[0]}")/../support/samples.sh"

# What a build without libarchive has to say about examples with archives.
refusal=
! psbench version | grep -q 'archives *none' || refusal='built without libarchive'

ran=0
# try EXAMPLE...: runs them, and says which ended in what code but 0, and why.
try() {
    local example code
    for example in "$@"; do
        eval "$example" >out 2>err </dev/null
        code=$?
        ran=$((ran + 1))
        if [[ -n $refusal && $example == *.tar/* ]]; then
            grep -q "$refusal" err || echo "not refused: $example"
            continue
        fi
        # Nothing that is generated is of the paper's object types, of which Table 5 speaks.
        if [[ $code -ne 0 && $example != *table5* ]]; then
            echo "$code: $example"
            cat err
        fi
    done
}
joined() { # lines that end with a backslash, with the next
    sed -e ':a' -e '/\\$/N; s/\\\n *//; ta'
}
for command in $(psbench help | sed -n 's/^  \([a-z0-9-]*\)  .*/\1/p' | grep -v '^psbench$'); do
    mapfile -t examples < <(psbench help "$command" | awk 'NR > 1 && NF == 0 { first = 1 } NR > 1 && !first && (/^  [^ ]/ || on) { print } { on = /\\$/ } more { print } /^More examples:/ { more = 1 }' |
        joined)
    [[ ${#examples[@]} -gt 1 ]] || echo "the help of $command has no two examples"
    # Examples of other commands have added methods since, so the run's pages are stale, as verify says.
    [[ $command != verify ]] || psbench report -q run-psb
    try "${examples[@]}"
done
[[ $ran -gt 60 ]] && echo "all examples were run"
