# The program and the library that users run are hardened: their addresses are not to be guessed, their tables are
# read-only before they begin, and calls that fill buffers are checked.
build=$(dirname "$PSBENCH")
if [[ $(basename "$build") != release ]]; then
    echo "only the release build is hardened"
    exit 77
fi
count() {
    printf '%s: ' "$1"
    grep -qE "$2" elf && echo yes || echo no
}
for file in psbench libpsbench.so.0; do
    echo "== $file"
    readelf -hldW --dyn-syms "$build/$file" >elf
    count 'position-independent' '^ *Type: +DYN'
    count 'relocations are read-only' '^ *GNU_RELRO '
    count 'all symbols are bound at the start' 'Flags:.* NOW( |$)'
    count 'stack protector' '__stack_chk_fail'
    count 'checked memory functions' '__(memcpy|memset|snprintf|vsnprintf)_chk'
    count 'executable stack' '^ *GNU_STACK .* RWE '
done
