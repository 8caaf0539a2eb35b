# Data sets without a .cla: folders for classes, tables of labels, and no classes at all.
. "$(dirname "${BASH_SOURCE[0]}")/../support/few.sh"
try() {
    "$PSBENCH" "$@" 2>err
    echo "exit code $?"
    grep -v ' s wall, ' err >&2
}
figures() { # without storage, which names no models
    sed -n '/^descriptor/,/^$/p' "$1/table.txt" | sed 1,2d
}
"$PSBENCH" synth -q made
cla=made/classification/v1/base/test.cla
few 3 $cla

# The generated test set as folders of links, class within class.
declare -A folder=([0]=tree)
while read -r name parent count; do
    if [[ -n $count ]]; then
        folder[$name]=${folder[$parent]}/$name
        mkdir -p "${folder[$name]}"
        class=$name
    elif [[ -n $name ]]; then
        ln -s "$PWD/made/db/$((name / 100))/m$name/m$name.off" "${folder[$class]}/m$name.off"
    fi
done < <(sed 1,2d $cla)

echo "folders of links give the figures of the classification"
"$PSBENCH" run -q --no-times -d SHD --cla $cla --models made/db -o of_cla >/dev/null
try run -q --no-times -d SHD --models tree/ >/dev/null
diff <(figures of_cla) <(figures run-tree) && echo "the same figures"
"$PSBENCH" eval of_cla --per class -f tsv | cut -f 1 | sort >classes
"$PSBENCH" eval run-tree --per class -f tsv | cut -f 1 | sort | diff classes - && echo "the same classes"
"$PSBENCH" eval run-tree/models.cla run-tree/features/SHD.npy --metric l2 |
    diff <("$PSBENCH" eval of_cla) - && echo "the same from features by name"
"$PSBENCH" run -q --no-times -d SHD --models tree -o run-tree >/dev/null && echo "goes on in its folder"
"$PSBENCH" report -q run-tree && grep -c 'class="model"' run-tree/report/models.html
"$PSBENCH" verify run-tree | tail -n 1
grep -E '"(classification|models_folder)"' run-tree/run.json
"$PSBENCH" export -q -f shrec -o lists run-tree
find lists/SHD -type f | sort | sed -n 1p
"$PSBENCH" eval run-tree/models.cla lists/SHD 2>/dev/null | diff <("$PSBENCH" eval run-tree) - && echo "lists: the same"
try run -d SHD --models tree --level 1 -o cut --no-times -q | tail -n 1
"$PSBENCH" eval cut --per class | wc -l
grep -cE '^[a-z]+ 0 [0-9]+$' cut/models.cla
try run -d SHD --models tree --cla $cla -o run-tree

echo "divided sets"
mkdir -p divided/{chair,desk}/{train,test}
for i in 0 31 62; do
    ln -s "$PWD/made/db/0/m$i/m$i.off" divided/chair/train
    ln -s "$PWD/made/db/0/m$i/m$i.off" "divided/chair/test/chair $i.off"
done
for i in 1 32 63; do
    ln -s "$PWD/made/db/0/m$i/m$i.off" divided/desk/train
    ln -s "$PWD/made/db/0/m$i/m$i.off" divided/desk/test
done
try run -q --no-times -d SHELLS --models divided -o none
try run -q --no-times -d SHELLS --models divided --split val -o none
try run -q --no-times -d SHELLS --models divided --split test -o part | tail -n 1
cat part/models.cla part/features/SHELLS.npy.ids

echo "a table of labels; its ids are folders somewhere, as ShapeNet's, or files"
mkdir -p shapes/{03001627,04379243}/extra
for i in 0 31 62; do
    mkdir -p shapes/03001627/hash$i/models
    ln -s "$PWD/made/db/0/m$i/m$i.off" shapes/03001627/hash$i/models/model_normalized.off
done
for i in 1 32 63; do ln -s "$PWD/made/db/0/m$i/m$i.off" shapes/04379243/hash$i.off; done
printf 'id,class,parent,split\n%s,chair,furniture,train\n' 'hash0' >labels.csv
printf 'hash%s,%s,furniture,train\n' 31 chair 62 chair 1 'writing desk' 32 'writing desk' \
    63 'writing desk' >>labels.csv
try run -q --no-times -d SHELLS --models shapes --labels labels.csv -o labelled | tail -n 1
cat labelled/models.cla
printf 'extra,chair,furniture,train\nmodels,chair,furniture,train\n' >>labels.csv
try run -q --no-times -d SHELLS --models shapes --labels labels.csv -o labelled
sed -i '/^models/d' labels.csv
try run -q --no-times -d SHELLS --models shapes --labels labels.csv -o labelled
try run -q --no-times -d SHELLS --models shapes --labels labels.csv --skip-missing --replace \
    -o labelled | tail -n 1
try run --models shapes --labels labels.csv --cla $cla -o none
try run --models shapes --labels labels.csv --split test -o none
try run --models shapes --cla $cla --split test -o none

echo "no classes at all"
mkdir mixed
cp made/db/0/m{0,1,2}/*.off mixed
cp mixed/m1.off $'mixed/a b%20\t\nc.off'
"$PSBENCH" convert mixed/m1.off mixed/m1.ply
gzip -k mixed/m2.off
echo OFF >mixed/broken.off
ln -s nowhere.off mixed/lost.off
ln -s ../mixed mixed/again
try describe -d SHELLS,D2 --models mixed -o features --no-times
try describe -d SHELLS,D2 --models mixed -o features --no-times --skip-missing
ls features features/features
cat features/features/D2.npy.ids features/failures.tsv
grep -A 4 '^PSB' features/models.cla
try describe -d SHELLS,D2 --models mixed -o features --no-times --skip-missing 2>&1 | grep earlier
try search --queries features/features/D2.npy --database features/features/D2.npy -k 1 --metric l1 -o - | cut -f 1-3
"$PSBENCH" verify features | tail -n 1
try describe --models mixed
try describe --models mixed -o mixed
try run -d D2 --models mixed --skip-missing -o none
"$PSBENCH" run -q --no-times -d D2 --cla features/models.cla --models mixed -o again >/dev/null
cmp features/features/D2.npy again/features/D2.npy && echo "found again by their names"

echo "nothing is found"
mkdir -p bare/class/deeper
touch bare/readme.txt
try run -d D2 --models bare -o none
try describe --models bare/class -o none
try run -d D2 --models absent -o none
printf 'PSB 1\n1 1\na 0 1\nchair/x\n' >path.cla
try run -d D2 --models tree --cla path.cla -o none
long=$(printf 'n%.0s' {1..250})
(cd bare && for _ in {1..17}; do mkdir "$long" && cd "$long" || exit; done)
try run -d D2 --models bare -o none 2>&1 | sed -E 's/n{20,}/n.../g'
[[ -e none ]] || echo "nothing was made"
# Names with blanks are shown as they are in text, and escaped where programs read them.
mkdir -p 'spaces/garden chair' && cp data/info/cube.off 'spaces/garden chair/first one.off'
"$PSBENCH" info --models spaces | cut -c 1-24 | sed -n '1p;3p' | cat -A
"$PSBENCH" info --models spaces -f csv | cut -d , -f 1
