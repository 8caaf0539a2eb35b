# Ranked lists for other programs: every format, as it lies in the files, names that are not plain,
# and what is refused before anything is written. That trec_eval makes of them what it should:
# agreement.sh.
printf 'PSB 1\n3 7\na 0 3\nx\ny\nz%%s\nb 0 3\n-q\nw;&|w\n\303\251\n-1 0 1\nleft\n' >c.cla
for row in '0 1 2 3 4 5 6' '1 0 1 1 1 9 1' '2 1 0 3 3 3 3' '3 1 3 0 2 1 0' '4 1 3 2 0 7 7' '5 9 3 1 7 0 2' \
    '6 1 3 0 7 2 0'; do
    echo "$row"
done >one.txt
mkdir deep 'a b'
awk '{ for (i = NF; i > 1; i--) printf "%s ", $i; print $1 }' one.txt >deep/one.txt
cp one.txt 'a b/my  matrix.txt'
tell() {
    "$@" >out 2>err
    echo "exit code $?"
    sed 's/^/says: /' out err
}

echo '== trec: relevance of the queries that take part, and a line for each model of each query'
tell "$PSBENCH" export c.cla one.txt -o trec
cat trec/qrels.txt
grep -E '^(x|-q) ' trec/one.run
awk '{ lines[$1]++; sum += $4; good += NF == 6 && $2 == "Q0" && $6 == "one" && $4 + $5 == 7 }
    END { for (q in lines) print q, lines[q]; print good, "good lines, ranks", sum }' trec/one.run | sort

echo '== shrec: a file for each query, the nearest first, with the distance as it is'
tell "$PSBENCH" export c.cla one.txt -f shrec -o shrec
find shrec -type f | sort
cat shrec/one/y
# Whatever the format: the same order.
for query in x y z%s -q 'w;&|w' $'\303\251'; do
    cut -d ' ' -f 1 "shrec/one/$query" |
        cmp - <(awk -v q="$query" '$1 == q { print $3 }' trec/one.run) || echo "another order for $query"
done

echo '== several matrices, names with blanks, names that are the same'
tell "$PSBENCH" export c.cla one.txt deep/one.txt 'a b/my  matrix.txt' -o several
(cd several && ls)
cut -d ' ' -f 6- 'several/my  matrix.run' | sort -u
cmp <(cut -d ' ' -f 1-5 several/one.txt.run) <(cut -d ' ' -f 1-5 'several/my  matrix.run') && echo "the same"

echo '== what is there is replaced, as a whole'
cp trec/one.run first.run
echo damaged >trec/one.run
tell "$PSBENCH" export c.cla one.txt -o trec
cmp first.run trec/one.run && echo "as before"

echo '== refused'
tell "$PSBENCH" export c.cla one.txt -f json -o refused
tell "$PSBENCH" export c.cla one.txt -o c.cla
tell "$PSBENCH" export c.cla missing.txt -o refused
sed 's/^y$/..\/y/' c.cla >outside.cla
tell "$PSBENCH" export outside.cla one.txt -f shrec -o refused
head -n 6 one.txt >short.txt
tell "$PSBENCH" export c.cla short.txt -o refused
mkdir deep_er deep/er
cp one.txt deep_er/
cp one.txt deep/er/
tell "$PSBENCH" export c.cla deep_er/one.txt deep/er/one.txt -o refused
printf 'PSB 1\n1 7\n-1 0 7\nx\ny\nz\nu\nv\nw\nt\n' >none.cla
tell "$PSBENCH" export none.cla one.txt -o refused
ls refused 2>/dev/null
head -n 3 c.cla
