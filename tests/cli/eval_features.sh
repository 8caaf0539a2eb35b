# Statistics straight from features are those of the matrix, for any metric, memory and threads.
# Not in tsan: beyond and cohort have its loops.
. "$(dirname "$0")/../support/features.sh"
for set in floats:l1 floats:l2 floats:cosine floats:chi2 lfd:lfd; do
    name=${set%:*} metric=${set#*:}
    "$PSBENCH" distance --metric "$metric" -o "$name.matrix" "$name.npy"
    for view in '' --model '-m all --per class --errors -f tsv'; do
        # shellcheck disable=SC2086 # options and their values
        "$PSBENCH" eval "$name.cla" "$name.matrix" $view >matrix.out
        for limits in '-t 3' '-t 1 --memory 40M'; do
            # shellcheck disable=SC2086
            "$PSBENCH" eval "$name.cla" "$name.npy" --metric "$metric" $view $limits >features.out
            cmp matrix.out features.out
        done
    done
    echo "$metric"
    "$PSBENCH" eval "$name.cla" "$name.npy" --metric "$metric"
done

"$PSBENCH" eval floats.cla floats.matrix floats.npy --metric l2 -m dcg | sed 's/floats\.//'
for wrong in '--metric l2 --memory '{1K,0,1X,-5M,9999999999G,99999999T} '--metric lfd'; do
    # shellcheck disable=SC2086
    "$PSBENCH" eval floats.cla floats.npy -t 2 $wrong 2>&1 | sed 's/it takes [0-9]*/it takes some/'
    echo "${PIPESTATUS[0]}: $wrong"
done
"$PSBENCH" eval lfd.cla floats.npy --metric l2 2>&1
{ npy '<f4' 3 1 && printf '\0\0\0\0\377\377\177\177\377\377\177\377'; } >large.npy
printf 'PSB 1\n1 3\nc 0 3\na\nb\nc\n' >large.cla
"$PSBENCH" eval large.cla large.npy --metric l1 2>&1
echo $?
# Rows that are all the same; a run's features for distances, and beside another classification than its own.
{ npy '<f4' 3 2 && head -c 24 /dev/zero; } >same.npy
"$PSBENCH" eval large.cla same.npy --metric l2 2>&1 | grep warning
mkdir shapes
cp data/info/{cube,single,two_parts}.off shapes
printf 'PSB 1\n1 3\nc 0 3\ncube\nsingle\ntwo_parts\n' >shapes.cla
"$PSBENCH" run -q -d SHELLS --cla shapes.cla --models shapes -o run >/dev/null
"$PSBENCH" eval run/models.cla run/features/SHELLS.npy 2>&1
printf 'PSB 1\n1 2\nc 0 2\ncube\nsingle\n' >other.cla
"$PSBENCH" eval other.cla run/SHELLS 2>&1
echo $?
