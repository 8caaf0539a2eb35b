# Methods normalised by a cohort, against the definition: the distances to the reference as those of a run of two sets.
"$PSBENCH" synth -q bench >/dev/null
base=bench/classification/v1/base
cp $base/test.cla $base/all.cla
few() { # few FIRST: eight classes of four models each, from the FIRST on
    awk -v first="$1" 'BEGIN { print "PSB 1\n8 32\n" }
        NF == 3 && $3 > 7 { class++; left = $3; taken = 0; if (class <= 8) print $1, 0, 4; next }
        NF == 1 && left > 0 { left--; if (class <= 8 && ++taken > first && taken <= first + 4) print }' \
        $base/all.cla
}
few 0 >$base/train.cla
few 4 >$base/test.cla
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
check P2 VIEWS="$(awk 'BEGIN { print 1 / 0.951369 }')" SPIN="$(awk 'BEGIN { print 0.3 / 0.916683 }')"
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
