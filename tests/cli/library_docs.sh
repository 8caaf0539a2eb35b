# The client in docs/library.md, compiled against this build's library, prints what eval does.
# Plain build only: what runs here is the documents' code; the calls are those of other tests.
out=$(cd "$(dirname "$PSBENCH")" && pwd)
if [[ ! -e $out/libpsbench.so.0 || -n ${MEMCHECK:-} ]]; then
    echo 'needs the shared library, which this build has not'
    exit 77
fi
sed -n '/^    #include <psbench/,/^    }/ s/^    //p' "$out/../../docs/library.md" >client.c
gcc -std=c11 -Wall -Wextra -Werror -I "$out/../../include" -o client client.c "$out/libpsbench.so.0"
# The document's own line, of what `make install` leaves.
. "$(dirname "${BASH_SOURCE[0]}")/../support/documents.sh"
mkdir from there
(cd from && checkout && make -s install PREFIX="$OLDPWD/there" >/dev/null)
export PKG_CONFIG_PATH=$PWD/there/lib/pkgconfig
type_document docs/library.md
left docs/library.md
export LD_LIBRARY_PATH=$out
"$PSBENCH" synth -q set
cla=set/classification/v1/base/test.cla
./client "$cla" set/db
./client "$cla"
"$PSBENCH" run -q --no-times -d SHD --cla "$cla" --models set/db -o run | awk '$1 == "SHD" { print "eval says", $7 }'
