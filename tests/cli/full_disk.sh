# A disk that fills up ends the run with a message; enlarged, the same command finishes, with the
# bytes of an undisturbed run. The disk is a small tmpfs of this test's own.
if [[ -z ${MEMCHECK:-} && $(unshare -m sh -c 'mount -t tmpfs none /mnt && echo fine' 2>/dev/null) == fine ]]; then
    :
else
    echo "no file system may be mounted here"
    exit 77
fi
"$PSBENCH" synth -q models
{
    printf 'PSB 1\n2 8\nchair 0 4\n'
    printf '%s\n' 0 31 62 93
    printf 'stool 0 4\n'
    printf '%s\n' 1 32 63 94
} >c.cla
export where=$PWD
cat >run.sh <<'INNER'
cd "$where" || exit 1
run() {
    "$PSBENCH" run -q --no-times -d D2,SHELLS,SHD --cla c.cla --models models/db -o disk/run
}
mkdir disk
run >/dev/null
echo "exit code $?"
mv disk/run undisturbed
filled=0
for size in 8 16 24 36 48 64 96 128 160; do
    mount -t tmpfs -o "size=${size}k" none disk || exit 1
    run >/dev/null 2>err
    code=$?
    if [[ $code -eq 3 ]]; then
        filled=$((filled + 1))
        grep -q 'No space left on device' err || cat err
        grep -q 'repeat the command to continue' err || cat err
    elif [[ $code -ne 0 ]]; then
        echo "with $size KiB: exit code $code"
    fi
    mount -o remount,size=16m disk || exit 1
    run >/dev/null || echo "enlarged from $size KiB: exit code $?"
    diff -r -x work -x run.json -x provenance.tsv undisturbed disk/run
    umount disk || exit 1
done
[[ $filled -ge 4 ]] && echo "the disk was full at many places"
INNER
unshare -m bash run.sh
