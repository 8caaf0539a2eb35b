# Nearest-neighbor classification against a plain reference: accuracy at each level of a hierarchy and
# confusions, from a matrix and from lists, of one set and of two.
cat >set.cla <<'END'
PSB 1
8 21

top 0 0

left top 4
a
b
c
d
right top 4
e
f
g
h
under right 3
i
j
k
other 0 4
l
m
n
o
small 0 2
p
q
-1 0 2
r
s
last other 2
t
u
END
awk 'BEGIN { for (i = 0; i < 21; i++) { for (j = 0; j < 21; j++) printf "%d ", i == j ? 0 : (i * i * 7 + j * 13 + i * j * 3) % 17 + 1; print "" } }' >m.txt
"$PSBENCH" export -q set.cla m.txt -o lists

# reference K LEVEL [cut]: micro average, then "class taken number" a line; who takes part is said by the
# classes, or by those that are cut at the level
reference() {
    awk -v k="$1" -v level="$2" -v cut="${3:+1}" '
        FNR == NR {
            if (FNR > 2 && NF == 3) {
                name = ($2 == "0" ? "" : full[$2] "___") $1
                full[$1] = name; class = cut ? label(name) : name
            } else if (FNR > 2 && NF == 1) { of[++n] = class; size[class]++ }
            next
        }
        { q++ }
        size[of[q]] < 3 || of[q] == "-1" { next }
        {
            delete taken; delete votes; best = 0; got = ""
            for (r = 1; r <= k; r++) {
                near = 0
                for (t = 1; t <= n; t++) if (t != q && !(t in taken) && (!near || $t < $near)) near = t
                taken[near]; order[r] = label(of[near]); votes[order[r]]++
                if (votes[order[r]] > best) best = votes[order[r]]
            }
            for (r = k; r >= 1; r--) if (votes[order[r]] == best) got = order[r]
            right += got == label(of[q]); queries++
            confused[label(of[q]) " " got]++
        }
        function label(name,   parts, i, m, s) {
            m = split(name, parts, /___/); s = parts[1]
            for (i = 2; i <= m && i <= level; i++) s = s "___" parts[i]
            return s
        }
        END { printf "%.6f\n", right / queries; for (c in confused) print c, confused[c] | "sort" }' set.cla m.txt
}
# What the table of confusions has, as the reference says it.
flat() {
    awk -F '\t' 'NR == 1 { for (i = 2; i <= NF; i++) name[i] = $i; next }
        { for (i = 2; i <= NF; i++) if ($i > 0) print $1, name[i], $i }' | sort
}
for k in 1 2 3 5 20; do
    for level in 1 2 3; do
        "$PSBENCH" classify -q set.cla m.txt -k $k -f tsv | sed 1d | cut -f $((level + 1)) >ours
        reference $k $level | head -n 1 | cmp - ours && echo "k=$k, level $level: $(cat ours)"
        reference $k $level cut >expected
        {
            "$PSBENCH" classify -q set.cla m.txt -k $k -f tsv --level $level | sed 1d | awk '{ print $NF }'
            "$PSBENCH" classify -q set.cla m.txt -k $k -f tsv --confusion --level $level | flat
        } | cmp - expected && echo "k=$k, --level $level: $(head -n 1 expected)"
    done
    "$PSBENCH" classify -q set.cla m.txt -k $k -f tsv | sed 's/^[^\t]*//' >matrix
    "$PSBENCH" classify -q set.cla lists/m.run -k $k -f tsv | sed 's/^[^\t]*//' | cmp - matrix && echo "k=$k: lists the same"
done

echo '== one neighbor, at the deepest level: the measure nearest_neighbor'
for per in micro macro class model; do
    "$PSBENCH" classify -q set.cla m.txt --per $per -f tsv | awk -F '\t' '{ print $NF }' | sed 1d >ours
    "$PSBENCH" eval -q set.cla m.txt --per $per -f tsv -m nearest_neighbor | awk -F '\t' '{ print $NF }' | sed 1d |
        cmp - ours && echo "$per: the same"
done

echo '== two sets: training models vote'
printf 'PSB 1\n2 3\na 0 2\nx\ny\nb 0 1\nz\n' >train.cla
printf 'PSB 1\n3 3\nb 0 1\none\na 0 1\ntwo\nc 0 1\nthree\n' >test.cla
printf '3 2 1\n1 5 1\n1 1 1\n' >two.txt
for k in 1 2 3; do
    "$PSBENCH" classify -q --queries test.cla --targets train.cla two.txt -k $k -f tsv
    "$PSBENCH" classify -q --queries test.cla --targets train.cla two.txt -k $k --confusion
done

tell() {
    "$@" 2>&1
    echo "exit code $?"
}
echo '== refused'
tell "$PSBENCH" classify set.cla m.txt -k 0
tell "$PSBENCH" classify set.cla m.txt m.txt --confusion
tell "$PSBENCH" classify set.cla m.txt --level 0
tell "$PSBENCH" classify set.cla m.txt --per all
tell "$PSBENCH" classify set.cla m.txt --qrels lists/qrels.txt
tell "$PSBENCH" classify set.cla

echo '== an index: recall of exact lists, and what measures lose'
awk -v OFS='\t' 'BEGIN { print "# psbench search: k=20 metric=l1 queries=21 database=21\nquery\trank\tneighbor\tdistance" }
    { print $1, $4, $3, $4 }' lists/m.run >exact.tsv
# Every third line is not found.
awk -v OFS='\t' 'NR < 3 { print; next } NR % 3 == 0 { next } $1 != q { q = $1; r = 0 } { $2 = ++r; print }' exact.tsv >near.tsv
tell "$PSBENCH" eval -q --exact exact.tsv set.cla near.tsv exact.tsv -m nearest_neighbor,precision@3,dcg -f tsv
{
    "$PSBENCH" eval -q set.cla exact.tsv -m nearest_neighbor,precision@3 -f tsv
    "$PSBENCH" eval -q set.cla near.tsv -m nearest_neighbor,precision@3 -f tsv
} | awk -F '\t' '$1 == "exact" { a = $2; b = $3 } $1 == "near" { printf "reference: %.6f %.6f, %.6f %.6f\n", $2, a - $2, $3, b - $3 }'
for k in 1 10; do
    awk -v k=$k 'FNR < 3 { next } FNR == NR { if ($2 <= k) { here[$1, $3]; wanted[$1]++ }; next }
        $2 <= k && ($1, $3) in here { found[$1]++ }
        END { for (q in wanted) { n++; s += found[q] / wanted[q] }
            printf "reference: recall at %d of %d queries: %.6f\n", k, n, s / n }' exact.tsv near.tsv
done
tell "$PSBENCH" eval -q --exact m.txt set.cla near.tsv
tell "$PSBENCH" eval -q --exact exact.tsv set.cla
