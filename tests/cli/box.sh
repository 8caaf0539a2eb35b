# The box of psbench-import: what a model could do that takes the program over (tests/box/escape.c),
# with both walls and with each alone, as far as this kernel has them.
escape=$(dirname "$PSBENCH")/tests/box/escape
if [[ ! -x $escape || -n ${MEMCHECK:-} || ! $(basename "$(dirname "$PSBENCH")") =~ ^(release|debug|portable)$ ]]; then
    echo "sanitizers and valgrind make system calls of their own"
    exit 77
fi
# tried WALLS: what came of each attempt, in a fresh folder
tried() {
    mkdir -p place/folder
    echo elsewhere >place/elsewhere
    ln -s /etc/passwd place/folder/link
    mkfifo place/folder/pipe
    "$escape" place/folder "$1"
    rm -r place
}
tried 7 >both
if [[ $(head -1 both) != walls$'\t'7 ]]; then
    echo "this kernel, or this build, has not both walls"
    exit 77
fi
for walls in 7 5 3; do
    tried $walls | sed '1d; s/\(refused\|ended\): .*/\1/' >"of-$walls"
done
echo 'with both, with seccomp alone:'
paste of-7 <(cut -f 2 of-5)
# What Landlock knew from its first version on.
echo 'with Landlock alone:'
grep -E '^(open|create|list|unlink|rename|mkdir|execve|ptrace|more)' of-3
# Limits alone, which any kernel has.
tried 1 | grep '^more memory' | sed 's/: .*//'
