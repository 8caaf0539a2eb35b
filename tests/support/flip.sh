# For tests that damage a file.

# flip FILE [BYTE]: puts another byte at BYTE, counted from 0, or in the middle
flip() {
    local at=${2:-$(($(stat -c %s "$1") / 2))}
    local byte
    # One that is not there already: times and inode numbers are in some files, and a fixed byte would now and then be
    # no damage.
    byte=$(od -A n -t u1 -j "$at" -N 1 "$1")
    printf "\\$(printf '%o' $(((byte + 1) % 256)))" | dd of="$1" bs=1 seek="$at" conv=notrunc status=none
}
