# Every command with RUN, RUN/NAME, RUN MODEL-ID, a file of rows and one of distances: it works, or says what it takes.
. "$(dirname "$0")/../support/pyramids.sh"
pyramids models/a 3
pyramids b 3 12
mkdir models/b
for i in 1 2 3; do mv b/$i.off models/b/1$i.off; done
"$PSBENCH" run -q --no-times -t 1 -d SHD,SHELLS --models models --matrices yes -o sound >/dev/null
"$PSBENCH" describe -q -d SHELLS -o rows.npy models/a/*.off models/b/*.off
printf '%s\n' a/1 a/2 a/3 b/11 b/12 b/13 >rows.npy.ids
rm rows.npy.metric
"$PSBENCH" distance -q --metric l2 -o rows.matrix rows.npy

# try COMMAND: prints whether it works, or its last words about what is wrong
try() {
    local words code=0
    read -ra words <<<"$1"
    rm -rf run out out.*
    cp -a sound run
    "$PSBENCH" "${words[@]}" >stdout 2>stderr </dev/null || code=$?
    if [[ $code == 0 ]]; then
        echo "$1: works"
    else
        echo "$1: $code: $(grep -v '^See ' stderr | tail -n 1 | sed 's/^psbench[^:]*: //')"
    fi
}

# What stands for X in each command's line.
named=(run run/SHD 'run a/1' rows.npy rows.matrix)
while read -r line; do
    echo "== $line"
    for x in "${named[@]}"; do
        try "${line//X/$x}"
    done
done <<'END'
align -o out.ply X models/a/2.off
beyond X
cla X
classify X
cluster X
combine X --sum SHD=1,SHELLS=1
compare X SHELLS
compare-shapes X models/a/2.off
convert X out.ply
describe -d SHELLS X
distance -o out X
duplicates X
eval X
export X -o out
generative X X
info X
plot X -o out -f png
query X models/a/2.off
render X -o out.png
report X
rerank X SHELLS
search --queries X --database X -o out
signature X --train sound/models.cla -o out
status X
table5 X --psb models
table6 X --psb models
verify X
END
# The same names where more than one is given.
for command in 'eval models rows.matrix' 'eval models rows.npy' 'eval models rows.npy --metric l2' 'eval models run/SHD' \
    'eval models run/features/SHD.npy' 'eval run SHD run/SHELLS' 'eval run SHELS' 'eval run/SHELS' 'compare run LFD LFD' \
    'compare run SHD SHD' 'query run a/1' 'query run/SHELLS a/1' 'query run a/4' 'query run none.off' 'query -d SHELS run a/1' \
    'query rows.npy a/1' 'duplicates run -d SHELS' 'duplicates rows.npy' 'duplicates rows.npy --metric l2' \
    'duplicates run/SHELLS -d SHD' 'duplicates rows.npy --add models' 'distance -o out run/SHELS' 'rerank run SHD SHD+kr' \
    'rerank run SHELS' 'plot run SHD -k map -f plot -o out' 'plot run SHD -k distance -f plot -o out' \
    'plot run SHD --per class -f svg -o out' 'search --queries rows.npy --database run/SHELLS -o out' \
    'search --queries run/SHD --database run/SHELLS -o out' 'report models --with run/SHD -o new/folder'; do
    try "$command"
done
