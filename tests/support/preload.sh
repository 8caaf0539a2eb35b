# For tests that make calls of the program fail, or kill it at a call, by a library of tests/shim.

# in_memory: goes to a new folder, in memory if possible, since such tests force files to the disk many times.
in_memory() {
    place=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d) || exit 1
    trap 'rm -rf "$place"' EXIT
    cd "$place" || exit 1
}

# can_preload NAME: sets $shim to the library's path, without blanks, which would end the path in LD_PRELOAD. Returns false
# in builds that do not allow a preloaded library.
can_preload() {
    ln -s "$(dirname "$PSBENCH")/tests/shim/$1.so" "$1.so"
    shim=$PWD/$1.so
    [[ -e $shim && $(basename "$(dirname "$PSBENCH")") =~ ^(release|debug)$ ]]
}

# preload NAME: does the same, and skips the test in other builds
preload() {
    if ! can_preload "$1"; then
        echo "sanitizers and valgrind do not go with a preloaded library"
        exit 77
    fi
}

# faulty KIND CALL: runs the command `program`, whose files are in $place/run, with a fault of tests/shim/fault.c; sets $code
# to its exit code and writes its messages to `err`. Drops the shell's own words about a killed process.
faulty() {
    {
        LD_PRELOAD=$shim FAULT_AWAY=$place/db FAULT_BELOW=$place/run FAULT_KIND=$1 FAULT_AT=$2 \
            FAULT_COUNT=$place/count "${program[@]}" >out 2>err
        code=$?
    } 2>/dev/null
}
