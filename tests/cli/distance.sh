# From features to a matrix, by known distances; features that are none are named.
npy() { # npy TYPE ROWS COLUMNS: the header of a .npy file of 128 bytes
    printf '\223NUMPY\1\0v\0%-117s\n' \
        "{'descr': '$1', 'fortran_order': False, 'shape': ($2, $3), }"
}
floats() {
    od -A n -t f4 -w12 -v "$1" | awk '{ print $1, $2, $3 }'
}
try() {
    "$PSBENCH" distance -q "$@"
    echo "exit code $?"
}
# The points (0, 0), (3, 4) and (-3, -4) as little-endian floats, and as bytes (0, 0), (3, 4), (6, 8).
{
    npy '<f4' 3 2
    printf '\0\0\0\0\0\0\0\0\0\0\100\100\0\0\200\100\0\0\100\300\0\0\200\300'
} >floats.npy
{
    npy '|u1' 3 2
    printf '\0\0\3\4\6\10'
} >bytes.npy
for threads in 1 2; do
    for metric in l1 l2; do
        try --metric "$metric" -t "$threads" -o "$metric$threads.matrix" floats.npy
        echo "$metric"
        floats "$metric$threads.matrix"
    done
done
cmp l11.matrix l12.matrix && cmp l21.matrix l22.matrix && echo "the same for two threads"
# Nothing says how bare rows are compared, unless a name of a metric stands beside them.
try -o bare.matrix floats.npy
echo l2 >floats.npy.metric
try -o l2.matrix floats.npy && cmp l2.matrix l21.matrix && echo "as floats.npy.metric says"
for wrong in 'l2 l1' l3; do
    echo "$wrong" >floats.npy.metric
    try -o x.matrix floats.npy
done
rm floats.npy.metric

try
try floats.npy
try -o x.matrix
try --metric lfd -o x.matrix floats.npy bytes.npy
try --metric nonesuch -o x.matrix floats.npy
try -t 0x -o x.matrix floats.npy
try -o x.matrix absent.npy
try --metric l2 -o x.matrix l2.matrix
try --metric l2 -o floats.npy/x floats.npy
try --metric lfd -o x.matrix floats.npy
try --metric euclidean -o bytes.matrix bytes.npy
echo "bytes by l2, under another name"
floats bytes.matrix
head -c 150 floats.npy >cut.npy
try --metric l2 -o x.matrix cut.npy
{
    npy '<f4' 1 2
    printf '\0\0\300\177\0\0\0\0'
} >nan.npy
try --metric l2 -o x.matrix nan.npy
{
    npy '<f4' 4000000000 4000000000
    printf '\0\0\0\0'
} >absurd.npy
try -o x.matrix absurd.npy
ls
# Rows of a run are compared as the run compares them; a bare matrix is no .npy.
. "$(dirname "$0")/../support/pyramids.sh"
pyramids db/a 3
pyramids b 3 12
mkdir db/b
for i in 1 2 3; do mv b/$i.off db/b/1$i.off; done
"$PSBENCH" run -q -t 1 --models db -d LFD,POINTS,SHELLS --matrices yes -o run >/dev/null
for name in LFD POINTS SHELLS; do
    try -o own.matrix run/$name
    cmp own.matrix run/matrices/$name.matrix
done
try --metric l1 -o own.matrix run/POINTS
cmp -s own.matrix run/matrices/POINTS.matrix || echo "by another metric"
"$PSBENCH" search -q --queries run/LFD --database run/LFD -k 2 -o lists && grep -c . lists
try -o own.npy run/LFD
