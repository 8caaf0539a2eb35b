# Methods normalised by a cohort, against the definition: the distances to the reference as those of a run of two sets.
. "$(dirname "${BASH_SOURCE[0]}")/../support/few.sh"
"$PSBENCH" synth -q bench >/dev/null
base=bench/classification/v1/base
cp $base/test.cla $base/all.cla
some 8 4 0 $base/all.cla >$base/train.cla
some 8 4 4 $base/all.cla >$base/test.cla
run() { # run LIST OPTION...
    "$PSBENCH" run -q --no-times --models bench/db -d "$@" >/dev/null
}
numbers() { # numbers FILE SKIP COUNT-A-LINE
    od -An -v -t f4 -j "$2" -w"$((4 * $3))" "$1"
}
n=$(($(awk 'NR == 2 { print $2 }' $base/test.cla)))
r=$(($(awk 'NR == 2 { print $2 }' $base/train.cla)))
run SHD,P2 --cla $base/train.cla -o reference
run SHD+co,P2+co --cla $base/test.cla --reference reference -o out
run VIEWS,SPIN,SHD --queries $base/test.cla --targets $base/train.cla -o cross

# levels NAME=WEIGHT...: of each model the mean of the 11 % least of its sums to the reference
levels() {
    local part files=()
    for part in "$@"; do
        numbers "cross/matrices/${part%=*}.npy" 128 1 | sed "s/$/ ${part#*=}/" >"part.${part%=*}"
        files+=("part.${part%=*}")
    done
    paste "${files[@]}" | awk -v r="$r" '
        { s = 0; for (f = 1; f < NF; f += 2) s += $f * $(f + 1); print int((NR - 1) / r), s }' | sort -k1,1n -k2,2g |
        awk -v k="$(((11 * r + 99) / 100))" '{ if (++seen[$1] <= k) sum[$1] += $2 } END { for (i = 0; i in sum; i++) print sum[i] / k }'
}
# check NAME PART=WEIGHT...: the normalised matrix from the plain one and the levels
check() {
    levels "${@:2}" >levels.txt
    paste <(numbers "out/matrices/$1.matrix" 0 1) <(numbers "out/matrices/$1+co.matrix" 0 1) | awk -v n="$n" -v name="$1" '
        BEGIN { while ((getline m < "levels.txt") > 0) level[count++] = m }
        {
            d = $1 / sqrt(level[int((NR - 1) / n)] * level[(NR - 1) % n]) - $2
            worst = d < 0 ? (-d > worst ? -d : worst) : (d > worst ? d : worst)
            moved += $2 > 0
        }
        END { print name, (count == n && NR == n * n && moved > 0 && worst < 1e-5 ? "as defined" : "differs by " worst) }'
}
check SHD SHD=1
check P2 VIEWS="$(awk 'BEGIN { print 1 / 0.951369 }')" SPIN="$(awk 'BEGIN { print 0.3 / 0.920507 }')"
cut -f 1 out/table.tsv | tail -n +2 | tr '\n' ' '
echo
grep -o '"uses":[^,]*' out/run.json | sort | uniq -c
"$PSBENCH" verify out | grep -cv '^ok'

echo '== another reference is another method; the same one is not made again'
cp out/matrices/SHD+co.matrix before
touch mark
run SHD+co,P2+co --cla $base/test.cla --reference reference -o out -t 2
find out/matrices out/scores -type f -newer mark
run SHD+co --cla $base/test.cla --reference out -o out
cmp -s before out/matrices/SHD+co.matrix || echo 'its own models are another cohort'
run SHD+co --cla $base/test.cla --reference reference -o out
cmp before out/matrices/SHD+co.matrix && echo 'as before'
run SHD+co+kr --cla $base/test.cla --reference reference -o out && ls out/matrices/SHD+co+kr.matrix

