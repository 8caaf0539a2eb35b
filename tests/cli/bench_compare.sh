# The comparison of two benchmarks: what got slower, what faster, and what is noise.
# Plain build only: what runs here is a script, not the program.
compare=$(dirname "$PSBENCH")/bench/compare

# figure NAME UNIT LOW MEDIAN HIGH
figure() {
    printf '{"name":"%s","where":"here","unit":"%s","low":%s,"median":%s,"high":%s}\n' "$@"
}
figures() {
    sed -e '1s/^/[/' -e '$!s/$/,/' -e '$s/$/]/'
}
{
    figure steady ms 9 10 11
    figure slower ms 9 10 11
    figure faster ms 9 10 11
    figure 'a slower rate' MB/s 90 100 110
    figure 'a little' ms 10 10.1 10.2
    figure gone ms 1 1 1
} | figures >old.json
{
    figure steady ms 10 12 14
    figure slower ms 14 15 16
    figure faster ms 4 5 6
    figure 'a slower rate' MB/s 40 50 60
    figure 'a little' ms 10.3 10.4 10.5
    figure new ms 1 1 1
} | figures >new.json
"$compare" old.json new.json
echo "exit code $?"
"$compare" old.json old.json
echo "exit code $?"
"$compare" old.json missing.json
echo "exit code $?"
echo '{}' >wrong.json
"$compare" old.json wrong.json
echo "exit code $?"
"$compare"
