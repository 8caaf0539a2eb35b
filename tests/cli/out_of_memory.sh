# Memory that runs out in one model ends the run with exit code 4: no table without that model. The
# same command goes on from there, and ends with the bytes of an undisturbed run.
if [[ ! $(basename "$(dirname "$PSBENCH")") =~ ^(release|debug|portable)$ || -n ${MEMCHECK:-} ]]; then
    echo "sanitizers and valgrind take more address space than there is"
    exit 77
fi
export OMP_NUM_THREADS=1
mkdir db
# The last one is the smallest file, and so the last in work, but takes the most memory.
for i in 1 2 3; do
    yes '# nothing' | head -c 30000000 >db/$i.off
    printf '\nOFF\n4 4 0\n0 0 0\n%d 0 0\n0 2 0\n0 0 1\n3 0 1 2\n3 0 1 3\n3 1 2 3\n3 0 2 3\n' "$i" >>db/$i.off
done
{
    printf 'OFF\n4000003 1 0\n1 0 0\n0 1 0\n0 0 1\n'
    yes '0 0 0' | head -n 4000000
    printf '3 0 1 2\n'
} >db/4.off
printf 'PSB 1\n1 4\na 0 4\n1\n2\n3\n4\n' >c.cla
program=("$PSBENCH" run -q --no-times -d SHELLS --cla c.cla --models db)
"${program[@]}" -o undisturbed >/dev/null
echo "exit code $?"
for threads in 1 2; do
    (ulimit -v 540000 && "${program[@]}" -t "$threads" -o run 2>err)
    echo "exit code $?"
    sed -E 's/(SHELLS: )?out of memory: .*/out of memory/' err
    ls run/table.txt 2>&1
    "${program[@]/-q/-v}" -t "$threads" -o run 2>err >/dev/null
    echo "exit code $?"
    grep 'were finished by an earlier run' err
    diff -r -x work -x run.json -x provenance.tsv undisturbed run
    rm -r run
done

# Files that cannot be opened for want of descriptors say nothing against the models either.
for limit in 6 7 8 9 10 11 12; do
    (ulimit -n "$limit" && "${program[@]}" -t 2 -o "few-$limit" >out 2>err)
    code=$?
    [[ $code == 0 || ($code == 4 && $(<err) == *'Too many open files'*) ]] || head out err
    [[ ! -s few-$limit/failures.tsv || $(wc -l <"few-$limit/failures.tsv") == 1 ]] || cat "few-$limit/failures.tsv"
done
