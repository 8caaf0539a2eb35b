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
