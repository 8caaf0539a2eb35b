# Sums of a run's rows and re-ranked rows: rows like any other, marked, stale with their parts.
# Not in tsan: beyond and cohort have its loops.
. "$(dirname "${BASH_SOURCE[0]}")/../support/flip.sh"
. "$(dirname "${BASH_SOURCE[0]}")/../support/few.sh"
"$PSBENCH" synth -q bench >/dev/null
base=bench/classification/v1/base
few 6 $base/test.cla
make() { # make NAME -d LIST
    "$PSBENCH" run -q --no-times "${@:2}" --cla $base/test.cla --models bench/db -o "$1" >/dev/null
}
make run -d D2,SHELLS,SHD
cp run/table.tsv before.tsv
"$PSBENCH" combine -q run --sum D2=1,SHD=0.5 --scale mean --name DS >table.txt
cmp table.txt run/table.txt && echo 'prints the table'
head -n 4 run/table.tsv | cmp - before.tsv && echo 'the other lines stay'
grep -o 'These also use the context.*' run/table.md
"$PSBENCH" rerank -q run DS SHD >/dev/null
grep -A 1 '"label":	"\(DS\|DS+kr\)"\|"uses"\|"formula".*\(DS\|mean\|SHD\)' run/run.json | grep 'label\|uses'
"$PSBENCH" eval run | sed 's/ .*//'
"$PSBENCH" eval run -f tsv -m table4 | cut -f 1,6 >eval.tsv
cut -f 1,9 run/table.tsv | wc -l
"$PSBENCH" verify run | grep -cv '^ok'
"$PSBENCH" report -q run --thumbnails none && grep -c 'DS+kr' run/report/index.html

# The same bytes for any number of threads; without a scale the sum of what the files have.
cp -r run other
"$PSBENCH" combine -q other --sum D2=1,SHD=0.5 --scale mean --name DS -t 3 >/dev/null
"$PSBENCH" rerank -q other DS -t 3 >/dev/null
cmp run/matrices/DS+kr.matrix other/matrices/DS+kr.matrix && cmp run/run.json other/run.json &&
    echo 'the same bytes'
"$PSBENCH" combine -q run --sum SHD=1 --name SAME >/dev/null
cmp run/matrices/SAME.matrix run/matrices/SHD.matrix && grep -o 'that use the pair alone.*' run/table.txt

# The run's command, given again, keeps what is made of rows that it knows.
cp -r run again
make again -d D2,SHELLS,SHD
for format in txt tsv json md tex; do
    cmp run/table.$format again/table.$format
done
"$PSBENCH" verify again | grep -cv '^ok'
cp run/table.tsv all.tsv
make again -d SHD
cut -f 1 again/table.tsv | tr '\n' ' '
flip again/matrices/DS+kr.matrix 10
"$PSBENCH" run -t 1 --no-times -d D2,SHELLS,SHD --cla $base/test.cla --models bench/db -o again 2>&1 >/dev/null |
    grep 'of other rows'
cut -f 1 again/table.tsv | tr '\n' ' '
"$PSBENCH" rerank -q again DS >/dev/null
# Of other models all have to be made anew.
make again -d D2,SHELLS,SHD --turn 1 --replace
cut -f 1 again/table.tsv | tr '\n' ' '
echo

# A part that is made anew takes what was made of it with it.
"$PSBENCH" combine -q run --sum D2=2,SHELLS=1 --name DS >/dev/null
"$PSBENCH" eval run DS+kr
echo $?
"$PSBENCH" rerank run DS+kr
echo $?
"$PSBENCH" verify run | grep stale
"$PSBENCH" eval run 2>&1 | grep -c 'left out'

# Names, rows and lists that will not do.
"$PSBENCH" combine run --sum D2=1 --name SHD
"$PSBENCH" combine run --sum D3=1
"$PSBENCH" rerank run "$(printf 'D%.0s' {1..400})"
"$PSBENCH" eval run D3
"$PSBENCH" combine run t3
"$PSBENCH" combine run t5
"$PSBENCH" combine run --sum D2
"$PSBENCH" combine run t3 --scale mean
"$PSBENCH" combine run --sum D2=1,SHD=1 --tune other
"$PSBENCH" rerank run
"$PSBENCH" rerank run D2 --lambda 2
"$PSBENCH" rerank bench D2

