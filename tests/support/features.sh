# Makes files for tests of figures from features: rows for two metrics with many equal distances, and their classes.
npy() { # npy TYPE ROWS COLUMNS: prints the header of a .npy file, 128 bytes
    printf '\223NUMPY\1\0v\0%-117s\n' \
        "{'descr': '$1', 'fortran_order': False, 'shape': ($2, $3), }"
}
# bytes COUNT: prints the text of numbers; its bytes, read as floats, are small and positive, and many are equal.
bytes() {
    seq 1000 100000 | head -c "$1"
}
{ npy '<f4' 300 8 && bytes 9600; } >floats.npy
{ npy '|u1' 20 4700 && bytes 94000; } >lfd.npy
classes() { # classes MODELS COUNT...
    local models=$1 model=0 count
    shift
    printf 'PSB 1\n%d %d\n' $# "$models"
    for count in "$@"; do
        printf 'c%d 0 %d\n' $model "$count"
        seq -f 'm%g' $model $((model + count - 1))
        model=$((model + count))
    done
}
classes 300 1 2 50 7 170 70 >floats.cla
classes 20 4 3 8 5 >lfd.cla
