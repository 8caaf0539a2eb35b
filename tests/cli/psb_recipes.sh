# The scales of the recipes are the mean distances of the benchmark's training set, from models to six digits; those of
# two frames are means of the least of both.
# Long: features of 907 models by ten methods.
if [ -z "${PSB_DIR:-}" ]; then
    echo "PSB_DIR is not set: the scales of recipes are not computed anew"
    exit 77
fi
lfd=LFD:moments=zernike,root=yes
gedt=GEDT:shells=8,metric=pose48
cegi=CEGI:smooth=0.04,normals=outward,metric=pose48
"$PSBENCH" run -q --no-times --cla "$PSB_DIR/classification/v1/base/train.cla" --models "$PSB_DIR/db" --skip-missing \
    -d "VIEWS,VIEWS:code=pooled,SPIN,$lfd,$gedt,$gedt,frame=normals,$cegi,$cegi,frame=normals,DBUF,DBUF:frame=normals" \
    -o run >/dev/null
"$PSBENCH" combine -q run t3 t4 t4n p2 p4 p5 >/dev/null
"$PSBENCH" eval run T4n P2 P4 P5
numbers() {
    od -An -v -t f4 -w4 "run/matrices/$(echo "$1" | tr ':,' '--').matrix"
}
# The terms of all sums, as they stand in run.json: what is divided, and by what.
grep '"formula"' run/run.json | sed 's/.*:\t"//; s/".*//; s/ + /\n/g' | sed 's/^[0-9.]* //' | grep ' / [0-9.]*$' |
    sort -u | while read -r term; do
    members=${term% / *}
    if [[ $members == min* ]]; then
        first=${members#min(}
        second=${members##*, }
        paste <(numbers "${first%%, *}") <(numbers "${second%)}")
    else
        numbers "$members"
    fi | awk -v scale="${term##* / }" -v term="$members" '
        { sum += $2 == "" || $1 < $2 ? $1 : $2 }
        END {
            n = int(sqrt(NR) + 0.5)
            mean = sprintf("%.6g", sum / (n * (n - 1)))
            print term ": " (mean == scale ? "ok" : scale " is not " mean)
        }'
done
