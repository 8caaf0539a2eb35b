# Signatures: directions of a training list, their file, what they keep of distances, two stages.
# Plain build only: its figures are compared; signature_labels, beyond and test_linear run the code.
"$PSBENCH" synth -q bench >/dev/null
base=bench/classification/v1/base
D=GEDT:form=magnitude,SHD:scale=rms,EXT:form=magnitude,LFD:moments=zernike
D=$D,CEGI:smooth=0.04,normals=outward,form=magnitude
"$PSBENCH" run -q --no-times --matrices no -d $D --cla $base/test.cla --models bench/db -o run >/dev/null

# All models: more than 100, so 100 directions; few: one less than models.
few='PSB 1
1 12

some 0 12'
{ echo "$few" && grep -x '[0-9]\+' run/models.cla | head -n 12; } >few.cla
"$PSBENCH" signature run --train run/models.cla -o all.directions
"$PSBENCH" signature run --train few.cla -o few.directions -t 3
for by in all few; do
    "$PSBENCH" signature -q run --by $by.directions
    mv run/features/SIGNATURE.npy $by.npy
    head -c 100 $by.npy | tr -d '\223' | grep -ao 'shape.*), }'
done
"$PSBENCH" signature run --by few.directions -t 3 && cmp run/features/SIGNATURE.npy few.npy && echo 'the same bytes'
"$PSBENCH" verify run | grep -cv '^ok'

# The seed of tests/fuzz gets as far as the numbers only with the text that this program's files have, and is made anew
# by { head -c 48 and the text; tail -c 8; } of few.directions.
text=$(head -c 16 few.directions | tail -c 8 | od -An -t u8 | tr -d ' ')
cmp <(head -c 16 few.directions && tail -c +49 few.directions | head -c "$text") \
    <(head -c 16 data/../fuzz/seeds/directions/head && tail -c +49 data/../fuzz/seeds/directions/head | head -c "$text") &&
    echo 'the seed has the text'

# A row of numbers of a file of n rows: row NUMBER LENGTH TYPE BYTES FILE
n=$(grep -cx '[0-9]\+' run/models.cla)
row() {
    tail -c $((n * $2 * $4)) "$5" | tail -c +$(($1 * $2 * $4 + 1)) | head -c $(($2 * $4)) |
        od -An -v -t "$3" -w"$4" | tr -d ' '
}
# The blocks of a model, from its features, by the definition.
block() { # block POWER: the numbers' powers, of L2 norm 1
    awk -v p="$1" '{ x[NR] = p == 1 ? $1 : ($1 < 0 ? -$1 : $1) ^ p; s += x[NR] ^ 2 }
        END { for (i = 1; i <= NR; i++) printf "%.12g\n", x[i] / sqrt(s) }'
}
views() {
    awk '{ v[(NR - 1) % 47, int((NR - 1) / 47)] = sqrt($1 / 255) }
        function at(share, f) { f = 99 * share; f -= int(f); return s[int(99 * share)] * (1 - f) + s[int(99 * share) + 1] * f }
        END {
            for (k = 0; k < 47; k++) {
                m = q = 0
                for (i = 0; i < 100; i++) {
                    for (j = i; j > 0 && s[j - 1] > v[k, i]; j--) s[j] = s[j - 1]
                    s[j] = v[k, i]; m += s[j] / 100
                }
                for (i = 0; i < 100; i++) q += (s[i] - m) ^ 2 / 100
                printf "%.12g\n%.12g\n%.12g\n%.12g\n%.12g\n", m, sqrt(q), at(0.1), at(0.5), at(0.9)
            }
        }' | block 1
}
model() {
    row "$1" 4352 f4 4 run/features/GEDT-form=magnitude.npy | block 0.7
    row "$1" 544 f4 4 run/features/SHD-scale=rms.npy | block 1
    row "$1" 272 f4 4 run/features/CEGI-*.npy | block 0.7
    row "$1" 136 f4 4 run/features/EXT-form=magnitude.npy | block 0.7
    row "$1" 4700 u1 1 run/features/LFD-*.npy | views
}
# Along a direction the variance of the training models' signatures is the square of the divisor,
# and eleven directions hold all distances of twelve models.
numbers() { for i in {0..11}; do row "$i" 11 f4 4 few.npy | tr '\n' ' ' && echo; done; }
for pair in '0 1' '3 11' '7 4'; do
    set -- $pair
    slow=$(paste <(model "$1") <(model "$2") | awk '{ d += ($1 - $2) ^ 2 } END { print d }')
    numbers | awk -v a="$1" -v b="$2" -v slow="$slow" '
        { for (k = 1; k <= 11; k++) { y[NR - 1, k] = $k; m[k] += $k / 12 } }
        END {
            for (k = 1; k <= 11; k++) {
                v = 0
                for (i = 0; i < 12; i++) v += (y[i, k] - m[k]) ^ 2 / 12
                d += v * (y[a, k] - y[b, k]) ^ 2
                if (m[k] > 1e-5 || m[k] < -1e-5 || (k > 1 && v > before)) print "direction", k
                before = v
            }
            print (d - slow < 1e-5 * slow && slow - d < 1e-5 * slow ? "as far apart" : d " " slow)
        }'
