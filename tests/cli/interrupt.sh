# Every command ends soon after the first SIGTERM or SIGINT, with exit code 130: each of these would
# go on for minutes. The signal is sent once the process catches it.
# Plain build only: no line of the code runs here alone; what is stopped are the loops of other tests.
if [[ -n ${MEMCHECK:-} ]]; then
    echo 'valgrind catches every signal itself, from the start'
    exit 77
fi
"$PSBENCH" synth -q set
cla=set/classification/v1/base/test.cla
"$PSBENCH" run -q --no-times -d SHELLS,SECTORS,SHD --cla "$cla" --models set/db -o run >/dev/null
model=set/db/0/m0/m0.off
mkdir copies
copies=()
for ((i = 0; i < 20000; i++)); do
    copies+=("copies/$i.off")
done
perl -e '$from = shift; link $from, $_ for @ARGV' "$model" "${copies[@]}"
{
    printf 'OFF\n3000003 1 0\n1 0 0\n0 1 0\n0 0 1\n'
    yes '0 0 0' | head -n 3000000
    printf '3 0 1 2\n'
} >large.off
mkdir larges
larges=()
for ((i = 0; i < 1000; i++)); do
    larges+=("larges/$i.off")
done
perl -e '$from = shift; link $from, $_ for @ARGV' large.off "${larges[@]}"

# catches PID: whether it catches SIGTERM by now
catches() {
    local mask
    mask=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null)
    [[ -n $mask ]] && (((16#$mask >> 14) & 1))
}

# ends SIGNAL COMMAND...
set -m # or else the background does not get SIGINT
ends() {
    local signal=$1 code=0 process patience=6000
    shift
    "$PSBENCH" "$@" >out 2>err &
    process=$!
    until catches "$process" || ! kill -0 "$process" 2>/dev/null; do
        sleep 0.01
    done
    sleep 0.2
    kill -"$signal" "$process"
    while kill -0 "$process" 2>/dev/null && [[ $((patience--)) -gt 0 ]]; do
        sleep 0.1
    done
    kill -KILL "$process" 2>/dev/null
    { wait "$process" || code=$?; } 2>/dev/null
    echo "$1: exit code $code"
    sed -E '/interrupted|the same command goes on/d' err
    [[ $(grep -c interrupted err) -eq 1 ]] || cat err
}
many=() # methods of which every two are compared: three would be done within a second
for i in {1..12}; do
    many+=("a$i=SHELLS" "b$i=SHD")
done
ends TERM compare run --rounds 10000000 "${many[@]}"
ends INT compare run --rounds 10000000 "${many[@]}"
ends TERM describe -d LFD "${copies[@]}"
ends TERM describe -d LFD -o rows.npy "${larges[@]}"
ends TERM info "${larges[@]}"
find . -newer large.off -type f ! -name out ! -name err
