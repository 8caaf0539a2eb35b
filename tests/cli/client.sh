# A client that is compiled outside of the tree, against what `make install` leaves and nothing else,
# prints what `eval` prints.
out=$(dirname "$PSBENCH")
if [[ $(basename "$out") != release || -n ${MEMCHECK:-} ]]; then
    echo 'a client needs the compiler options of a sanitized library; the release build is tried'
    exit 77
fi
unset MAKEFLAGS MAKELEVEL MFLAGS
here=$PWD
make -s -C "$out/../.." install PREFIX="$here/there" >/dev/null
find there -type f | sort | grep -v psbench-import
cp "$out/../../tests/client/score_set.c" .
export PKG_CONFIG_PATH=$here/there/lib/pkgconfig
pkg-config --modversion psbench
# shellcheck disable=SC2046 # options
gcc -std=c11 -Wall -Wextra -Werror -o score_set score_set.c $(pkg-config --cflags --libs psbench)
"$PSBENCH" synth -q set
cla=set/classification/v1/base/test.cla
./score_set set/db/0/m0/m0.off set/db/0/m1/m1.off "$cla" set/db | tee client.txt
"$PSBENCH" run -q --no-times -d LFD,SHD --cla "$cla" --models set/db -t 1 -o run >/dev/null
"$PSBENCH" eval run LFD SHD >eval.txt
# Labels are the client's own there, paths here.
figures() {
    awk 'NF { $1 = ""; print }' "$1"
}
diff <(tail -n +3 client.txt | figures /dev/stdin) <(figures eval.txt) && echo 'the same as eval prints'
./score_set set/db/0/m0/m0.off no.off "$cla" set/db
echo
