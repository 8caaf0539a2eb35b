# Clusters of hand-made matrices at each level, the members, numbers of clusters, and the tree as a picture.
cat >set.cla <<'END'
PSB 1
5 9

animal 0 0

dog animal 3
a
b
c
fish animal 2
d
e
car 0 3
f
g
h
-1 0 1
x
END
# Points on a line: dogs at 0, 1, 2, fish at 10, 11, cars at 100, 101 and, far from all others, 300.
for i in 0 1 2 10 11 100 101 300 5; do
    for j in 0 1 2 10 11 100 101 300 5; do
        printf '%d ' $((i > j ? i - j : j - i))
    done
    echo
done >line.txt
try() {
    "$PSBENCH" "$@" 2>&1
    echo "exit code $?: $*"
}
try cluster -q set.cla line.txt
try cluster -q set.cla line.txt line.txt -f tsv -k 2
try cluster -q set.cla line.txt --members -f tsv
try cluster -q set.cla line.txt --members -f tsv -k 8
try cluster -q set.cla line.txt -k 9
try cluster -q set.cla line.txt line.txt --members
sed 's/300/-1/' line.txt >negative.txt
try cluster -q set.cla negative.txt
try plot -q set.cla line.txt -k tree -o tree -f svg,pdf
grep -c '<text' tree.svg
for word in dog fish car linkage; do
    grep -q "$word" tree.svg && echo "the tree names $word"
done
try plot -q set.cla line.txt -k tree -o again -f svg
cmp tree.svg again.svg && echo 'the same again'
