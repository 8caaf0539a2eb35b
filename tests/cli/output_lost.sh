# Output that did not arrive is an error, also when it is short enough to wait in a buffer.
if [[ -n ${MEMCHECK:-} ]]; then
    echo 'valgrind opens its own files where standard output was closed'
    exit 77
fi
"$PSBENCH" help >/dev/full
echo $?
"$PSBENCH" help >&-
echo $?
# A reader that has seen enough is none: the program ends as others do, silently, by SIGPIPE (13),
# even where the parent ignores that signal.
mkfifo reader_is_gone
(
    trap '' PIPE
    read -r _ <reader_is_gone
    "$PSBENCH" help
    echo $((128 + 13)) $? >code
) | {
    exec <&-
    echo >reader_is_gone
}
cat code

# A limit of a file's length is an error like a full disk. (Not a smaller one: the thread sanitizer
# begins with a temporary file of 512 KiB.)
"$PSBENCH" synth -q limited
(
    ulimit -f 768
    "$PSBENCH" describe -q -d GEDT -o long.npy limited/db/0/*/*.off
    echo "exit code $?"
)
find . -name 'long.npy*'
