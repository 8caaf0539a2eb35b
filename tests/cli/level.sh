# --level N: relevant is what agrees in the first N levels of the classes. eval, compare and classify
# against a plain reference and against the classification that 'psbench cla --level' makes; classes of
# one level stand in several places of the file, so that a cut moves models.
cat >set.cla <<'END'
PSB 1
11 27

top 0 0
left top 3
a
b
c
other 0 4
d
e
f
g
right top 3
h
i
j
-1 0 2
k
l
under right 3
m
n
o
small 0 2
p
q
last other 2
r
s
deep last 2
t
u
left_low left 2
v
w
late top 4
x
y
z
zz
END
# In each row all distances differ: no order of the models breaks a tie.
awk 'BEGIN { for (i = 0; i < 27; i++) { for (j = 0; j < 27; j++) printf "%d ", i == j ? 0 : (j + 1) * (i + 2) * 5 % 101 + 1; print "" } }' >m.txt
awk 'BEGIN { for (i = 0; i < 27; i++) { for (j = 0; j < 27; j++) printf "%d ", i == j ? 0 : (j + 3) * (i + 1) * 7 % 101 + 1; print "" } }' >o.txt

# reference LEVEL QUERIES.cla TARGETS.cla MATRIX: nearest neighbor, tiers, average precision and how
# many queries, micro and macro. One set, both the same name, has psbTable's rule: 3 models or more.
reference() {
    awk -v level="$1" -v one="$([ "$2" = "$3" ] && echo 1)" '
        FNR == 1 { file++; class = ""; delete full }
        file < 3 && FNR > 2 && NF == 3 { full[$1] = ($2 == "0" ? "" : full[$2] "___") $1; class = label(full[$1]) }
        file < 3 && FNR > 2 && NF == 1 {
            if (file == 1) { query[++queries] = $1; of[queries] = class }
            else { target[++targets] = $1; is[targets] = class; size[class]++ }
        }
        file < 3 { next }
        {
            q++; c = of[q]; self = 0
            for (t = 1; t <= targets; t++) if (target[t] == query[q]) self = t
            r = size[c] - (self && is[self] == c)
            if (c == "-1" || r < (one ? 2 : 1)) next
            delete value
            for (t = 1; t <= targets; t++) {
                if (t == self || is[t] != c) continue
                rank = before = 1
                for (u = 1; u <= targets; u++) {
                    if (u == self || u == t || $u + 0 >= $t + 0) continue
                    rank++; before += is[u] == c
                }
                value[1] += rank == 1; value[2] += (rank <= r) / r; value[3] += (rank <= 2 * r) / r
                value[4] += before / rank / r
            }
            taken++; many[c]++
            for (f = 1; f <= 4; f++) { micro[f] += value[f]; sum[c, f] += value[f] }
        }
        function label(name,   parts, i, m, s) {
            m = split(name, parts, /___/); s = parts[1]
            for (i = 2; i <= m && i <= level; i++) s = s "___" parts[i]
            return s
        }
        END {
            for (c in many) { classes++; for (f = 1; f <= 4; f++) macro[f] += sum[c, f] / many[c] }
            for (f = 1; f <= 4; f++) printf "%.6f%s", micro[f] / taken, f < 4 ? "\t" : "\n"
            for (f = 1; f <= 4; f++) printf "%.6f%s", macro[f] / classes, f < 4 ? "\t" : "\n"
        }' "$2" "$3" "$4"
}
figures() {
    for per in micro macro; do
        "$PSBENCH" eval -q --per $per -m nearest_neighbor,first_tier,second_tier,average_precision -f tsv "$@" |
            tail -n +2 | cut -f 2-
    done
}

printf '%s\n' a b c d e f g h i j k l m n o p q r s t u v w x y z zz >names
# A TREC run, whose names come in no order at all.
awk 'FNR == NR { name[NR] = $1; next } { for (t = 1; t <= 27; t++) if (t != FNR) print name[FNR], "Q0", name[t], t, -$t, "x" }' \
    names m.txt | sort >m.run
# The same lists without names: a line for each query, and numbers of rows, in the order of set.cla.
awk 'FNR == NR { name[NR] = $1; next } { for (t = 1; t <= 27; t++) if (t != FNR) print FNR, $t, t, name[t] }' names m.txt |
    sort -k 1,1n -k 2,2n >lists
awk '$1 != q { printf "%s", q == "" ? "" : "\n"; q = $1 } { printf "%s ", $4 } END { print "" }' lists >rows.txt
awk 'BEGIN { print "# psbench search: k=26 metric=l1 queries=27 database=27\nquery_row\trank\tneighbor_row\tdistance" }
    $1 != q { q = $1; r = 0 } { printf "%d\t%d\t%d\t%d\n", $1 - 1, ++r, $3 - 1, $2 }' lists >rows.tsv