# What is tuned elsewhere is the pair's: on one half of each class, for the other half.
. "$(dirname "$0")/../support/halves.sh"
for set in train test; do
    "$PSBENCH" run -q --no-times -d D2,SHD --cla $set.cla --models bench/db -o $set >/dev/null
done
"$PSBENCH" combine -q test --sum D2=1,SHD=1 --scale mean --tune train --name TUNED >/dev/null
grep -A 5 '"label":	"TUNED"' test/run.json | grep -o 'tuned on the training list\|"uses".*'

# Without a matrix: the members' features side by side; the same figures, and stale with them.
L='LFD:moments=zernike,root=yes,GEDT:shells=8,metric=pose48'
make three -d "$L,CEGI:smooth=0.04,normals=outward,metric=pose48"
"$PSBENCH" combine -q three t3 --features
"$PSBENCH" combine -q three t3 >/dev/null
"$PSBENCH" eval three T3 -m all -f tsv | tail -n 1 >matrix.tsv
"$PSBENCH" eval three/models.cla three/features/T3.npy --metric sum -m all -f tsv | tail -n 1 >rows.tsv
cmp matrix.tsv rows.tsv && echo 'the same figures'
"$PSBENCH" distance --metric sum three/features/T3.npy -o three.matrix
cmp three.matrix three/matrices/T3.matrix && echo 'the same bytes'
# Members by their parameters, as -d has them, and with a metric: the recipe's sum, written out.
"$PSBENCH" combine -q three --name OWN --sum "LFD:moments=zernike,root=yes=1,GEDT:shells=8,metric=pose48=0.5,\
CEGI:smooth=0.04,normals=outward,metric=pose48=2,G=GEDT:shells=8,metric=pose48:l1=0" >/dev/null
grep -o '"formula":.*0.5 GEDT.*' three/run.json
"$PSBENCH" combine three --sum GEDT:shells=8,metric=pose48
"$PSBENCH" combine three --sum GEDT:shells=8=1
"$PSBENCH" combine -q three --sum 'GEDT:shells=8,metric={pose48}=1' --name ONE >/dev/null
cmp three/matrices/ONE.matrix three/matrices/GEDT-shells=8-metric=pose48.matrix && echo "one member: its bytes"
"$PSBENCH" verify three | grep -cv '^ok'
"$PSBENCH" combine run t3 --features
"$PSBENCH" combine run --sum D2=1 --features

# Lists that hold everything, re-ranked, have the figures of the matrix; short ones nearly so.
search() { # search K NAME
    "$PSBENCH" search -q --queries run/features/D2.npy --database run/features/D2.npy --metric l2 -k "$1" -o "$2"
}
search 1000 whole.lists
"$PSBENCH" rerank -q run D2 >/dev/null
"$PSBENCH" rerank run/models.cla --lists whole.lists -o re.lists
"$PSBENCH" eval run D2+kr -m all --per model -f tsv >matrix.tsv
"$PSBENCH" eval run/models.cla re.lists -m all --per model -f tsv >lists.tsv
cut -f 3- matrix.tsv >a && cut -f 3- lists.tsv | cmp - a && echo 'the same figures of each model'
search 30 short.lists
"$PSBENCH" rerank run/models.cla --lists short.lists -o short.re -t 3 --mean 0.5 && head -n 2 short.re
"$PSBENCH" rerank run/models.cla --lists short.lists -o other.re -t 1 --mean 0.5 && cmp short.re other.re
{ head -n 4 short.lists && tail -n +33 short.lists; } >cut.lists
search 5 five.lists
for lists in cut.lists five.lists; do
    "$PSBENCH" rerank run/models.cla --lists $lists -o none.lists
    echo $?
done
"$PSBENCH" rerank run/models.cla --lists short.lists
"$PSBENCH" rerank run/models.cla --lists short.lists -o x --mean 0
"$PSBENCH" rerank run D2 --mean 1
