# What the table of descriptors knows, and what a specification changes in it.
names=$("$PSBENCH" list | sed 1d | cut -d' ' -f1)
for name in $names; do
    "$PSBENCH" list "$name" | head -n 1 | grep -q "^$name: ." || echo "no heading for $name"
    length=$("$PSBENCH" list | awk -v name="$name" '$1 == name { print $2 }')
    "$PSBENCH" list "$name" | grep -q "^row  *$length numbers, " || echo "$name: other lengths"
done
"$PSBENCH" list all,DBUF,VIEWS,SPIN | grep -c "^source " | diff - <(echo "$names" | wc -l) &&
    echo "all are all of them but ours"
"$PSBENCH" list | grep ours
"$PSBENCH" list gedt,D2 | grep '^[A-Z0-9]*: '
"$PSBENCH" list GEDT:width=2 | sed -n '1p; /^  width/,/preset/p'
"$PSBENCH" list nonesuch >/dev/null 2>&1
echo $?
"$PSBENCH" list GEDT:width=2,form=nonesuch
echo $?
"$PSBENCH" list GEDT D2
# -v adds what it took, on stderr.
"$PSBENCH" list -v 'GEDT:width=2' 2>&1 >/dev/null | sed -E 's/[0-9.]+ (s|MiB)/N \1/g'
