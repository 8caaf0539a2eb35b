# What names the rows of a run's files is proven like the files: no command scores rows whose names
# or classifications somebody changed.
. "$(dirname "${BASH_SOURCE[0]}")/../support/few.sh"
"$PSBENCH" synth -q bench >/dev/null
few 4 bench/classification/v1/base/test.cla
base=bench/classification/v1/base
"$PSBENCH" run -q --no-times -d D2,SHD --cla $base/test.cla --models bench/db -o run >/dev/null
cp $base/test.cla targets.cla
"$PSBENCH" run -q --no-times -d D2 --queries $base/test.cla --targets targets.cla \
    --models bench/db -o two >/dev/null
cp run/matrices/SHD.matrix alone.matrix

try() { # try COMMAND...: its exit code, and what it says of the file
    "$PSBENCH" "$@" >out 2>err
    echo "$? $1: $(grep -m 1 'not the bytes' err | cut -c 1-130)"
}
reverse() { # reverse the first 20 lines of FILE in a copy of FOLDER
    rm -rf copy
    cp -r "$1" copy
    { head -n 20 "$1/$2" | tac && tail -n +21 "$1/$2"; } >"copy/$2"
    echo "$2"
}
reverse run matrices/SHD.matrix.ids
try eval copy SHD
try eval $base/test.cla copy/matrices/SHD.matrix
try compare copy D2 SHD
try plot copy -o plot SHD
try classify copy SHD
try export copy SHD -o export
try rerank copy SHD
try combine copy --sum SHD=1
try report copy --thumbnails none -o pages
try eval copy
try distance copy/features/SHD.npy -o distances.matrix
reverse run features/SHD.npy.ids
try eval $base/test.cla copy/features/SHD.npy --metric l2
try search --queries copy/features/SHD.npy --database copy/features/SHD.npy -o lists.tsv
try query copy bench/db/0/m0/m0.off -d SHD
try duplicates copy -d SHD
try distance copy/features/SHD.npy -o distances.matrix
swap() { # swap the first two models in FILE of a copy of FOLDER
    rm -rf copy
    cp -r "$1" copy
    awk '/^[0-9]+$/ { if (!n++) { first = NR; kept = $0; next } if (n == 2) { print; print kept; next } } 1' \
        "$1/$2" >"copy/$2"
    echo "$2"
}
swap run models.cla
try eval copy
try compare copy
try eval copy/models.cla alone.matrix
try rerank copy/models.cla --lists lists.tsv -o better.tsv
swap two queries.cla
try eval copy
try compare copy
try classify copy
swap two targets.cla
try eval copy
try eval copy D2
reverse two matrices/D2.npy.columns.ids
try eval copy
