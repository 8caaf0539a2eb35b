# What the table of descriptors knows, and what a specification changes in it.
names=$("$PSBENCH" list | sed 1d | cut -d' ' -f1)
for name in $names; do
    "$PSBENCH" list "$name" | head -n 1 | grep -q "^$name: ." || echo "no heading for $name"
    length=$("$PSBENCH" list | awk -v name="$name" '$1 == name { print $2 }')
    "$PSBENCH" list "$name" | grep -q "^row  *$length numbers, " || echo "$name: other lengths"
done
diff <("$PSBENCH" list all | grep -oE '^[A-Z0-9]+: ') <(head -n 12 <<<"$names" | sed 's/$/: /') &&
    echo "all are the paper's twelve"
"$PSBENCH" list | grep -E '^(DBUF|VIEWS|SPIN) '
# A message about a name that is not there lists those that are (tests/run.sh leaves the lists out).
listed() {
    "$@" 2>&1 | sed -n "s/.*there are //p" | tr -s ', ' '\n' | sed 's/@K$//'
}
diff <(listed "$PSBENCH" list nonesuch) <(echo "$names") && echo 'all descriptors are listed'
diff <(listed "$PSBENCH" eval -m nonesuch x.cla y.matrix) \
    <("$PSBENCH" eval --measures help | sed -nE 's/^([a-z][a-z0-9_]*).*/\1/p') && echo 'all measures are listed'
"$PSBENCH" distance --metric nonesuch -o x.matrix y.npy 2>&1 | tr -s ', ' '\n' | grep -cxE 'l1|l2|lfd|cosine|chi2|pose8|pose48|hamming'
"$PSBENCH" list gedt,D2 | grep '^[A-Z0-9]*: '
"$PSBENCH" list GEDT:width=2 | sed -n '1p; /^  width/,/default/p'
"$PSBENCH" list SHD,GEDT | grep " under "
"$PSBENCH" list nonesuch >/dev/null 2>&1
echo $?
"$PSBENCH" list GEDT:width=2,form=nonesuch
echo $?
"$PSBENCH" list GEDT D2
# -v adds what it took, on stderr.
"$PSBENCH" list -v 'GEDT:width=2' 2>&1 >/dev/null | sed -E 's/[0-9.]+ (s|MiB)/N \1/g'
