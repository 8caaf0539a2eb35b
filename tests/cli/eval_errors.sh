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
# What can be scored, but is hardly meant: a similarity, and what says nothing.
printf 'PSB 1\n1 3\nc 0 3\na\nb\nc\n' >three.cla
printf '0 1 2\n1 2e-16 3\n2 3 1e-7\n' >fine.txt # as 1 - cosine has it
printf '0 1 2\n1 0.5 3\n2 3 1\n' >diagonal.txt
printf '0 7 7\n7 0 7\n7 7 0\n' >equal.txt
printf '7 7 7\n7 7 7\n7 7 7\n' >all.txt
printf 'PSB 1\n1 2\nc 0 2\nx\ny\n' >two.cla
printf '4 4 4\n4 4 4\n' >two.txt
printf '4 4 4\n4 4 5\n' >other.txt
try three.cla fine.txt diagonal.txt equal.txt all.txt
try --queries two.cla --targets three.cla two.txt other.txt
