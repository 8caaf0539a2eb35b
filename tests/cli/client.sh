# Clients that are compiled outside of the tree, against what `make install` leaves and nothing else, with
# the shared library and with the static one; one of them prints what `eval` prints.
out=$(dirname "$PSBENCH")
if [[ $(basename "$out") != release || -n ${MEMCHECK:-} ]]; then
    echo 'a client needs the compiler options of a sanitized library; the release build is tried'
    exit 77
fi
unset MAKEFLAGS MAKELEVEL MFLAGS
here=$PWD
tree=$(cd "$out/../.." && pwd)
make -s -C "$tree" install PREFIX="$here/there" >/dev/null
find there ! -type d | sort | grep -vE 'psbench-import|/man1/psbench-'
export PKG_CONFIG_PATH=$here/there/lib/pkgconfig
[[ psbench\ $(pkg-config --modversion psbench) == $("$PSBENCH" --version | head -n 1 | tr -s ' ') ]] &&
    echo 'the version of the program'
# compile FOLDER [--static]: all examples and the client, by pkg-config alone
compile() {
    local source
    mkdir "$1"
    for source in "$tree"/examples/*.c "$tree/tests/client/score_set.c"; do
        # shellcheck disable=SC2046 # options
        gcc -std=c11 -Wall -Wextra -Werror -o "$1/$(basename "$source" .c)" "$source" $(pkg-config "${@:2}" --cflags --libs psbench)
    done
}
compile shared
export LD_LIBRARY_PATH=$here/there/lib
needs() {
    readelf -d "$1" | grep -o 'libpsbench[^]]*'
}
needs shared/score_set
"$PSBENCH" synth -q set
cla=set/classification/v1/base/test.cla
shared/score_set set/db/0/m0/m0.off set/db/0/m1/m1.off "$cla" set/db | tee client.txt
"$PSBENCH" run -q --no-times -d LFD,SHD --cla "$cla" --models set/db -t 1 -o run >/dev/null
"$PSBENCH" eval run LFD SHD >eval.txt
# Labels are the client's own there, paths here.
figures() {
    awk 'NF { $1 = ""; print }' "$1"
}
diff <(tail -n +3 client.txt | figures /dev/stdin) <(figures eval.txt) && echo 'the same as eval prints'
shared/score_set set/db/0/m0/m0.off no.off "$cla" set/db
echo
# Where there is no shared library, the linker takes the static one.
mkdir away
mv there/lib/*.so* away
compile static --static
needs static/score_set
mv away/* there/lib
same() {
    diff <("shared/$1" "${@:2}" 2>&1) <("static/$1" "${@:2}" 2>&1) && echo "$1: the same from both libraries"
}
same score_set set/db/0/m0/m0.off set/db/0/m1/m1.off "$cla" set/db
same describe_one set/db/0/m0/m0.off SHD
same compare_files SHD set/db/0/m0/m0.off set/db/0/m1/m1.off
same evaluate_matrix "$cla" run/matrices/SHD.matrix
same own_descriptor "$cla" set/db
make -s -C "$tree" uninstall PREFIX="$here/there"
find there ! -type d
make -s -C "$tree" install DESTDIR="$here/stage" PREFIX=/usr LIB=lib/triplet
(cd stage && find . -name 'libpsbench*' | sort && grep -E '^(prefix|libdir)=' usr/lib/triplet/pkgconfig/psbench.pc)
