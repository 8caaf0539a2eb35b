#!/usr/bin/env bash
# Folds of the training set: its classes divided at random into halves, four times. What is fitted (cohorts, directions
# with and without labels) comes from one half, what is scored is the other; a class is never in both. The words of VIEWS
# and SPIN are those of the program, learned from the whole training list without labels. Prints the mean of the eight
# halves for each method: NN FT ST E DCG in percent.
#
#   bench/folds.sh PSBENCH PSB OUT [THREADS]     PSB: the benchmark's folder, with db/ and classification/
set -eu
psbench=$(readlink -f "$1") psb=$2 out=$3 threads=${4:-0}
train=$psb/classification/v1/base/train.cla
rows=VIEWS,SPIN,VIEWS:code=pooled,VIEWS:code=fisher42,T4n,GEDT:form=magnitude,shells=8,DBUF,LFD:moments=zernike
rows=$rows,CEGI:smooth=0.04,normals=outward,form=magnitude
methods=VIEWS,VIEWS+co,SPIN,SPIN+co,VIEWS:code=pooled,VIEWS:code=pooled+co,T4n,T4n+co,P2,P2+co,P4,P4+co,P5,P5+co
methods=$methods,P5+kr,P5+mr,P5+kr+mr,P5+co+kr+mr
run() { # run FOLDER CLA LIST OPTION...
    "$psbench" run -q --no-times -t "$threads" --skip-missing --models "$psb/db" --cla "$2" -o "$1" -d "$3" "${@:4}" >"$1.txt"
}
# half NUMBER SEED: the classes of that half, flat, with their models
half() {
    awk -v number="$1" -v seed="$2" '
        function take() { if (name != "" && count > 0 && classes[name] == number) text = text "\n" name " 0 " count "\n" ids }
        FNR == 1 { pass++; name = "" }
        NF == 3 && pass == 1 && $3 > 0 { order[++n] = $1 }
        pass == 2 && FNR == 1 {
            srand(seed)
            for (i = n; i > 1; i--) { j = 1 + int(rand() * i); t = order[i]; order[i] = order[j]; order[j] = t }
            for (i = 1; i <= n; i++) classes[order[i]] = i % 2
        }
        pass == 2 && NF == 3 { take(); name = $1; count = $3; ids = ""; if (count > 0 && classes[name] == number) { k++; m += count } }
        pass == 2 && NF == 1 { ids = ids $1 "\n" }
        END { take(); printf "PSB 1\n%d %d\n%s", k, m, text }' "$train" "$train"
}
mkdir -p "$out"
run "$out/all" "$train" "$rows"
for seed in 1 2 3 4; do
    for number in 0 1; do
        half "$number" "$seed" >"$out/$seed.$number.cla"
        fold=$out/$seed.$number
        if [[ ! -e $fold ]]; then # begins with the rows of all
            mkdir "$fold"
            cp -r "$out/all/work" "$out/all/provenance.tsv" "$out/all/run.json" "$fold/"
        fi
        run "$fold" "$fold.cla" "$rows" --replace
    done
    for number in 0 1; do
        fold=$out/$seed.$number other=$out/$seed.$((1 - number))
        run "$fold" "$fold.cla" "$methods" --reference "$other"
        for kind in 'all ' 'all --labels' 'views --labels'; do
            # shellcheck disable=SC2086
            "$psbench" signature -q -t "$threads" "$other" --train "$other.cla" --size 256 --blocks $kind -o "$out/directions"
            "$psbench" signature -q -t "$threads" "$fold" --by "$out/directions" --row >"$fold.txt"
        done
        name=$(ls "$fold"/features/F*L.npy) name=$(basename "${name%.npy}")
        # L6: the learned vector's mean distance is 1, as of all that is less its mean.
        "$psbench" combine -q -t "$threads" "$fold" --name L6 \
            --sum "VIEWS=1.051117,$name=0.5,T4n=0.125,SPIN=0.543179" >"$fold.txt"
        "$psbench" rerank -q -t "$threads" "$fold" L6 --method both >"$fold.txt"
    done
done
for fold in "$out"/[1-4].[01]; do
    awk -F'\t' 'NR == 1 { for (f = 1; f <= NF; f++) at[$f] = f; next } { print $0 }' "$fold/table.tsv"
done | awk -F'\t' '
    { name = $1; gsub(/^E[0-9]+L$/, "E256L", name); gsub(/^E[0-9]+$/, "E256", name); gsub(/^F[0-9]+L$/, "F256L", name)
      if (!(name in seen)) order[++n] = name; seen[name]++
      for (f = 2; f <= NF; f++) sum[name, f] += $f; fields = NF }
    END { for (i = 1; i <= n; i++) { printf "%s", order[i]; for (f = 2; f <= fields; f++) printf "\t%.2f", sum[order[i], f] / seen[order[i]]; print "\t" seen[order[i]] } }'
