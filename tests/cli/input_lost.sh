# A mapped file that is cut short while it is in use: a message and exit code 3, not a crash.
{
    printf '\223NUMPY\1\0v\0%-117s\n' \
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3000, 1), }"
    head -c 12000 /dev/zero
} >rows.npy
# Opening the pipe waits for its reader, with the features already mapped.
mkfifo pipe
"$PSBENCH" search --queries rows.npy --database rows.npy --metric l2 -k 2 -o pipe &
search=$!
until grep -q rows.npy /proc/$search/maps || ! kill -0 $search; do
    sleep 0.05
done
: >rows.npy
# What was written before the loss does not matter, nor whether the pipe was opened at all.
cat pipe >/dev/null &
reader=$!
wait $search
echo $?
kill $reader 2>/dev/null || true
