# Annotations as text and as JSON; models that cannot be used are named and the others printed.
try() {
    "$PSBENCH" info "$@"
    echo "exit code $?"
}
try data/info/cube.off data/info/two_parts.off
# JSON has all digits, and the last of them depend on the machine.
try --json data/info/cube.off | sed -E 's/([0-9]\.[0-9]{6})[0-9]+/\1/g'
"$PSBENCH" info data/info/single.off | grep average_dihedral
"$PSBENCH" info --json data/info/single.off data/info/cube.off | grep -E 'file|average_dihedral' |
    sed -E 's/([0-9]\.[0-9]{6})[0-9]+/\1/g'
try data/info/cube.off data/info/no_area.off data/info/nonesuch.off >partial.txt
tail -n 1 partial.txt
diff <("$PSBENCH" info data/info/cube.off) <(sed '$d' partial.txt) && echo "the usable one"
try --json data/info/no_area.off
try
# A table of several, what meets conditions, the largest, and the list of them, which eval takes.
mkdir set
cp data/info/{cube,single,two_parts,no_area}.off set
try --models set -f tsv | cut -f 1-6,13-18
try --models set -f tsv --where 'polygons<5,watertight!=1' | cut -f 1,2
try --models set -f tsv --where ' polygons < 5 , watertight != 1 ' | cut -f 1,2
try --models set -f tsv --where 'volume<9' | cut -f 1,15
try --models set -f tsv --largest stick=2 -o list | cut -f 1
try set/cube.off --largest volume=5 --where 'polygons==6' -o list -q
cat list
# A check of a collection: three faces at an edge, two that run along one alike, one twice, one without area, a vertex twice.
mkdir faults
printf 'OFF\n8 7 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n0 -1 0\n2 2 0\n1 0 0\n3 0 0\n' >faults/all.off
printf '3 %s\n' '0 1 2' '6 0 3' '0 1 4' '1 2 5' '1 2 5' '2 0 3' '0 1 7' >>faults/all.off
cp data/info/{cube,no_area}.off faults
try --models faults -f tsv | cut -f 1,5-13,42
try --models faults --check -f tsv | cut -f 1,13
try --models faults --check --where 'nonmanifold_edges>0' -q -f tsv | cut -f 1
"$PSBENCH" info data/info/cube.off --check -f tsv | wc -l
echo "exit code ${PIPESTATUS[0]}"
printf 'PSB 1\n1 3\na 0 3\ncube\nsingle\ntwo_parts\n' >set.cla
printf '0 1 2\n1 0 3\n2 3 0\n' >d.txt
"$PSBENCH" eval -q set.cla d.txt -m dcg --query-list list -f tsv
try --models set --cla set.cla -q -f json --where 'xmax>=9' | grep model
for wrong in 'polygon>1' 'polygons' 'polygons>1x' '' 'polygons>1,' 'area=>2'; do
    try set/cube.off --where "$wrong"
done
try set/cube.off --largest 'stick>2'
try set/cube.off --largest stick=0
try set/cube.off --models set
