# The client in docs/library.md, compiled against this build's library, prints what eval does.
out=$(cd "$(dirname "$PSBENCH")" && pwd)
if [[ ! -e $out/libpsbench.so.0 || -n ${MEMCHECK:-} ]]; then
    echo 'needs the shared library, which this build has not'
    exit 77
fi
sed -n '/^    #include <psbench/,/^    }/ s/^    //p' "$out/../../docs/library.md" >client.c
gcc -std=c11 -Wall -Wextra -Werror -I "$out/../../include" -o client client.c "$out/libpsbench.so.0"
export LD_LIBRARY_PATH=$out
"$PSBENCH" synth -q set
cla=set/classification/v1/base/test.cla
./client "$cla" set/db
./client "$cla"
"$PSBENCH" run -q --no-times -d SHD --cla "$cla" --models set/db -o run | awk '$1 == "SHD" { print "eval says", $7 }'
