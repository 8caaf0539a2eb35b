# The benchmark's train set as queries, its test set as targets: the figures of an independent slow
# computation, from a matrix, from features and from lists.
if [ -z "${PSB_DIR:-}" ]; then
    echo "PSB_DIR is not set: no train and test set"
    exit 77
fi
. "$(dirname "$0")/../support/two_sets.sh"
for set in train test; do
    # Models without a file are left out of the classification, too.
    find "$PSB_DIR/db" -name '*.off' | sort >files
    awk '
        FNR == NR { sub(/.*\/m/, ""); sub(/\.off$/, ""); there[$0]; next }
        FNR > 2 && NF == 3 { n++; head[n] = $1 " " $2 }
        FNR > 2 && NF == 1 && $1 in there { models[n] = models[n] $1 "\n"; count[n]++; total++ }
        END {
            printf "PSB 1\n%d %d\n", n, total
            for (c = 1; c <= n; c++) printf "\n%s %d\n%s", head[c], count[c] + 0, models[c]
        }' files "$PSB_DIR/classification/v1/base/$set.cla" >$set.cla
    awk 'NR > 2 && NF == 1 { print "/m" $1 ".off" }' $set.cla | grep -Ff - files >wanted
    # shellcheck disable=SC2046 # words
    "$PSBENCH" describe -q -d SHELLS -o $set.npy $(cat wanted)
done
judge train.cla test.cla train.npy test.npy

echo '== a run of both, by two threads'
"$PSBENCH" run -q --no-times -t 2 -d SHELLS --queries train.cla --targets test.cla --models "$PSB_DIR/db" -o run >/dev/null
figures run >of_run
figures --queries train.cla --targets test.cla two.npy | cmp - of_run && echo 'the same figures'
for set in queries targets; do
    # shellcheck disable=SC2046
    "$PSBENCH" describe -q -d SHELLS -o $set.npy $(awk -v db="$PSB_DIR/db" '
        NR > 2 && NF == 1 { print db "/" int($1 / 100) "/m" $1 "/m" $1 ".off" }' run/$set.cla)
done
"$PSBENCH" distance -q -t 1 -o two.npy queries.npy targets.npy
for more in '' .ids .columns.ids; do
    cmp two.npy$more run/matrices/SHELLS.npy$more && echo 'the same bytes'
done
