# Variants on one half of each class, the best of them scored on the other half, once.
"$PSBENCH" synth -q bench >/dev/null
. "$(dirname "$0")/../support/halves.sh"
sweep() { # sweep LIST OPTION...
    "$PSBENCH" sweep -q -d "$1" --cla train.cla --models bench/db "${@:2}"
}
list='EXT:form={full,magnitude},CEGI:smooth={0,0.01,0.1},normals={both,outward}'
sweep "$list" -t 3 >one.txt
cmp one.txt sweep/sweep.txt && cut -f 1,2,7 sweep/sweep.tsv && cut -f 7 sweep/sweep.tsv | tail -n +2 | sort -rnc
ls sweep/sweep-* sweep/test 2>&1
grep '"chosen' sweep/run.json | sed 's/[0-9T:-]*Z/TIME/'

# Each variant's figures are those of a run of its own.
"$PSBENCH" run -q -d CEGI:smooth=0.1 --cla train.cla --models bench/db -o alone >/dev/null
cmp sweep/matrices/CEGI-smooth=0.1.matrix alone/matrices/CEGI-smooth=0.1.matrix && echo 'as alone'

# The same again, with the other list: the choice stands as it was noted, one variant is scored.
noted=$(grep chosen_at sweep/run.json)
sleep 1
sweep "$list" --test test.cla >two.txt
tail -n 1 sweep/sweep.tsv | cut -f 1,2
ls sweep/test/matrices
grep -o 'scored for it.*' two.txt
[[ $noted == "$(grep chosen_at sweep/run.json)" ]] && echo 'chosen then'
sweep "$list" --test test.cla -t 1 | cmp - two.txt && echo 'the same again'
"$PSBENCH" verify sweep | grep -cv '^ok'

# Another choice is not scored on the list that is used up; nor is a list that shares a model.
sweep 'CEGI:smooth={5,6}' --test test.cla
echo $?
sweep 'EXT,SHD' --test train.cla -o other
echo $?
ls other 2>&1
sweep 'EXT:form={full' -o other
sweep 'EXT:form={full,{magnitude}}' -o other
sweep 'EXT:form={full,full}' -o other
"$PSBENCH" sweep -d EXT
