# What `make bench` calls, on the built-in models: it comes to its end with a positive figure for each stage and
# descriptor, and against itself nothing is faster or slower.
# Long: twenty seconds of a processor.
# Plain build only: under a sanitizer or valgrind times say nothing.
bench=$(dirname "$PSBENCH")/bench
env -u PSB_DIR "$bench/bench" figures.json >printed 2>&1 || { cat printed; exit 1; }
grep -c '"median":' figures.json >count
[[ $(<count) -gt 60 ]] || echo "only $(<count) figures"
grep '"median":' figures.json | grep -vE '"median":	[0-9]+(\.[0-9]+)?(e-[0-9]+)?,$'
for name in LFD REXT SHD GEDT EXT SECSHEL VOXEL SECTORS CEGI EGI D2 SHELLS DBUF 'all twelve together'; do
    grep -qF "\"$name\"" figures.json || echo "no figure of $name"
done
"$bench/compare" figures.json figures.json | head -n 1 | sed 's/^[0-9]* figures/N figures/'
