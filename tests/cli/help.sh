# The ways to a command's help say the same, and every command of the overview has one.
"$PSBENCH" help version
"$PSBENCH" version --help | diff - <("$PSBENCH" help version) && echo "--help is the same"
"$PSBENCH" version -h | diff - <("$PSBENCH" help version) && echo "-h is the same"
"$PSBENCH" --help | diff - <("$PSBENCH" help) && echo "psbench help is psbench --help"
"$PSBENCH" >out 2>err
echo "$? without arguments, and $(wc -c <out) bytes on stdout"
diff err <("$PSBENCH" help) && echo "the overview on stderr"
for command in $("$PSBENCH" help | sed -n 's/^  \([a-z0-9-]*\)  .*/\1/p' | grep -v '^psbench$'); do
    "$PSBENCH" help "$command" | head -n 1 | grep -qF "Usage: psbench $command [options]" ||
        echo "psbench help $command does not begin with its usage"
done
# Options that share one help share a line, and limits stand with the other words in brackets.
"$PSBENCH" help run | grep -E -- '--class-column|--level'
# A command that needs arguments shows its usage and one example without them; these five need none.
cd "$(mktemp -d -p .)" || exit
for command in $("$PSBENCH" help | sed -n 's/^  \([a-z0-9-]*\)  .*/\1/p' | grep -vE '^(psbench|table4|list|cite|help|version)$'); do
    "$PSBENCH" "$command" >out 2>err </dev/null
    [[ $? == 2 && ! -s out ]] || echo "psbench $command: not exit code 2"
    "$PSBENCH" help "$command" | sed '/^$/,$d' | diff <(head -n -2 err) - || echo "psbench $command: no usage and example"
    [[ $(grep -c '^  psbench' err) == 1 ]] || echo "psbench $command: not one example"
    tail -n 1 err | grep -qxF "See 'psbench help $command'." || echo "psbench $command: no pointer to its help"
done
