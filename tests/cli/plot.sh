# Files that plots leave, numbers of a curve, no dates in pictures, wrong usage.
cat >set.cla <<'END'
PSB 1
2 7

dog 0 3
a
b
c
fish 0 4
d
e
f
g
END
for i in 0 1 2 3 4 5 6; do
    for j in 0 1 2 3 4 5 6; do
        printf '%d ' $((i == j ? 0 : (i * 5 + j * 7) % 6 + 1))
    done
    echo
done >first.txt
cp first.txt second.txt
"$PSBENCH" plot set.cla first.txt second.txt -o pr
"$PSBENCH" plot set.cla first.txt -k ndcg -o gain -f plot
"$PSBENCH" plot set.cla first.txt -k tier -o tier
"$PSBENCH" plot set.cla first.txt second.txt -k distance -f svg --classes fish -o part
"$PSBENCH" plot set.cla first.txt second.txt -k classes --measure f@2 -o heat
"$PSBENCH" plot set.cla first.txt --per class --count-query -o class
ls -1 -- *.png *.svg *.pdf *.plot
cat pr-first.plot class.plot gain.plot
mkdir again
sleep 1
"$PSBENCH" plot set.cla first.txt second.txt -o again/pr
"$PSBENCH" plot set.cla first.txt -k tier -o again/tier
for file in again/*; do
    cmp "$file" "${file#again/}"
done
for wrong in '-k pie' '-f gif' '--classes cat' '--classes fish..dog' '--cell x'; do
    # shellcheck disable=SC2086 # options and their values
    "$PSBENCH" plot set.cla first.txt $wrong
    echo "$?: $wrong"
done
