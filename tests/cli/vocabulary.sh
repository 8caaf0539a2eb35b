# Vocabularies of a few models: the same bytes for any number of threads, what they are of, and what is refused.
"$PSBENCH" synth -q made >/dev/null
{
    printf 'PSB 1\n1 10\n\nsome 0 10\n'
    grep -x '[0-9]\+' made/classification/v1/base/test.cla | head -n 10
} >few.cla
for name in VIEWS SPIN; do
    for threads in 1 3; do
        "$PSBENCH-vocabulary" $name few.cla made/db $name.$threads $threads
    done
    cmp $name.1 $name.3
    head -c 8 $name.1 # then its kind, the list's hash, and how many models
    tail -c +9 $name.1 | head -c 8 | od -An -t u8
    tail -c +25 $name.1 | head -c 8 | od -An -t u8
    wc -c <$name.1
done
cmp <(tail -c +17 VIEWS.1 | head -c 8) <(tail -c +17 SPIN.1 | head -c 8) && echo 'of one list'
try() {
    "$PSBENCH-vocabulary" "$@"
    echo "exit code $?"
}
try LFD few.cla made/db none
try VIEWS few.cla made/db
try VIEWS few.cla absent none
{ sed "s/ 10\$/ 2/" few.cla | head -n 6; } >two.cla
try VIEWS two.cla made/db none
