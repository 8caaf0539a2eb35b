# A label of a method is a file's name, or refused before anything is written; a sum that is no
# distance is refused too. The run stays as it was.
. "$(dirname "${BASH_SOURCE[0]}")/../support/few.sh"
"$PSBENCH" synth -q bench >/dev/null
few 4 bench/classification/v1/base/test.cla
base=bench/classification/v1/base
"$PSBENCH" run -q --no-times -d D2,SHD --cla $base/test.cla --models bench/db -o in/run >/dev/null
long=$(printf 'x%.0s' {1..201})
state() {
    find in -type f ! -name .lock -exec md5sum {} + | sort
}
state >before
refuse() { # refuse COMBINE_ARGUMENTS...
    "$PSBENCH" combine in/run "$@" >/dev/null 2>err
    echo "$? $(sed 's/xxxxxx*/xx/g' err)"
}
for name in ../../x 'a b' '' . .. "$PWD/abs" x/y .hidden -x $'a\tb' $'a\nb' näme a%sb index models-2 \
    SHD SHD: "$long"; do
    refuse --sum D2=1 --name "$name" | sed "s#$PWD#PWD#"
done
refuse --sum D2=1e300,SHD=1e300 --name BIG
refuse --sum D2=1e300,SHD=1e300 --name D2
state | cmp - before && ls in
# One that was there stays what it was.
"$PSBENCH" combine -q in/run --sum D2=1,SHD=2 --name DS >/dev/null
state >before
refuse --sum D2=1e300,SHD=1e300 --name DS
state | cmp - before
"$PSBENCH" eval in/run | cut -d ' ' -f 1
