# The report of the built-in benchmark, and that of a hostile data set without matrices, in headless
# Chromium.
# Long: a browser opens some forty pages, in four widths and both schemes.
# Plain build only: what runs here is the pages; report runs the code that writes them.
root=$(cd "$(dirname "$0")/../.." && pwd)
modules=$root/build/browser
if ! missing=$("$root/scripts/setup-browser.sh" "$modules"); then
    echo "needs Chromium: $missing"
    exit 77
fi
mkdir -p "$modules/screenshots"
"$PSBENCH" synth -q set >/dev/null
"$PSBENCH" table4 -q -d SHELLS,D2 --psb set -o run >/dev/null || exit 1
"$PSBENCH" table6 -q run --psb set >/dev/null || exit 1
"$PSBENCH" report -q run || exit 1
node "$root/tests/browser/check.js" "$modules" run/report "$modules/screenshots" || exit 1

# Ids of 200 bytes; names with markup, quotes, other alphabets, marks of direction and bytes that are no text.
long=$(printf 'x%.0s' $(seq 198))
mkdir models hostile
i=10
printf 'PSB 1\n8 24\n' >hostile/set.cla
for class in '<script>alert(1)</script>' "\"quoted'&amp;" 'Stühle-椅子' "$(printf 'bad\377byte')" 'one' "$(printf '\342\200\256live')" 'כיסא' \
    "$(printf 'x%.0s' $(seq 200))"; do
    printf '%s 0 3\n' "$class" >>hostile/set.cla
    for _ in 1 2 3; do
        echo "$long$i" >>hostile/set.cla
        printf 'OFF\n4 4 0\n0 0 0\n%d 0 0\n0 %d 0\n0 0 9\n3 0 1 2\n3 0 1 3\n3 0 2 3\n3 1 2 3\n' \
            "$i" $((i * i % 17 + 3)) >"models/$long$i.off"
        i=$((i + 1))
    done
done
"$PSBENCH" run -q -d SHELLS,D2 -o other --matrices no --cla hostile/set.cla --models models >/dev/null || exit 1
"$PSBENCH" report -q other || exit 1
mkdir shots
node "$root/tests/browser/check.js" "$modules" other/report shots hostile

# Without a run, and so without pictures; the front page in one file; what changed between two runs.
"$PSBENCH" report -q run/models.cla --with mine=run/features/D2.npy:l2 --with run/matrices/SHELLS.matrix -o paged --single paged/single.html || exit 1
mapfile -t files < <(ls set/db/*/*/*.off)
for i in {0..20}; do
    cp "${files[60 - i]}" "${files[i]}"
done
"$PSBENCH" run -q --no-times -d D2 -o later --cla run/models.cla --models set/db >/dev/null || exit 1
"$PSBENCH" report -q later --since run || exit 1
node "$root/tests/browser/check.js" "$modules" paged shots only index.html matches.html#q=*3 models.html single.html

# The shapes behind a comparison of two sets.
mkdir samples references
for i in {0..9}; do
    cp "${files[2 * i]}" samples
    cp "${files[2 * i + 1]}" references
done
"$PSBENCH" generative -q samples references -d SHELLS --rounds 100 --report later/report/beside >/dev/null || exit 1
node "$root/tests/browser/check.js" "$modules" later/report shots only since.html beside/index.html
