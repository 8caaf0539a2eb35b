# What would let the OpenMP library end the program, by exit code 1 (which says that some models could
# not be used), or the program crash: exit code 4 and a reason, and nothing is written.
if [[ ! $(basename "$(dirname "$PSBENCH")") =~ ^(release|debug|portable)$ || -n ${MEMCHECK:-} ]]; then
    echo "sanitizers and valgrind have stacks and runtimes of their own"
    exit 77
fi
mkdir db
for i in 1 2 3; do
    printf 'OFF\n4 4 0\n0 0 0\n%d 0 0\n0 2 0\n0 0 1\n3 0 1 2\n3 0 1 3\n3 1 2 3\n3 0 2 3\n' $i >db/$i.off
done
printf 'PSB 1\n1 3\na 0 3\n1\n2\n3\n' >c.cla
for size in 1 16k 17k 64k 256k 1M 100000G; do
    OMP_STACKSIZE=$size "$PSBENCH" run -q -t 2 -d SHELLS --cla c.cla --models db -o "run-$size" >out 2>err
    code=$?
    [[ $code -eq 4 && ! -e run-$size && -s err ]] && echo "$size: refused" && continue
    [[ $code -eq 0 && -s run-$size/table.txt ]] && echo "$size: done" && continue
    echo "$size: exit code $code"
    cat err
done
