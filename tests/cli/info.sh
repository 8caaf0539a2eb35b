# Annotations as text and as JSON; models that cannot be used are named and the others printed.
try() {
    "$PSBENCH" info "$@"
    echo "exit code $?"
}
try data/info/cube.off data/info/two_parts.off
# JSON has all digits, and the last of them depend on the machine.
try --json data/info/cube.off | sed -E 's/([0-9]\.[0-9]{6})[0-9]+/\1/g'
"$PSBENCH" info data/info/single.off | grep average_dihedral
"$PSBENCH" info --json data/info/single.off data/info/cube.off | grep -E 'file|average_dihedral' |
    sed -E 's/([0-9]\.[0-9]{6})[0-9]+/\1/g'
try data/info/cube.off data/info/no_area.off data/info/nonesuch.off >partial.txt
tail -n 1 partial.txt
diff <("$PSBENCH" info data/info/cube.off) <(sed '$d' partial.txt) && echo "the usable one"
try --json data/info/no_area.off
try
