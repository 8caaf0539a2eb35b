# A method is one thing: a run makes sums and re-ranked methods as it makes descriptors' matrices, with
# the bytes that combine and rerank leave in a run of the parts; parts that are not named come along.
# Plain build only: bytes are compared; combine, methods and methods_list run the same sums and re-ranked methods.
. "$(dirname "${BASH_SOURCE[0]}")/../support/flip.sh"
. "$(dirname "${BASH_SOURCE[0]}")/../support/few.sh"
"$PSBENCH" synth -q bench >/dev/null
base=bench/classification/v1/base
few 4 $base/test.cla
run() { # run FOLDER LIST OPTION...
    "$PSBENCH" run -q --no-times --cla $base/test.cla --models bench/db -o "$1" -d "$2" "${@:3}"
}
# All bytes but costs, commands and rows that wait for the next run.
same() { # same A B
    diff -r -x work -x run.json -x provenance.tsv -x report -x .lock "$1" "$2" &&
        diff <(facts "$1") <(facts "$2") && echo 'the same bytes'
}
facts() {
    sed -E '/"[a-z_]*seconds"|"peak_memory_bytes"|"command_line"/d' "$1/run.json"
}
methods() {
    cut -f 1 "$1/table.tsv" | tail -n +2 | tr '\n' ' '
    echo
}

all=D2,T3,T3+kr,D2+kr,T3+kr-5-2-0.25
echo '== one command'
L='LFD:moments=zernike,root=yes,GEDT:shells=8,metric=pose48,CEGI:smooth=0.04,normals=outward,metric=pose48'
run parts "D2,$L" >/dev/null
"$PSBENCH" combine -q parts t3 >/dev/null
"$PSBENCH" rerank -q parts T3 D2 >table.txt
"$PSBENCH" rerank -q parts --k1 5 --k2 2 --lambda 0.25 T3 >/dev/null
run whole d2,T3,T3+kr,D2+kr,t3+kr-5-2-0.25 -t 2 >/dev/null
same parts whole
"$PSBENCH" verify whole | grep -cv '^ok'
methods whole

echo '== manifold ranking, alone and beside'
cp -r parts other
"$PSBENCH" rerank -q other SHD D2 --method mr 2>&1
"$PSBENCH" rerank -q other D2 --method mr >/dev/null
"$PSBENCH" rerank -q other D2 --method both --lambda 0.25 >/dev/null
run manifold D2,D2+mr,D2+kr-10-3-0.25+mr >/dev/null
for name in D2+mr D2+kr-10-3-0.25+mr; do
    cmp "other/matrices/$name.matrix" "manifold/matrices/$name.matrix" && echo "$name"
done
"$PSBENCH" rerank -q other D2 --method rm

echo '== what is there is taken over, whichever command made it'
touch mark
run parts $all >/dev/null
find parts/matrices parts/scores parts/features -type f -newer mark
same parts whole
"$PSBENCH" combine -q whole T3 >/dev/null
"$PSBENCH" rerank -q whole T3 >/dev/null
find whole/matrices whole/scores whole/features -type f -newer mark
same parts whole

echo '== a damaged part is made anew; with the same bytes, what is made of it holds'
flip whole/matrices/D2.matrix 40
run whole $all >/dev/null
same parts whole
find whole/matrices whole/scores -name '*.matrix' -newer mark | sort
run whole SHELLS+kr >/dev/null
methods whole
run whole $all >/dev/null

echo '== models in parts; the report'
for part in 0 1; do
    run shared $all --part $part/2
done
run shared $all --complete >/dev/null
same parts shared
"$PSBENCH" report -q whole --thumbnails none && grep -c 'T3+kr' whole/report/index.html

echo '== what is no method, and where there is no matrix'
refuse() {
    "$PSBENCH" run -q --models bench/db -o none "$@"
    echo "exit code $?"
}
refuse -d T5 --cla $base/test.cla 2>&1 | sed 's/there are.*, and/there are ..., and/'
refuse -d SHD,T5+kr --cla $base/test.cla 2>&1 | sed 's/there are.*, and/there are ..., and/'
refuse -d T3+kr+kr-5-2-0.25 --cla $base/test.cla
refuse -d +kr --cla $base/test.cla
for options in -0-3-0.5 -10-3 -10-3-1.5 -10-1001-0.5 x; do
    refuse -d "SHD+kr$options" --cla $base/test.cla 2>&1 | sed 's/: a re-ranked.*/: ...'/
done
refuse -d SHD,T3,t3 --cla $base/test.cla
refuse -d SHD+kr,SHD+kr-10-3-0.5 --cla $base/test.cla
refuse -d SHD,T3 --cla $base/test.cla --matrices no
cp $base/test.cla targets.cla
refuse -d SHD+kr --queries $base/test.cla --targets targets.cla
"$PSBENCH" describe -d SHD+kr --models bench/db -o none
echo "exit code $?"
"$PSBENCH" sweep -d 'SHD:scale={mean,rms},T3' --cla $base/test.cla --models bench/db -o none
echo "exit code $?"
[[ ! -e none ]] && echo 'nothing was written'
