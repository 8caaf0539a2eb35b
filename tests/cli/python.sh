# The Python module: its functions and structs are the header's, and it gives the program's bytes.
. "$(dirname "${BASH_SOURCE[0]}")/../support/python.sh"
"$python" "$tree/tests/python/header.py" >header.c
gcc -std=c11 -Wall -Wextra -Wno-redundant-decls -Werror -fsyntax-only -I "$tree/include" header.c && echo 'the header is as the module has it'
# ... which is really looked at: a member, an argument and a number that are another.
for change in 's/size_t which;/unsigned which;/' 's/char \*path, psb_mesh/char *path, int more, psb_mesh/' 's/PSB_MICRO == 3/PSB_MICRO == 2/'; do
    sed "$change" header.c >other.c
    ! cmp -s header.c other.c && ! gcc -std=c11 -fsyntax-only -I "$tree/include" other.c 2>/dev/null && echo 'a difference is found'
done
"$PSBENCH" synth -q set
"$PSBENCH" run -q --no-times -d SHD,LFD,D2 --cla set/classification/v1/base/test.cla --models set/db -o run >/dev/null
"$python" "$tree/tests/python/module.py"
"$python" "$tree/tests/python/defaults.py"
"$python" "$tree/tests/python/drop_in.py"
"$python" "$tree/tests/python/fuzz.py"
