# Two folders of models and two files of features: the same figures; failures, going on, wrong usage.
"$PSBENCH" synth -q synth
mkdir samples models
for i in 2 9 16 23 30 37 44 51; do
    cp synth/db/0/m$i/m$i.off samples/$i.off
done
for i in 3 10 17 24 31 38 45 52; do
    "$PSBENCH" convert synth/db/0/m$i/m$i.off models/$i.obj
done
generative() {
    "$PSBENCH" generative "$@"
    echo "$?: $*"
}
generative samples models -d LFD,SHELLS
"$PSBENCH" describe -q -d LFD -o samples.npy samples/{16,2,23,30,37,44,51,9}.off
"$PSBENCH" describe -q -d LFD -o models.npy models/{10,17,24,3,31,38,45,52}.obj
"$PSBENCH" generative samples.npy models.npy --metric lfd -f tsv | cut -f 2- >files.tsv
"$PSBENCH" generative samples models -f tsv | cut -f 2- | cut -f 1,2,3,6,9 | cmp - <(cut -f 1,2,3,6,9 files.tsv) &&
    echo 'files give what folders give'
for format in tsv json md tex txt; do
    "$PSBENCH" generative samples models -t 1 -f $format >1.out
    "$PSBENCH" generative samples models -t 3 --memory 300M -o run -f $format | cmp - 1.out
    cmp 1.out run/generative.$format
done
generative samples samples --rounds 0 -f tsv
# Of a set and itself the Frechet distance is 0. Moved by one in each of three numbers, which the covariances do not notice, it
# is 3. The floor is what the reference's halves give as two files.
rows() { # NAME FIRST STEP MOVED
    {
        printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' "{'descr': '<f4', 'fortran_order': False, 'shape': ($((40 / $3)), 3), }"
        for ((i = $2; i < 40; i += $3)); do
            for x in $((i % 7)) $((i * i % 11)) $((i * 5 % 13)); do
                # A whole number from 1 to 15 as float32.
                ((x += 1 + $4, e = x > 7 ? 3 : x > 3 ? 2 : x > 1))
                printf "\\x$(printf %x $((((127 + e) % 2 << 7) | ((x << (7 - e)) & 127))))\\x$(printf %x $(((127 + e) >> 1)))" |
                    { printf '\0\0' && cat; }
            done
        done
    } >$1.npy
}
rows all 0 1 0
rows moved 0 1 1
rows even 0 2 0
rows odd 1 2 0
distributions() {
    "$PSBENCH" generative -q "$@" --metric l2 --rounds 0 -f tsv --distributions
}
distributions all.npy all.npy | awk -F '\t' 'NR > 1 { printf "Frechet %d\n", 1000 * $13 + 0.5 }'
distributions moved.npy all.npy --floor | tee with.tsv | awk -F '\t' 'NR == 2 { printf "Frechet %.3f\n", $13 }'
distributions odd.npy even.npy | tail -n 1 | cut -f 2- | cmp - <(tail -n 1 with.tsv | cut -f 2-) && wc -l <with.tsv
# How far the map of an auction may be from the best is said, and at most 1 %.
generative samples models -q -d POINTS:points=400,metric=emd-auction --rounds 0 -f tsv | awk -F '\t' '
    NR == 1 { print $14, $15 } NR == 2 { print ($14 > 0 && $14 <= $15 && $15 <= 1 ? "within 1 %" : $0) }'
# The page: its tables give the figures, and the same bytes for any number of threads.
cp samples/2.off samples/copy.off
cp synth/db/0/m3/m3.off samples/same.off
generative samples models -q -t 3 -d LFD,SHELLS --rounds 0 -f tsv --report page >figures.tsv
"$PSBENCH" generative samples models -q -t 1 -d LFD,SHELLS --rounds 0 --report again >/dev/null
diff -r page again && ls page
for spec in LFD SHELLS; do
    awk -F '\t' -v spec=$spec '$1 == "reference" { n++; sum += $4; covered += $6 > 0 } $7 == "yes" { copies = copies " " $2 "=" $3 }
        END { printf "%s\t%.4f\t%.4f copies:%s\n", spec, sum / n, 100 * covered / n, copies }' page/$spec.tsv
    awk -F '\t' -v spec=$spec '$1 == spec { printf "%s\t%.4f\t%.4f\n", $1, $4, $7 }' figures.tsv
done
grep -o '<p class="summary">.*</p>' page/index.html
grep -lF "$PWD" page/*.*
"$PSBENCH" generative samples.npy models.npy --metric lfd --rounds 0 --report paged >/dev/null
head -n 2 paged/lfd.tsv
ls paged/pictures
rm samples/copy.off samples/same.off
generative samples models --report synth
# A report of another kind keeps its folder.
mkdir pages
touch pages/report.css
generative samples.npy models.npy --metric lfd --report pages
# Models that cannot be used are left out, and rows that are finished are not made again.
echo OFF >samples/broken.off
generative samples models -o run -f tsv --rounds 100 --seed 7 >broken.out
tail -n 2 broken.out | cut -f 1-3
cat run/generated/failures.tsv
ls -A run
rm samples/broken.off
# What was written proves itself; folders below count; a run's folder is not taken.
"$PSBENCH" verify run
cp -p run/generative.tsv kept.tsv
sed -i 's/8/9/' run/generative.tsv
"$PSBENCH" verify run | grep -v '^ok'
mkdir -p samples/deeper
mv samples/51.off samples/deeper
generative samples models -o run -f tsv --rounds 0 | cut -f 1-3
"$PSBENCH" verify run | grep -v '^ok'
"$PSBENCH" describe -q -d SHELLS --models models -o described
generative samples models -o described
"$PSBENCH" run -q -d SHELLS --models synth/db --cla synth/classification/v1/base/test.cla -o run

generative
generative samples
generative samples models.npy
generative samples models --metric l2
cp samples.npy bare.npy # nothing says by which metric
generative bare.npy bare.npy
"$PSBENCH" generative -q samples.npy models.npy --rounds 0 -f tsv | cmp - <("$PSBENCH" generative -q samples.npy models.npy --metric lfd --rounds 0 -f tsv)
generative samples.npy models.npy -d SHD
generative samples.npy models.npy --metric cd
generative samples.npy models.npy --metric l3
generative samples models -d NONE
generative samples models -f xls
generative samples models --rounds -1
generative samples models --memory 10M -t 1 2>&1 | sed 's/takes [0-9]*/takes some/'
generative samples absent
generative samples run/reference/work
generative samples models -o samples
generative samples models -o synth
ls
