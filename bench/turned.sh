#!/usr/bin/env bash
# Whether `psbench align` depends on how a file is oriented: of every fourth class of the training set the first model is
# laid on the second, as its file has it and turned at random. Prints a line of Markdown for each pair: frame and residual
# distance; the angle in degrees between the two rotations found; the angle of the rotation found for the file as it is.
#
#   bench/turned.sh PSBENCH PSB     PSB: the benchmark's folder, with db/ and classification/
set -eu
psbench=$(readlink -f "$1") psb=$2
# From the sum of the squared differences of two rotations' elements to the angle between them.
angle='function angle(square) { return 360 / atan2(0, -1) * atan2(sqrt(square / 8), sqrt(1 - square / 8)) }'
tr -d '\r' <"$psb/classification/v1/base/train.cla" |
    awk 'NF == 3 && $3 > 1 && ++n % 4 == 1 { class = $1; getline a; getline b; print class, a, b }' | sed 20q |
    while read -r class a b; do
        files=("$psb/db/$((a / 100))/m$a/m$a.off" "$psb/db/$((b / 100))/m$b/m$b.off")
        paste <("$psbench" align "${files[@]}") <("$psbench" align "${files[@]}" --turn "$a") |
            awk -v pair="$class | $a on $b" "$angle"'
                NR < 4 { for (k = 1; k < 4; k++) { r[NR, k] = $k; t[NR, k] = $(k + 4); one[NR, k] = NR == k } }
                /^scale/ { for (i in r) { turned += (r[i] / $2 - t[i] / $4) ^ 2; file += (r[i] / $2 - one[i]) ^ 2 } }
                /^frame/ { frame = $2 }
                /^residual/ { printf "| %s | %s %.3f | %.6f | %.1f |\n", pair, frame, $2, angle(turned), angle(file) }'
    done
