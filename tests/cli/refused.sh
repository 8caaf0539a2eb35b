# Where a file system, a container or an old kernel refuses a call though nothing is wrong, a run has the same bytes: from
# nothing, continued, and after a killed process left half a row. A real error stays one.
. "$(dirname "$0")/../support/preload.sh"
. "$(dirname "$0")/../support/pyramids.sh"
preload refuse
mkdir db
pyramids db 6
printf 'PSB 1\n2 6\na 0 3\n1\n2\n3\nb 0 3\n4\n5\n6\n' >c.cla
run() { # WHAT FOLDER
    LD_PRELOAD=$shim REFUSE=$1 "$PSBENCH" run -q --no-times -t 1 -d SHELLS,SECTORS --cla c.cla --models db -o "$2" >/dev/null
}
# whole WHAT: whether the run's files are those of an undisturbed one
whole() {
    diff -r -x work -x run.json -x provenance.tsv -x .lock free run && "$PSBENCH" verify run | grep -v '^ok'
    find run -name '.psbench.tmp*' | grep . && echo "$1: a temporary file stayed"
}
run nothing free
everything=
for what in linkat=EPERM linkat=ENOSYS linkat=EACCES renameat=ENOSYS fsync=EINVAL fsync=ENOSYS syncfs=ENOSYS \
    ftruncate=EPERM ftruncate=EINVAL getrandom=ENOSYS flock=ENOSYS flock=EINVAL mmap=ENODEV; do
    everything+=" $what"
    for step in new again damaged; do
        [[ $step != damaged ]] || printf 'half a row' >>run/work/SHELLS.rows
        run "$what" run 2>err || { echo "$what, $step: exit code $?"; cat err; }
        whole "$what, $step"
    done
    rm -r run
done
run "$everything" run 2>err || cat err
whole everything
rm -r run
for what in linkat=EIO fsync=EIO syncfs=EIO getrandom=EIO ftruncate=EIO mmap=EIO; do
    run "$what" run >out 2>&1
    echo "$what: exit code $?: $(grep -o 'Input/output error' out | sort -u)"
    rm -rf run
done
