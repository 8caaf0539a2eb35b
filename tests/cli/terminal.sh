# What a terminal shows: a table as wide as it, and bars that leave one line for each kind of work.
. "$(dirname "${BASH_SOURCE[0]}")/../support/few.sh"
if ! command -v script >/dev/null; then
    echo "no script(1), which makes terminals"
    exit 77
fi
"$PSBENCH" synth -q bench >/dev/null
base=bench/classification/v1/base
some 4 4 0 $base/test.cla >few.cla
mv few.cla $base/test.cla

# on_terminal COLUMNS ARGUMENT...: what psbench prints on a terminal of that width
on_terminal() {
    TERM=xterm script -qec "stty cols $1; '$PSBENCH' ${*:2}" /dev/null </dev/null | tr -d '\r'
}
words() { tr -s ' \n' '\n\n'; } # captions are wrapped at the width
"$PSBENCH" table4 -q --no-report --no-times --psb bench -o run >piped.txt
cmp piped.txt run/table.txt && echo 'no terminal: the whole table'
on_terminal 120 table4 -q --no-report --no-times --psb bench -o run | words | cmp - <(words <run/table.txt) && echo '120 columns: the same'
on_terminal 80 table4 -q --no-report --no-times --psb bench -o run >narrow.txt
awk 'length > 80' narrow.txt
head -n 5 narrow.txt
sed -n '/^Percent/,/^$/p' narrow.txt
cmp piped.txt run/table.txt && echo 'the file stays as it is'
# The same figures of each row, in tables below each other.
figures() {
    awk '$1 ~ /^[A-Z0-9]+$/ && $2 ~ /^-?[0-9.]+$/ { for (i = 2; i <= NF; i++) of[$1] = of[$1] " " $i }
        END { for (name in of) print name of[name] }' "$1" | sort
}
figures narrow.txt >left
figures piped.txt | cmp - left && wc -l <left

echo '== sums and re-ranked rows: the same two forms'
for made in 'combine run --sum SHD=1,D2=1 --name S' 'rerank run SHD'; do
    # shellcheck disable=SC2086 # arguments
    "$PSBENCH" $made >piped.txt
    cmp piped.txt run/table.txt
    on_terminal 80 $made >narrow.txt
    awk 'length > 80' narrow.txt
    grep -E '^(S|SHD\+kr) ' narrow.txt | cut -c 1-44
done

echo '== bars'
rm -r run
# What is left to see: without bars that were erased, and lines that the next one replaced.
TERM=xterm script -qec "'$PSBENCH' table4 --no-report -d SHELLS,D2,EGI --psb bench -o run >table.txt" /dev/null </dev/null >shown
sed -zE 's/\r\n/\n/g; s/[^\n]*\r\x1b\[K//g; :a; s/[^\n]*\n\x1b\[A\x1b\[K//; ta' shown |
    sed -E 's/ in [0-9:]+$/ in TIME/; s/^psbench: [0-9.]+ s wall.*/psbench: costs/'

echo '== eval: psbTable'"'"'s lines in pipes and with its options; a table as wide as the terminal, the best of it bold'
"$PSBENCH" run -q --no-times --cla $base/test.cla --models bench/db -d SHELLS,D2,EGI -o run >/dev/null
"$PSBENCH" eval run >lines.txt
on_terminal 80 eval run -macro | diff - <("$PSBENCH" eval run -macro) && echo 'psbTable'"'"'s own options: its lines'
"$PSBENCH" eval run -f txt >wide.txt
for columns in 60 80 120; do
    on_terminal $columns eval run >shown.txt
    echo "$columns columns: $(grep -c $'\x1b\\[1m' shown.txt) lines with something bold"
    sed 's/\x1b\[[0-9]*m//g' shown.txt >plain.txt
    awk -v most=$columns 'length > most' plain.txt
    [[ $columns == 60 ]] && cat plain.txt || cmp plain.txt wide.txt
done
NO_COLOR=1 on_terminal 80 eval run | cmp - wide.txt && echo 'NO_COLOR: nothing bold'
on_terminal 50 eval run --per class >shown.txt
awk 'length > 50' shown.txt
head -n 20 shown.txt
on_terminal 80 eval run D9 | cat -v
NO_COLOR=1 on_terminal 80 eval run D9
on_terminal 80 distance run/D2 -o d2.matrix | grep next
