# For tests that make calls of the program fail, or kill it there, by a library of tests/shim.

# In a new folder, in memory where that can be had: such tests force files to the disk many times.
in_memory() {
    place=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d) || exit 1
    trap 'rm -rf "$place"' EXIT
    cd "$place" || exit 1
}

# can_preload NAME: $shim is that library, by a path without blanks, which would end its path in LD_PRELOAD. False in
# builds that no library may come before.
can_preload() {
    ln -s "$(dirname "$PSBENCH")/tests/shim/$1.so" "$1.so"
    shim=$PWD/$1.so
    [[ -e $shim && $(basename "$(dirname "$PSBENCH")") =~ ^(release|debug)$ ]]
}

# preload NAME: the same, and elsewhere the test ends as skipped
preload() {
    if ! can_preload "$1"; then
        echo "sanitizers and valgrind do not go with a preloaded library"
        exit 77
    fi
}

# faulty KIND CALL: the command `program`, whose files are in $place/run, with a fault of tests/shim/fault.c; its exit
# code in $code, what it says in `err`. The shell's own words about a killed process go nowhere.
faulty() {
    {
        LD_PRELOAD=$shim FAULT_AWAY=$place/db FAULT_BELOW=$place/run FAULT_KIND=$1 FAULT_AT=$2 \
            FAULT_COUNT=$place/count "${program[@]}" >out 2>err
        code=$?
    } 2>/dev/null
}
