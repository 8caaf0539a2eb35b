#!/bin/sh
# Makes every table of docs/reproduction.md from the benchmark's models.
#
#   scripts/reproduction.sh PSB_DIR [OUT]      OUT defaults to reproduction-run
#
# PSB_DIR holds db/ and classification/. Leaves runs below OUT and prints the tables, in Markdown.
# Takes some minutes: every descriptor on the test and the training set, and all variants.
set -eu

if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    sed -n '2,/^set -eu/{/^#/p;}' "$0" | cut -c3- >&2
    exit 2
fi
psb=$1
out=${2:-reproduction-run}
here=$(dirname "$0")
psbench=$here/../build/psbench

variants=SHD:norms=plain,SHD:scale=rms,SHD:width=2,SHD:width=8,SHD:raster=sampled
variants=$variants,GEDT:width=2,GEDT:width=3,GEDT:width=8,GEDT:form=magnitude
variants=$variants,SECSHEL:power=-1,SECSHEL:power=1,SECSHEL:smooth=0.0025,SECSHEL:form=magnitude
variants=$variants,VOXEL:sampling=trilinear,VOXEL:form=magnitude
variants=$variants,SECTORS:smooth=0,SECTORS:smooth=0.004
variants=$variants,SECTORS:form=magnitude
variants=$variants,CEGI:smooth=0,CEGI:smooth=0.008,CEGI:smooth=0.015
variants=$variants,CEGI:phase=2
variants=$variants,CEGI:phase=3.3,CEGI:phase=4,CEGI:normals=oriented,CEGI:normals=outward
variants=$variants,CEGI:form=magnitude
variants=$variants,EGI:smooth=0,EGI:smooth=0.008,EGI:smooth=0.015
variants=$variants,EGI:normals=oriented,EGI:normals=outward,EGI:form=magnitude
variants=$variants,EXT:form=magnitude,EXT:points=2000,EXT:points=1000000
variants=$variants,EXT:pole=smallest,REXT:form=magnitude,REXT:points=2000
variants=$variants,REXT:points=1000000,REXT:pole=smallest
variants=$variants,D2:points=2000,D2:points=10000

# run NAME CLASSIFICATION LIST: a run below OUT
run() {
    code=0
    "$psbench" run -q --skip-missing --no-times -d "$3" --cla "$psb/classification/v1/$2" \
        --models "$psb/db" -o "$out/$1" >/dev/null || code=$?
    [ "$code" -le 1 ] || exit "$code"
}

# scores RUN: the five figures as a Markdown table
scores() {
    echo '| | NN | first tier | second tier | E | DCG |'
    echo '|---|---|---|---|---|---|'
    awk -F '\t' '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        {
            printf "| %s |", $1
            split("nearest_neighbor first_tier second_tier e_measure dcg", names, " ")
            for (k = 1; k <= 5; k++) printf " %.1f |", $column[names[k]]
            print ""
        }' "$out/$1"/table.tsv
}

mkdir -p "$out"
run test base/test.cla all
run training base/train.cla all
run coarse coarse1/coarse1Test.cla all
run coarsest coarse3/coarse3Test.cla all
run variants base/test.cla "GEDT,SHELLS,$variants"
run variants-coarse coarse1/coarse1Test.cla "GEDT,SHELLS,$variants"
run variants-coarsest coarse3/coarse3Test.cla "GEDT,SHELLS,$variants"
coarser=$psb/classification/v1/coarse2/coarse2Test.cla

printf 'Test set\n\n'
scores test
printf '\nTraining set\n\n'
scores training
printf '\nGroups, test set\n\n'
"$here/group_profile.sh" "$out/test" "$out/coarse" "$out/coarsest" "$coarser"
printf '\nVariants, test set\n\n'
scores variants
printf '\nGroups of the variants\n\n'
"$here/group_profile.sh" "$out/variants" "$out/variants-coarse" "$out/variants-coarsest" "$coarser"
