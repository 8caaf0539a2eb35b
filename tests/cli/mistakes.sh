# A hundred and more command lines, of every command, with the mistakes that people make: each message names the thing,
# what was given, what would do, and what to do about it. What is no mistake at all, but is hardly meant, is warned of.
{
    "$PSBENCH" synth -q bench
    base=bench/classification/v1/base
    "$PSBENCH" run -q --no-times -d D2,SHELLS --cla $base/test.cla --models bench/db -o run
    printf 'PSB 1\n1 3\n\nthing 0 3\n1\n2\n3\n' >three.cla
    "$PSBENCH" run -q --no-times -d D2 --cla three.cla --models bench/db -o other
} >made.txt 2>&1 || cat made.txt
model=$(find bench/db -name '*.off' | sort | head -n 1)
cp "$model" chair.off
cp "$model" chair.txt
cp run/features/D2.npy rows.npy
printf '0 1 2\n1 0 3\n2 3 0\n' >three.txt
printf '1 .9 .8\n.9 1 .7\n.8 .7 1\n' >alike.txt
printf 'PSB 1\n0 0\n' >none.cla
printf 'PSB 1\n0 3\n\n1\n2\n3\n' >loose.cla
printf 'nobody\n' >nobody.txt
printf 'name,colour\n1,red\n' >colours.csv
printf 'notes\n' >notes.matrix
: >nothing.cla
: >nothing.txt
mkdir -p folder empty
touch folder/mine.txt
mkdir -p twice/a___b twice/a/b parts/{p,q,r}
for folder in twice/a___b twice/a/b parts/{p,q,r}; do
    cp "$model" "$folder/m${folder//\//_}.off"
done
"$PSBENCH" describe -q -d LFD -o lfd.npy chair.off >/dev/null
"$PSBENCH" run -q --no-times -d D2 --models parts -o unsorted >made.txt 2>&1
unset SLURM_ARRAY_TASK_ID PMI_RANK PMI_SIZE OMPI_COMM_WORLD_RANK
count=0
try() {
    count=$((count + 1))
    printf '\n%d. psbench %s\n' "$count" "$*"
    "$PSBENCH" "$@" </dev/null >out.txt 2>err.txt
    local code=$?
    sed '/^See .psbench help/d' err.txt
    [[ $code != 0 ]] || head -n 8 out.txt | cut -c1-100
    echo "exit code $code"
}

