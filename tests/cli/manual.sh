# A manual page for the program and for each command, that man and mandoc read without a warning; what the
# pages of the library and of commands name is there.
# Plain build only: what reads the pages here are man and mandoc.
build=$(dirname "$PSBENCH")
if [[ ! -d $build/man ]]; then
    echo 'the manual is made by make manual'
    exit 77
fi
"$PSBENCH" help | awk '/^  [a-z0-9-]+  / && $1 != "psbench" { print "psbench-" $1 ".1" }' | sort >commands
(cd "$build/man" && ls psbench-*.1) | grep -v import | sort | diff commands - && echo 'a page for each command'
if command -v mandoc >/dev/null; then
    mandoc -T lint -W warning "$build"/man/* || cat
fi
for page in "$build"/man/*; do
    LC_ALL=C.UTF-8 man --warnings -l -Tutf8 -Z "$page" 2>&1 >/dev/null | sed "s|^|$(basename "$page"): |"
done
# The page has every option of the command, which the help has as well, among them those of every command.
for page in "$build"/man/psbench-*.1; do
    [[ $page != *-import.1 ]] || continue
    command=$(basename "$page" .1)
    "$PSBENCH" help "${command#psbench-}" >help
    sed -n '/ptions:$/,/^$/p' help | grep -E '^  [^ ]|^      --' | sed -E 's/^(.{6}([^ ]+ )*[^ ]+)  .*/\1/' |
        grep -oE -- '--[a-z0-9-]+' | sort >shown
    sed -n 's/^\.TP$//; s/.*\\fB\\-\\-\([a-z0-9\\-]*\)\\fR.*/--\1/p' "$page" | tr -d '\134' | sort | diff shown - | sed "s/^/$command: /"
    grep -q '^--import$' shown || echo "$command: no options of every command"
done
sed -n '/\.SH NAME/{n;p}' "$build"/man/psbench-run.1 | tr -d '\134'
header=$(dirname "${BASH_SOURCE[0]}")/../../include/psbench.h
grep -ohE 'psb_[a-z_]+' "$build/man/libpsbench.3" | sort -u | while read -r name; do
    grep -qw "$name" "$header" "${header%.h}_runs.h" || echo "libpsbench.3 names $name, which psbench.h does not have"
done
