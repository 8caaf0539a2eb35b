# Makes the files that examples in help and documents expect, from the generated benchmark, in the current folder: psb_v1 in
# place of the paper's data set, with four models to train and four to test of each of four classes; the other files and
# folders that examples name; and the program as `psbench`.
ulimit -c 0
mkdir bin
ln -s "$PSBENCH" bin/psbench
[[ ! -e $PSBENCH-import ]] || ln -s "$PSBENCH-import" bin/
PATH=$PWD/bin:$PATH
psbench synth -q psb_v1 >/dev/null
base=psb_v1/classification/v1/base
. "$(dirname "${BASH_SOURCE[0]}")/few.sh"
some 4 4 4 $base/test.cla >train.cla
for cla in psb_v1/classification/v1/*/*est.cla; do
    some 4 4 0 $base/test.cla >few.cla
    mv few.cla "$cla.few"
done
for few in psb_v1/classification/v1/*/*.few; do
    mv "$few" "${few%.few}"
done
cp $base/test.cla test.cla
cp train.cla $base/

# The files and folders that examples name.
model() { # model N: prints the path of model N
    printf 'psb_v1/db/%d/m%d/m%d.off' $(($1 / 100)) "$1" "$1"
}
mapfile -t ids < <(grep -E '^[0-9]+$' test.cla)
mkdir -p my_models samples test_set ShapeNetCore.v2 ModelNet10/{a,b}/{train,test} glbs
for i in 0 1 2 3 4 5 6 7; do
    file=$(model "${ids[i]}")
    cp "$file" my_models/
    cp "$file" ModelNet10/$([[ $i -lt 4 ]] && echo a || echo b)/test/
    cp "$file" samples/
    cp "$(model "${ids[i + 8]}")" test_set/
    cp "$file" glbs/
done
cp "$(model "${ids[9]}")" ModelNet10/a/train/
cp -r ModelNet10/a/test ShapeNetCore.v2/chair
cp -r ModelNet10/b/test ShapeNetCore.v2/table
(cd glbs && printf 'id,class\n' && printf '%s\n' ./*.off | sed -E 's/^\.\/(.*)\.off$/\1/' | awk '{ print $1 "," (NR > 4 ? "b" : "a") }') >annotations.csv
cp "$(model "${ids[0]}")" chair.off
cp "$(model "${ids[0]}")" chair1.off
cp "$(model "${ids[1]}")" chair2.off
psbench convert "$(model "${ids[8]}")" table.obj
psbench convert chair1.off left_hand.ply
psbench convert chair2.off right_hand.ply
psbench run -q -d LFD,GEDT --cla train.cla --models psb_v1/db -o train-run >/dev/null
mapfile -t files < <(for id in "${ids[@]}"; do model "$id"; echo; done)
psbench describe -q -d SHD -o features.npy "${files[@]}"
cp features.npy queries.npy
cp features.npy.ids queries.npy.ids
mapfile -t train < <(for id in $(grep -E '^[0-9]+$' train.cla); do model "$id"; echo; done)
psbench describe -q -d SHD -o targets.npy "${train[@]}"
cp targets.npy training.npy
cp targets.npy.ids training.npy.ids
psbench describe -q -d POINTS:points=256 -o gen.npy "${files[@]:0:8}"
psbench describe -q -d POINTS:points=256 -o ref.npy "${files[@]:8:8}"
for code in pooled views; do
    psbench describe -q -d "VIEWS:code=$code" -o queries.$code.npy "${files[@]}"
    psbench describe -q -d "VIEWS:code=$code" -o targets.$code.npy "${train[@]}"
done
psbench search -q --queries features.npy --database features.npy -o near.tsv
psbench distance -q --metric l2 -o shd.matrix features.npy
psbench distance -q --metric l1 -o mine.npy features.npy features.npy
rm mine.npy.columns.ids
tar cf psb.tar -C psb_v1 db
mkdir chairs
cp chair1.off chair2.off chairs
tar cf set.tar chairs
rm -r chairs
cp queries.npy samples.npy
cp targets.npy test.npy
ln -s psb_v1/db db
cp test.cla models.cla
mkdir features
cp features.npy features/SHD.npy
cp features.npy.ids features/SHD.npy.ids
cp annotations.csv labels.csv
cp shd.matrix SHD.matrix
cp shd.matrix.ids SHD.matrix.ids
set_of() { # set_of I...: prints a classification with models I... of each of the first two classes
    printf 'PSB 1\n2 %d\n' $((2 * $#))
    for first in 0 4; do
        printf '\nclass%d 0 %d\n' "$first" $#
        for i in "$@"; do echo "${ids[first + i]}"; done
    done
}
set_of 0 1 >a.cla
set_of 2 3 >b.cla