echo '== features of any kind: the figures and the lists of the matrices'
"$PSBENCH" combine -q reference p2 --features && "$PSBENCH" combine -q out p2 --features
figures() { "$PSBENCH" eval out/models.cla "$@" -m all --per model -f tsv; }
figures out/matrices/SHD+co.matrix >matrix.tsv
figures out/features/SHD.npy --metric l2 --reference reference | cmp - matrix.tsv && echo 'SHD, a run'
figures out/features/SHD.npy --metric l2 --reference reference/SHD -t 3 | cmp - matrix.tsv && echo 'SHD, a name'
figures out/matrices/P2+co.matrix >matrix.tsv
figures out/features/P2.npy --metric sum --reference reference | cmp - matrix.tsv && echo 'P2'
figures out/features/P2.npy --metric sum | cmp -s - matrix.tsv || echo 'P2 alone has others'
"$PSBENCH" eval out/models.cla out/features/P2.npy --metric sum --reference reference -m dcg -f tsv | cut -f 1
for part in 0/2 1/2; do figures out/features/P2.npy --metric sum --reference reference -o parts --part $part; done
figures out/features/P2.npy --metric sum -o parts --complete
figures out/features/P2.npy --metric sum --reference reference -o parts --complete | cmp - matrix.tsv && echo 'in parts'
near() { "$PSBENCH" search -q --queries out/features/P2.npy --database out/features/P2.npy --metric sum -o "$@"; }
near whole.lists -k 1000 --reference reference -t 3
figures whole.lists | cmp - matrix.tsv && echo 'lists'
near once.lists -k 9 --reference reference/features/P2.npy
awk -F'\t' 'NR > 2 && $2 <= 9' whole.lists | cmp - <(tail -n +3 once.lists) && echo 'the nearest'
near staged.lists -k 9 --reference reference --candidates 1000 --query-signatures out/features/SHD.npy,out/features/VIEWS.npy \
    --signatures out/features/SHD.npy:l2,out/features/VIEWS.npy:cube
cmp once.lists staged.lists && echo 'in stages'
"$PSBENCH" search -q --queries out/features/P2.npy --database reference/features/P2.npy --metric sum -k 4 --reference reference \
    -o two.lists && awk -F'\t' 'NR > 2 { if ($4 < before && $2 > 1) print "not in order"; before = $4 } END { print NR - 2 }' two.lists
echo '== as further rows of a run'
run SHD,VIEWS,SPIN --cla $base/test.cla -o plain
"$PSBENCH" combine -q plain p2 P2+co SHD+co --reference reference >/dev/null && cut -f 1 plain/table.tsv
cmp plain/matrices/P2+co.matrix out/matrices/P2+co.matrix && cmp plain/matrices/SHD+co.matrix out/matrices/SHD+co.matrix && echo 'as by run'
"$PSBENCH" verify plain | grep -cv '^ok'
not_so() {
    "$PSBENCH" "$@"
    echo "exit code $?"
}
not_so combine -q plain SHD+co
not_so combine -q plain D2+co --reference reference
not_so combine -q plain p4+co --reference reference
not_so combine -q plain SHD+kr+co --reference reference
not_so combine -q plain --sum SHD=1 --reference reference
not_so combine -q plain l6
not_so run -q -d L6 --models bench/db --cla $base/test.cla -o none
not_so eval out SHD --reference reference
not_so eval out/models.cla out/features/SHD.npy --metric l2 --reference none
not_so eval out/models.cla out/features/SHD.npy --metric l2 --reference reference/features/SPIN.npy
not_so eval out/models.cla out/features/SHD.npy --metric l2 --reference reference/features/P2.npy
not_so search --queries out/features/SHD.npy --database out/features/SHD.npy --reference reference/SPIN -o x

echo '== what is no such method'
refuse() {
    "$PSBENCH" run -q --models bench/db --cla $base/test.cla -o none "$@"
    echo "exit code $?"
}
refuse -d SHD+co
refuse -d +co
refuse -d SHD+co-3 --reference reference
refuse -d SHD+kr+co --reference reference
refuse -d D2+co --reference reference
refuse -d D2+co --reference bench