for level in 1 2 3 64; do
    reference $level set.cla set.cla m.txt >expected
    echo "== level $level:" $(cat expected)
    figures set.cla m.txt --level $level | cmp - expected && echo "distances: the same"
    figures set.cla m.run --level $level | cmp - expected && echo "lists: the same"
    figures set.cla rows.txt --lists rows --level $level | cmp - expected && echo "lists without names: the same"
    figures set.cla rows.tsv --level $level | cmp - expected && echo "lists of rows: the same"
    figures --queries set.cla --targets set.cla m.txt --level $level | cmp - expected && echo "one set, named twice: the same"

    # The classification that was cut, and names beside the rows.
    "$PSBENCH" cla set.cla --level $level -o cut.cla 2>&1
    mkdir -p named
    for file in m o; do
        cp $file.txt named/$file.txt
        cp names named/$file.txt.ids
    done
    (cd named && "$PSBENCH" compare -q ../cut.cla m.txt o.txt -m average_precision --rounds 200 -f tsv) >expected
    "$PSBENCH" compare -q set.cla m.txt o.txt -m average_precision --rounds 200 -f tsv --level $level |
        cmp - expected && echo "compare: the same"
    "$PSBENCH" compare -q set.cla named/m.txt named/o.txt -m average_precision --rounds 200 -f tsv --level $level |
        cmp - expected && echo "compare, rows with names: the same"
    for table in "" --confusion; do
        # shellcheck disable=SC2086 # none or one word
        "$PSBENCH" classify -q cut.cla named/m.txt -k 3 -f tsv $table >expected
        # shellcheck disable=SC2086
        "$PSBENCH" classify -q set.cla m.txt -k 3 -f tsv $table --level $level | cmp - expected && echo "classify $table: the same"
    done
done

echo '== nothing is below the deepest level: as without'
"$PSBENCH" eval -q set.cla m.txt -class | sort >once
"$PSBENCH" eval -q set.cla m.txt -class --level 4 | sort | cmp - once && echo "the same"

echo '== two sets'
awk 'NR == 2 { print 6, 12; next } /^(right|-1|small|late|under) / { skip = 1 } /^(top|left|other|last|deep|left_low) / { skip = 0 } !skip' set.cla |
    sed 's/^2 0$/2 0/' >some.cla
count=$(awk 'NR > 2 && NF == 1' some.cla | wc -l)
sed -i "2s/.*/6 $count/" some.cla
awk 'NR > 2 && NF == 1' some.cla | while read -r id; do sed -n "$(grep -nx "$id" names | cut -d : -f 1)p" m.txt; done >two.txt
for level in 1 2 3; do
    reference $level some.cla set.cla two.txt >expected
    echo "level $level:" $(cat expected)
    figures --queries some.cla --targets set.cla two.txt --level $level | cmp - expected && echo "the same"
done

echo '== features without names, of one set and of two: those of the distances'
"$PSBENCH" synth -q bench >/dev/null
all=bench/classification/v1/base/test.cla
# The classes in another order than that of the tree.
awk 'BEGIN { RS = "" } NR == 1 { print; next } { block[NR] = $0 } END { for (b = 2; b <= NR; b++) if (block[b] ~ /^[^ ]+ 0 /) print "\n" block[b]; for (b = 2; b <= NR; b++) if (block[b] !~ /^[^ ]+ 0 /) late[b] = 1; for (b = 2; b <= NR; b++) if (b in late) print "\n" block[b] }' $all >spread.cla
"$PSBENCH" run -q -d SHELLS --cla spread.cla --models bench/db -o run >/dev/null
cp run/features/SHELLS.npy bare.npy
cp run/matrices/SHELLS.matrix bare.matrix
cp spread.cla again.cla
for level in 1 2; do
    figures run SHELLS --level $level >expected
    figures spread.cla bare.matrix --level $level | cmp - expected && echo "distances: the same"
    figures spread.cla --metric l2 bare.npy --level $level | cmp - expected && echo "streamed: the same"
    "$PSBENCH" distance -q --metric l2 run/features/SHELLS.npy run/features/SHELLS.npy -o square.npy
    figures --queries spread.cla --targets again.cla square.npy --level $level >expected
    figures --queries spread.cla --targets again.cla --metric l2 bare.npy,bare.npy --level $level |
        cmp - expected && echo "two sets: the same"
done

echo "== a '/' in the name of a class is no level"
printf 'PSB 1\n2 6\na/b 0 3\nq\nr\ns\na/c 0 3\nt\nu\nv\n' >slash.cla
head -n 6 m.txt | cut -d ' ' -f 1-6 >slash.txt
"$PSBENCH" eval -q slash.cla slash.txt >once
"$PSBENCH" eval -q slash.cla slash.txt --level 1 | cmp - once && echo "the same"

echo '== refused'
tell() {
    "$@" 2>&1
    echo "exit code $?"
}
tell "$PSBENCH" eval set.cla m.txt --level 0
tell "$PSBENCH" eval set.cla m.txt --level 1 --qrels absent
