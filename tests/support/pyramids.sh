# pyramids FOLDER COUNT [SUM]: makes small models 1.off, 2.off ... that all differ: model i is i wide and SUM - i deep; SUM
# is 9 unless given.
pyramids() {
    local i
    mkdir -p "$1"
    for ((i = 1; i <= $2; i++)); do
        printf 'OFF\n5 4 0\n0 0 0\n%d 0 0\n0 %d 0\n0 0 1\n1 1 %d\n3 0 1 2\n3 0 1 3\n3 1 2 4\n3 0 2 3\n' \
            "$i" $((${3:-9} - i)) $((i % 3 + 1)) >"$1/$i.off"
    done
}
