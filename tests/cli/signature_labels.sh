# Signatures that labels of a training list went into: the definition, row by row, on models that are not in it; the
# sizes; where the list to be scored shares models with the other.
. "$(dirname "${BASH_SOURCE[0]}")/../support/few.sh"
"$PSBENCH" synth -q bench >/dev/null
base=bench/classification/v1/base
some 4 3 0 $base/test.cla >train.cla
some 4 3 3 $base/test.cla >scored.cla
for set in train scored; do
    "$PSBENCH" run -q --no-times -d VIEWS:code=fisher42,EXT --cla $set.cla --models bench/db -o $set >/dev/null
done
"$PSBENCH" signature -q train --train train.cla --blocks views --size 256 -o plain
"$PSBENCH" signature -q train --train train.cla --blocks views --size 256 --labels -o learned -t 1
"$PSBENCH" signature -q train --train train.cla --blocks views --size 256 --labels -o again -t 3
cmp learned again && echo 'the same directions'
"$PSBENCH" signature -q train --by plain
"$PSBENCH" signature -q scored --by plain
"$PSBENCH" signature -q scored --by learned --row | grep -E '^(F|.*Labels)' | awk '{ print NF > 3 ? $1 : $0 }'
ls train/features scored/features scored/matrices
"$PSBENCH" verify scored | grep -cv '^ok'
numbers() {
    tail -c $((12 * 11 * 4)) "$1" | od -An -v -t f4 -w44
}
# z_a z_b is y_a S^-1 y_b, y the rows without labels, S of the training rows by their classes of three.
{ numbers train/features/F11.npy && numbers scored/features/F11.npy && numbers scored/features/F11L.npy; } | awk '
    { for (k = 1; k <= 11; k++) y[NR, k] = $k }
    END {
        for (i = 1; i <= 12; i++) for (k = 1; k <= 11; k++) mean[int((i - 1) / 3), k] += y[i, k] / 3
        for (i = 1; i <= 12; i++) for (k = 1; k <= 11; k++) w[i, k] = y[i, k] - mean[int((i - 1) / 3), k]
        for (k = 1; k <= 11; k++) for (l = 1; l <= 11; l++) { for (i = 1; i <= 12; i++) s[k, l] += w[i, k] * w[i, l] / (12 - 4); if (k == l) trace += s[k, l] }
        for (k = 1; k <= 11; k++) for (l = 1; l <= 11; l++) { s[k, l] = 0.7 * s[k, l] + (k == l ? 0.3 * trace / 11 : 0); inverse[k, l] = k == l }
        for (p = 1; p <= 11; p++) {
            pivot = s[p, p]
            for (l = 1; l <= 11; l++) { s[p, l] /= pivot; inverse[p, l] /= pivot }
            for (k = 1; k <= 11; k++) if (k != p) {
                f = s[k, p]
                for (l = 1; l <= 11; l++) { s[k, l] -= f * s[p, l]; inverse[k, l] -= f * inverse[p, l] }
            }
        }
        for (a = 13; a <= 24; a++) for (b = 13; b <= 24; b++) {
            slow = fast = 0
            for (k = 1; k <= 11; k++) { fast += y[a + 12, k] * y[b + 12, k]; for (l = 1; l <= 11; l++) slow += y[a, k] * inverse[k, l] * y[b, l] }
            size += slow * slow; off += (slow - fast) ^ 2
        }
        print (size > 0 && off < 1e-8 * size ? "as defined" : off / size)
    }'
# A run of the training models may be the reference of these rows, and has none of the kind itself.
"$PSBENCH" signature -q train --by learned --as-reference && ls train/features | grep L
"$PSBENCH" combine -q scored F11L+co --reference train | grep -o 'Labels.*'
"$PSBENCH" eval scored F11L+co -m all --per model -f tsv >row.tsv
"$PSBENCH" eval scored/models.cla scored/features/F11L.npy --metric cosine --reference train/features/F11L+reference.npy -m all \
    --per model -f tsv | cmp - row.tsv && echo 'as features'
"$PSBENCH" combine -q scored F11L+co --reference scored >row.txt && "$PSBENCH" eval scored F11L+co -m all --per model -f tsv | cmp -s - row.tsv || echo 'another cohort'
"$PSBENCH" signature -q scored --train scored.cla --blocks views --size 256 -o others
"$PSBENCH" signature -q scored --by others --row >row.txt
"$PSBENCH" combine -q scored F11+co --reference train
"$PSBENCH" signature train --by learned --as-reference --row
"$PSBENCH" signature train --by learned
"$PSBENCH" signature train --train train.cla --blocks all -o all
"$PSBENCH" signature train --train train.cla --size 257 -o all
"$PSBENCH" signature train --train train.cla --blocks some -o all
sed 's/ 0 3$/ 0 1/' train.cla >single.cla
awk 'NR == 2 { print "12 12"; next } NF == 1 { print "c" $1 " 0 1"; print; next } NF != 3' train.cla >single.cla
"$PSBENCH" signature train --train single.cla --blocks views --labels -o none
