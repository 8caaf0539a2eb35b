# What a user may write for a method, [LABEL=]WHAT[:METRIC], in every command that wants one: all cells of the table
# command x kind, each against the figures of the run that has the method. A cell that a command refuses says why.
. "$(dirname "${BASH_SOURCE[0]}")/../support/few.sh"
"$PSBENCH" synth -q made
few 4 made/classification/v1/base/test.cla
for run in old new; do
    "$PSBENCH" run -q --no-times -d D2 --cla made/classification/v1/base/test.cla --models made/db -o $run >/dev/null
done
"$PSBENCH" run -q --no-times -d SHELLS --cla made/classification/v1/base/test.cla --models made/db -o new >/dev/null
"$PSBENCH" combine -q --sum D2=1 --name SUM new >/dev/null # one of every kind, with the figures of D2
"$PSBENCH" combine -q --sum emb=new/features/D2.npy:cosine=1 --name emb2 new >/dev/null
"$PSBENCH" rerank -q --k1 1 --k2 1 --lambda 1 new D2 >/dev/null
cp new/matrices/D2.matrix own.matrix
cp new/matrices/D2.matrix.ids own.matrix.ids
cp new/features/D2.npy rows.npy
cp new/features/D2.npy.ids rows.npy.ids
"$PSBENCH" distance -q --metric l1 rows.npy rows.npy -o square.npy
rm square.npy.columns.ids
"$PSBENCH" search -q --metric l1 -k 264 --queries rows.npy --database rows.npy -o lists.tsv
cp own.matrix SHELLS # a file of the name of a method of the run
cp own.matrix a=b.matrix
cp own.matrix.ids a=b.matrix.ids

# try COMMAND METHOD: the exit code, and a figure or the message
try() {
    local out err code name=$1
    rm -rf out.*
    case $1 in
    eval) set -- "$2" eval -m nearest_neighbor -f tsv new "$2" ;;
    eval-cla) set -- "$2" eval -m nearest_neighbor -f tsv new/models.cla "$2" ;;
    compare) set -- "$2" compare --rounds 100 -m nearest_neighbor -f tsv new SHELLS "$2" ;;
    classify) set -- "$2" classify -f tsv new "$2" ;;
    plot) set -- "$2" plot -f plot -o out new "$2" ;;
    export) set -- "$2" export -f shrec -o out.d new "$2" ;;
    report) set -- "$2" report new -o out.pages --thumbnails none --with "$2" ;;
    combine) cp -r new out.run && set -- "$2" combine out.run --sum "$2=1" --name X ;;
    rerank) cp -r new out.run && set -- "$2" rerank out.run "$2" ;;
    table6) cp -r new out.run && set -- "$2" table6 out.run SHELLS "$2" --psb made -f tsv ;;
    search) set -- "$2" search -k 2 --metric l1 --queries "$2" --database "$2" -o out.tsv ;;
    distance) set -- "$2" distance --metric l1 "$2" -o out.matrix ;;
    query) set -- "$2" query new made/db/0/m0/m0.off -d "$2" -k 2 ;;
    esac
    out=$("$PSBENCH" "${@:2}" 2>err </dev/null)
    code=$?
    err=$(sed -n '/: no names beside/d;/^psbench/{s/^psbench[ a-z]*: //;s/; there are l1, .*/; there are .../;p;q}' err)
    case $2 in
    eval | classify) out=$(awk 'NR == 2 { print $1, $NF }' <<<"$out") ;;
    compare) out=$(awk 'NR == 2 { print $2, $4 }' <<<"$out") ;;
    plot) out=$([[ ! -e out.plot ]] || head -n 1 out.plot | cut -d ' ' -f 2) ;;
    export) out=$(echo out.d/*) ;;
    combine | rerank) # what was added to the table, and its nearest neighbors
        out=$(tail -n +8 out.run/table.tsv | cut -f 1,5 | tr '\t\n' '  ')
        "$PSBENCH" verify -q out.run | grep -v ^ok
        ;;
    table6) out=$(awk 'NR == 3 { print $1, $2 }' <<<"$out") ;;
    search) out=$(sed -n 3p out.tsv 2>/dev/null | tr '\t' ' ') ;;
    distance) out=$([[ ! -e out.matrix ]] || md5sum <out.matrix | cut -c 1-8) ;;
    query) out=$(sed -n 3p <<<"$out" | tr '\t' ' ') ;;
    report) out=$(tail -n +8 out.pages/data/table4.tsv 2>/dev/null | cut -f 1,5 | tr '\t\n' '  ') ;;
    esac
    if [[ $code -eq 0 ]]; then echo "  $name: $out"; else echo "  $name: exit code $code, $err"; fi
}
for method in D2 mine=D2 SUM emb D2+kr-1-1-1 D2:l1 old/D2 mine=old/D2 old/D2:l1 old own.matrix mine=own.matrix square.npy rows.npy:l1 mine=rows.npy:cosine \
    rows.npy rows.npy:l5 lists.tsv SHELLS ./SHELLS a=b.matrix mine=old D9 old/D9; do
    echo "== $method"
    for command in eval eval-cla compare classify plot export report combine rerank table6 search distance query; do
        try $command "$method"
    done
done
echo "== labels"
"$PSBENCH" eval -q -m nearest_neighbor -f tsv new/models.cla old/D2 new/D2 rows.npy:l1 rows.npy:cosine own.matrix
"$PSBENCH" report -q new --thumbnails none --with old/D2 -o pages && cut -f 1 pages/data/table4.tsv
