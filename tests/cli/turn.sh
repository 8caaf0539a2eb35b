# Models turned at random: another set, the same for any threads, which only its own folder takes.
# Plain build only: bytes and figures are compared; combine and align turn models, too, and test_turn has the rotations.
"$PSBENCH" synth -q bench >/dev/null
run() { # run FOLDER OPTION...
    "$PSBENCH" run -q --no-times -d EXT,VOXEL:form=magnitude,REXT --models bench/db \
        --cla bench/classification/v1/base/test.cla -o "$1" "${@:2}"
}
run plain >/dev/null
run one --turn 7 -t 1 | head -n 1
run two --turn 7 -t 3 >/dev/null
cmp one/features/EXT.npy two/features/EXT.npy && cmp one/table.txt two/table.txt && echo same
cmp -s one/features/EXT.npy plain/features/EXT.npy || echo turned
grep -o '"turned_by_seed":.*' one/run.json
run three --turn 8 >/dev/null
cmp -s one/features/EXT.npy three/features/EXT.npy || echo 'another seed, other rows'
for folder in plain three; do
    run $folder --turn 7
    echo $?
done
run one
echo $?
run one --turn x

# Rows that an earlier run left for other rotations do not count, wherever they come from.
cp three/work/*.rows one/work/
run one --turn 7 >/dev/null
cmp one/features/EXT.npy two/features/EXT.npy && echo 'own rows only'