done

# Two stages: all candidates are what the metric alone finds; twenty hold most of it.
search() {
    "$PSBENCH" search -q --queries run/features/SHD-scale=rms.npy \
        --database run/features/SHD-scale=rms.npy -k 10 "$@"
}
signatures='--query-signatures all.npy --signatures all.npy:cosine'
search -o one.lists
search -o two.lists $signatures --candidates 1000 && cmp one.lists two.lists && echo 'the same lists'
search -o two.lists $signatures --candidates 20 -t 1 && search -o t3.lists $signatures --candidates 20 -t 3
cmp two.lists t3.lists
comm -12 <(cut -f 1,3 one.lists | sort) <(cut -f 1,3 two.lists | sort) | awk 'END { print (NR > 0.7 * 10 * '"$n"' ? "most are found" : NR) }'

# Stages: the candidates of each are among those of the one before it, which a longer list has.
stages='--query-signatures all.npy,all.npy --signatures all.npy:cosine,all.npy:l1'
"$PSBENCH" search -q --queries all.npy --database all.npy --metric cosine -k 40 -o 40.lists --query-cla run/models.cla --database-cla run/models.cla
search -o narrow.lists $stages --candidates 40,15
comm -13 <(tail -n +3 40.lists | cut -f 1,3 | sort) <(tail -n +3 narrow.lists | cut -f 1,3 | sort) | wc -l
search -o w1.lists $stages --candidates 1000,20 -t 1 && search -o w2.lists $stages --candidates 1000,20 -t 3 && cmp w1.lists w2.lists
search -o l1.lists --query-signatures all.npy --signatures all.npy:l1 --candidates 20 && cmp l1.lists w1.lists && echo 'one stage of two'

# What is refused.
head -c 5000 all.directions >cut.directions
{ head -c 4000 all.directions && printf x && tail -c +4002 all.directions; } >damaged.directions
sed 's/GEDT revision [0-9]*/GEDT revision 0/' all.directions >other.directions
for by in cut damaged other few.cla run/models.cla; do
    "$PSBENCH" signature run --by "${by%.directions}$([[ $by == *.cla ]] || echo .directions)"
    echo $?
done
printf 'PSB 1\n1 3\n\nsome 0 3\nx\ny\nz\n' >none.cla
"$PSBENCH" signature run --train none.cla -o none.directions
"$PSBENCH" run -q --no-times -d SHD --cla few.cla --models bench/db -o small >/dev/null
"$PSBENCH" signature small --by few.directions
"$PSBENCH" signature run --train few.cla
"$PSBENCH" signature run
"$PSBENCH" search --queries all.npy --database all.npy --signatures all.npy -o x
"$PSBENCH" search --queries all.npy --database all.npy --query-signatures all.npy --signatures all.npy,all.npy -o x
"$PSBENCH" search --queries all.npy --database all.npy $stages --candidates 1,2,3 -o x
"$PSBENCH" search --queries all.npy --database all.npy $stages --candidates 3,x -o x
"$PSBENCH" search --queries all.npy --database all.npy --query-signatures all.npy,x.npy --signatures all.npy,all.npy -o all.npy
"$PSBENCH" signature run --train few.cla -o run/models.cla
