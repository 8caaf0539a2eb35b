# Queries counted by parts give the bits of one process, whatever has become of the parts.
# Not in tsan: its loops are those of cohort; parts are processes.
. "$(dirname "$0")/../support/flip.sh"
. "$(dirname "$0")/../support/features.sh"
check() { # check NAME METRIC VIEW...: the parts in the folder `parts` against one process
    "$PSBENCH" eval -q "$1.cla" "$1.npy" --metric "$2" "${@:3}" >whole.out
    "$PSBENCH" eval -q "$1.cla" "$1.npy" --metric "$2" "${@:3}" -o parts >parts.out
    cmp whole.out parts.out && echo 'the same bits'
}
for set in floats:l1 floats:l2 lfd:lfd; do
    name=${set%:*} metric=${set#*:}
    for n in 1 3 8; do
        rm -rf parts
        for ((i = n - 1; i >= 0; i--)); do
            "$PSBENCH" eval -q "$name.cla" "$name.npy" --metric "$metric" -m all --per model -f json \
                -o parts --part $i/$n -t $((i % 2 + 1)) || echo "exit code $?"
        done
        ls parts | sed 's/^[0-9a-f]*-//'
        "$PSBENCH" eval -q "$name.cla" "$name.npy" --metric "$metric" -m all --per model -f json -o parts --complete >complete.out || echo "exit code $?"
        check "$name" "$metric" -m all --per model -f json
        cmp complete.out parts.out
    done
done

echo '== a part is missing, one is damaged, one of another N is there'
part() {
    "$PSBENCH" eval -q floats.cla floats.npy --metric l2 "$@" -o parts
    echo "exit code $?"
}
rm -rf parts
part --part 0/3
part --part 2/3
part --complete
check floats l2
flip "$(ls parts/*-0-of-3.values)" 100
part --complete
check floats l2
part --part 0/2
part --complete
part --part 1/2
part --complete
check floats l2
echo '== other measures, features and classes are counted for themselves'
part --complete -m dcg
sed 's/^m5$/x5/; s/^m6$/m5/; s/^x5$/m6/' floats.cla >swapped.cla
"$PSBENCH" eval -q swapped.cla floats.npy --metric l2 -o parts --complete
echo "exit code $?"
echo '== search'
search() {
    "$PSBENCH" search -q --queries floats.npy --database floats.npy --metric l2 -k 20 "$@"
}
search -o lists
for n in 1 3 8; do
    for ((i = 0; i < n; i++)); do
        search -o lists.$i --part $i/$n
    done
    { cat lists.0; tail -qn +3 $(seq -f lists.%g 1 $((n - 1))) </dev/null; } | cmp - lists && echo 'the same bytes'
done
search -o lists --part 3/3
echo '== every part has as many queries as another, or one less'
for ((i = 0; i < 7; i++)); do
    search -o lists.$i --part $i/7
    tail -n +3 lists.$i | cut -f1 | uniq | wc -l
done | sort | uniq -c
echo '== light fields: few neighbours, which begin with the rows of like outlines, are the first of many'
{ npy '|u1' 150 4700 && LC_ALL=C awk 'BEGIN {
    for (i = 0; i < 150 * 4700; i++) {
        mixed = (mixed * 16807 + 11) % 2147483647
        printf "%c", 1 + int(i / 4700) * 37 % 61 + mixed % (20 + i % 47)
    }
}'; } >light.npy
lfd() {
    "$PSBENCH" search -q --queries light.npy --database light.npy --metric lfd -k "$1" -o - "${@:2}" | tail -n +3
}
lfd 60 >many
for k in 1 4 9; do
    lfd $k >few
    for i in 0 1 2; do
        lfd $k --part $i/3
    done >parts_of_few
    awk -F '\t' -v k=$k '$2 <= k' many | cmp - few && cmp few parts_of_few && wc -l <few
done
echo '== wrong usage'
"$PSBENCH" distance -q --metric l2 -o floats.matrix floats.npy
"$PSBENCH" eval floats.cla floats.matrix -o parts
"$PSBENCH" eval floats.cla floats.npy --metric l2 --part 0/2
"$PSBENCH" eval floats.cla floats.npy --metric l2 -o parts --part 2/2
"$PSBENCH" eval floats.cla floats.npy --metric l2 -o parts --part 0/2 --complete
exit 0
