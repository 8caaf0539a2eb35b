# What cannot be scored is named, with what would do.
try() {
    "$PSBENCH" eval "$@"
    echo "$?: $*"
}
printf 'PSB 1\n2 4\n\npair 0 2\na\nb\nother 0 2\nc\nd\n' >pairs.cla
head -c 64 /dev/zero >zeros.matrix
head -c 36 /dev/zero >three.matrix
head -c 50 /dev/zero >odd.matrix
{ head -c 36 /dev/zero; printf '\0\0\300\177'; head -c 24 /dev/zero; } >nan.matrix
{ head -c 36 /dev/zero; printf '\0\0\200\277'; head -c 24 /dev/zero; } >negative.matrix
: >empty.matrix
try
try pairs.cla
try --macro --class pairs.cla zeros.matrix
try -t 0x pairs.cla zeros.matrix
try --model pairs.cla three.matrix
try --model pairs.cla odd.matrix
try --model pairs.cla empty.matrix
try --model pairs.cla nan.matrix
try --model pairs.cla negative.matrix
try --model pairs.cla absent.matrix
try --model absent.cla zeros.matrix
try --model zeros.matrix pairs.cla
# Classes of two are shown, but there is no average of them.
try --model pairs.cla zeros.matrix
try pairs.cla zeros.matrix
try --macro pairs.cla zeros.matrix
try --class pairs.cla zeros.matrix
