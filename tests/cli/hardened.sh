# The program that users run is hardened: its addresses are not to be guessed, its tables are read-only
# before it begins, and calls that fill buffers are checked.
build=$(dirname "$PSBENCH")
if [[ $(basename "$build") != release ]]; then
    echo "only the release build is hardened"
    exit 77
fi
readelf -hldW --dyn-syms "$build/psbench" >elf
count() {
    printf '%s: ' "$1"
    grep -qE "$2" elf && echo yes || echo no
}
count 'position-independent' '^ *Type: +DYN'
count 'relocations are read-only' '^ *GNU_RELRO '
count 'all symbols are bound at the start' 'Flags:.* NOW( |$)'
count 'stack protector' '__stack_chk_fail'
count 'checked memory functions' '__(memcpy|memset|snprintf|vsnprintf)_chk'
count 'executable stack' '^ *GNU_STACK .* RWE '
