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

echo '== the ideal curve beside gains: that of a perfect matrix, and what the classes alone say'
for i in 0 1 2 3 4 5 6; do
    for j in 0 1 2 3 4 5 6; do
        printf '%d ' $((i == j ? 0 : (i < 3) == (j < 3) ? 1 : 2))
    done
    echo
done >perfect.txt
for kind in cg dcg; do
    "$PSBENCH" plot -q set.cla perfect.txt -k $kind -o perfect-$kind -f plot
    cmp perfect-$kind.plot perfect-$kind-ideal.plot
    "$PSBENCH" plot set.cla first.txt perfect.txt -k $kind -o some-$kind -f plot
    cmp perfect-$kind.plot some-$kind-ideal.plot
    paste some-$kind-ideal.plot some-$kind-first.plot | awk '{ sum += $2 - $4 } END { printf "reference: first %.3f\n", sum / NR }'
done
cat perfect-cg-ideal.plot
awk 'BEGIN { for (i = 1; i <= 6; i++) printf "%f\t%f\n", i, (3 * (i < 2 ? i : 2) + 4 * (i < 3 ? i : 3)) / 7 }' | cmp - perfect-cg-ideal.plot
cp perfect.txt ideal.txt
"$PSBENCH" plot -q set.cla first.txt ideal.txt -k cg -o clash -f plot
echo "exit code $?"