# Names of commands and options.
try tabel4
try evaluate run
try compare-all run
try run --modles bench/db
try eval run --mesure dcg
try eval run --metrics l1
try render chair.off --with 3 -o out.png
try eval run -k 5
try search -q rows.npy -d rows.npy -o near.tsv
try distance rows.npy --metric
try distance rows.npy -m
# Words.
try distance rows.npy --metric hellinger -o a.matrix
try distance rows.npy --metric L2 -o a.matrix
try distance rows.npy --metric consine -o a.matrix
try describe -d SDH chair.off
try describe -d gdet chair.off
try describe -d GEDT:widht=3 chair.off
try describe -d GEDT:width=1000 chair.off
try describe -d GEDT:form=magnitud chair.off
try describe -d SHD,GEDT chair.off
try list GEDTT
try eval run -m dgc
try eval run -m precision
try eval run -m precision@0
try eval run -f xml
try eval run -f xls
try eval run --per clas
try plot run -k rp
try plot run -f jpg
try rerank run D2 --method rk
try combine run t5
try convert chair.off chair.ply --encoding binary
try cite SHDD
# Values outside of limits.
try render chair.off --width 0 -o out.png
try classify run D2 -k 0
try classify run D2 -k five
try duplicates run --quantile 3
try run -d D2 --cla three.cla --models bench/db --max-faces 1e6
try eval rows.npy -t -1
try search --queries rows.npy --database rows.npy -o near.tsv --memory lots
try run -d D2 --cla three.cla --models bench/db --part 2/2
try rerank run D2 --lambda 2
# Missing and too many arguments, and their order.
try eval
try eval three.cla
try eval rows.npy three.cla
try distance rows.npy
try query chair.off run
try query run
try render chair.off
try convert chair.off
try report
try verify
try run -d D2
try table5 run
try sweep -d 'D2' --models bench/db
try status run other
try align chair.off
try synth
try run -d D2 --models bench/db three.cla
# Files of another kind, absent ones, folders for files.
try eval absent.cla three.txt
try eval three.cla absent.matrix
try eval three.cla folder
try eval three.cla chair.off
try eval three.cla notes.matrix
try eval run rows.npy
try eval run rows.npy:euclid
try describe chair.txt
try describe absent.off
try describe folder
try render run -o out.png
try report folder
try report empty
try query run absent.off
try cla colours.csv
# Sets that do not belong together, and empty ones.
try eval run three.txt
try compare run other
try report run --with other
try eval none.cla three.txt
try eval nothing.cla three.txt
try eval loose.cla three.txt
try eval three.cla nothing.txt
try eval three.cla alike.txt
try eval run D3
try compare run D2
try eval run --query-list nobody.txt
try run -d D2 --cla loose.cla --models bench/db -o run
# Outputs in the way.
try distance rows.npy -o chair.off
try distance rows.npy -o rows.npy
try render chair.off -o chair.jpg
try run -d D2 --cla three.cla --models bench/db -o folder
try export run -o folder
try eval run --macro --class
# Arguments in another order.
try eval run/matrices/D2.matrix three.cla
try eval D2 run
try compare D2 SHELLS run
try classify three.txt three.cla
try plot D2 run
try export D2 run
try cluster D2 run
try combine D2 SHELLS run
try rerank D2 run
try query chair run
try table6 psb_v1 run --psb bench
try convert out.ply chair.off
try render out.png chair.off
try help run eval
try version 1.2
# Options and values that are meant for something else.
try convert chair.off -o out.ply
try sweep -d D2 --train three.cla --models bench/db
try table4 run
try table6 run
try beyond
try align chair.off -o
try cite T3
try report run --zip
try report run --thumbnails none --zip pages.zip
try report run --with a:b=three.txt:l1
try report run --with nothing.matrix
try run -d D2 --models bench/db --cla three.cla --part auto
PMI_RANK=1 try run -d D2 --models bench/db --cla three.cla --part auto
try run -d D2 --models bench/db --cla three.cla --max-seconds 5m
try run -d D2 --models bench/db --cla three.cla --memory 2GB
try run -d D2+co --models bench/db --cla three.cla -o out
try search --queries rows.npy --database rows.npy -o near.tsv -k 10%
try plot run --width 85mm
try plot run --classes chiar
try signature run --size 0
try cla three.cla --split train
try classify run --confusion
try eval run --part 0/2
try generative empty folder --metric l2 -d D2
# Members, names and files of another kind.
try combine run t3
try combine run t3 --features
try combine run --sum D2=1,LFD=1
try compare run D2 D2
try eval run rows.npy:lfd
try distance lfd.npy rows.npy -o both.npy
try search --queries rows.npy --database lfd.npy -o near.tsv
try compare run D2 lfd.npy
try generative other other
try generative empty rows.npy
try generative other/D2 run/SHELLS
try compare-shapes chair.off run
try duplicates three.txt
try signature three.cla
try rerank run three.txt
try info three.cla
try describe three.cla
try align chair.off three.cla
try synth chair.off
try status folder
try verify folder
try run -d D2 --models twice -o out
try run -d D2 --models three.cla -o out
try cluster unsorted
# A kind more of each command.
try table4 --psb nowhere
try table5 run --psb nowhere
try table6 run --psb bench --classes base
try beyond --psb bench -d VIEWS
try run -d D2 --cla three.cla --models bench/db --level base
try run -d D2 --cla three.cla --labels colours.csv --models bench/db
try run -d D2,D2 --cla three.cla --models bench/db
try run -d D2 --queries three.cla --models bench/db
try run -d D2 --cla three.cla --models bench/classification
try run -d D2 --queries three.cla --targets three.cla --models bench/db -o out
try sweep -d D2 --cla three.cla --test three.cla --models bench/db -o out
try sweep -d T3 --cla three.cla --models bench/db -o out
try combine run --sum D2=x
try combine run --sum D2=1,D2=2
try rerank run D2 --k1 0
try rerank run D2 --lists near.tsv
try describe chair.off --models bench/db
try describe -d D2 chair.off -o chair.off
try distance rows.npy alike.txt -o a.npy
try query run/D3 chair.off
try signature run --bits 12
try classify run D2 --qrels three.txt
try cluster run D2 -k 1000
try cluster run --members
try duplicates run --add run
try generative chair.off chair.off
try compare-shapes chair.off
try plot run --kind ncg --per class -o plot
try plot run D2 D2 -o plot
try export run -f txt -o exported
try verify run --repair
try cla three.cla -o out.xls
try info chair.off --where faces
try info --models bench/db --largest faces
try convert chair.off out.stp
try convert chair.off chair.off
try align chair.off chair.off --scale 2
try list SHD GEDT
try report run --since D2
try report three.cla --with alike.txt
try eval run --query-list three.cla
try eval three.cla alike.txt --metric l2
try eval run -m dcg --macro
try eval run --units class
try eval run --level 3 --qrels three.txt
try eval run --macro=yes
try eval run --m 2
try eval rows.npy --memory 2
try compare run --measure normalized_dcg
try search --queries rows.npy --database lfd.npy -o near.tsv --metric cosine
try search --queries rows.npy --database rows.npy
printf '0,.5,.1\n1,.2,.9\n2,.4,.3\n3,.4,.4\n' >numbered.csv
printf 'id,label,a\n1,thing,.5\n2,thing,.2\n3,thing,.4\n' >labelled.csv
printf '0,5;1,5\n0,1;2,5\n0,2;3,5\n' >commas.csv
try eval three.cla numbered.csv --metric l2
try eval three.cla labelled.csv --metric l2
try eval three.cla commas.csv --metric l2
try eval three.cla three.txt:l2
try eval three.cla rows.mat --metric l2
try eval run -o table.tsv
try classify run D2 -k 1000
try describe -d D2 chair.off -o rows.csv
try describe -d D2 --models bench/db -o new.npy
try distance rows.npy --metric l2 -o rows.csv
try plot run D2 -o curve.pdf -f pdf
try generative bench/db nowhere
try synth chair.off/new
try table6 run --psb nowhere
try table4 --psb bench/db
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12345\n' >pointer.off
try info pointer.off
