# Files that plots leave, numbers of a curve, no dates in pictures, wrong usage.
support=$(dirname "${BASH_SOURCE[0]}")/../support
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
"$PSBENCH" plot set.cla first.txt -k map -o map
"$PSBENCH" plot set.cla first.txt -k map -o again -f svg --threads 7
cmp map.svg again.svg && grep -o '>fish (4)<' map.svg
ls -1 -- *.png *.svg *.pdf *.plot
cat pr-first.plot class.plot gain.plot
# A class's points under a query list are the means of its listed queries' points.
printf 'b\ne\ng\n' >listed.txt
"$PSBENCH" plot set.cla first.txt --per class --query-list listed.txt -o some -f plot
"$PSBENCH" plot set.cla first.txt --per model -o each -f plot
awk 'NR == FNR { wanted[$1]; next } /^#/ { class = $2; on = $3 in wanted; queries[class] += on; next }
    on && NF == 2 { sum[class, $1] += $2; points[class, $1] }
    END { for (p in points) { split(p, of, SUBSEP); printf "%s %s %.5f\n", of[1], of[2], sum[p] / queries[of[1]] } }' \
    listed.txt each.plot | sort >means
awk '/^#/ { class = $2; next } NF == 2 && class != "" { printf "%s %s %.5f\n", class, $1, $2 }' some.plot | sort >listed
cmp means listed && echo "points of listed queries: $(wc -l <listed)"
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

echo '== for a paper: text is text, sizes in millimetres, round ticks, whole names, grays'
printf 'PSB 1\n3 7\n\nanimal 0 0\ndog animal 3\na\nb\nc\nfish animal 4\nd\ne\nf\ng\n' >deep.cla
"$PSBENCH" plot -q deep.cla first.txt second.txt -k classes -o deep -f svg
grep -o '>animal / [a-z]*<' deep.svg
"$PSBENCH" plot -q set.cla first.txt -k cg -o round -f svg
sed -n 's/.*text-anchor="end".*>\([0-9.]*\)<.*/\1/p' round.svg | tr '\n' ' '
echo
for kind in pr classes tier distance map; do
    "$PSBENCH" plot -q deep.cla first.txt -k $kind -o paper-$kind -f svg,pdf,png --width 85 --text 7 --font 'Some & font' --gray
    awk -v kind=$kind '/<svg/ { match($0, /width="[0-9.]*/); print kind, substr($0, RSTART + 7, RLENGTH - 7) / 72 * 25.4 " mm" }' paper-$kind.svg
    python3 "$support/pdf_page.py" paper-$kind.pdf
    od -An -tu1 -j16 -N4 paper-$kind.png | awk '{ print $3 * 256 + $4, "pixels" }'
    grep -c 'font-family="Some &#38; font"' paper-$kind.svg | sed 's/^[1-9][0-9]*$/in that font/'
    # Nothing but grays: of each colour the three parts are equal.
    grep -oE 'rgb\([^)]*\)|#[0-9a-f]{6}' paper-$kind.svg | sort -u |
        awk -F '[(,)] *' '/rgb/ { if ($2 != $3 || $3 != $4) print } /#/ && !/#(..)\1\1/ { if (substr($0, 2, 2) != substr($0, 4, 2) || substr($0, 4, 2) != substr($0, 6, 2)) print }'
done
"$PSBENCH" plot -q set.cla first.txt -o untitled -f svg --title ''
grep -c 'average' untitled.svg
for wrong in '--width 5' '--text x'; do
    # shellcheck disable=SC2086 # options and their values
    "$PSBENCH" plot set.cla first.txt $wrong
    echo "$?: $wrong"
done
