# Pipes, devices and links to standard output are written to and stay what they are, as -o FILE of any
# command; what cannot be is refused before the work.
{
    printf '\223NUMPY\1\0v\0%-117s\n' \
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 1), }"
    printf '\0\0\0\0\0\0\200\77\0\0\100\100'
} >rows.npy
search() {
    "$PSBENCH" search --queries rows.npy --database rows.npy --metric l2 -k 2 -o "$1"
}
search plain
# Never the system's own files: a mistake would replace them.
ln -s /proc/self/fd/1 stdout
ln -s /proc/self/fd/2 stderr
ln -s nowhere dangling
ln -s plain linked
mkfifo pipe
mkdir folder

search stdout | cmp - plain && echo 'to a pipe'
{
    echo before
    search stdout
    echo behind
} >>file
{ echo before && cat plain && echo behind; } | cmp - file && echo 'to a file, behind what is there'
search stderr 2>file
cmp file plain && echo 'to standard error'
cat pipe >file &
search pipe
wait
cmp file plain && echo 'to a named pipe'
search linked
cmp linked plain && echo 'in place of a link to a file'
for bad in folder dangling '' absent/ plain/; do
    search "$bad"
    echo $?
done
search stdout >/dev/full
echo $?
find . -type l -o -type p -o -name '*.tmp*' -o -name nowhere | grep -v data | sort
