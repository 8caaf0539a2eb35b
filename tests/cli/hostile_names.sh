# Whatever the name of a file has in it, no byte of it commands the terminal or breaks a table; and
# other small things about names: endings, marks, folders, pipes.
bad=$(printf 'a\033[31m\tb\nc\302\2331m')
control() {
    LC_ALL=C grep -c '[[:cntrl:]]' | sed "s/^/$1: lines with control characters: /"
}
mkdir db
for i in 0 1 2; do cp data/off_good/plain.off "db/$i.off"; done
cp data/off_good/plain.off "$bad.off"
printf 'PSB 1\n1 3\nc 0 3\n0\n1\n2\n' >set.cla
cp set.cla "$bad.cla"
"$PSBENCH" describe -d D2 "$bad.off" "$bad.off" | cut -f 1
"$PSBENCH" describe -d D2 "$bad.off" | tr '\t' ' ' | control describe
"$PSBENCH" info "$bad.off" | head -n 1
"$PSBENCH" info "$bad.off" | control info
"$PSBENCH" describe -d D2 -o rows.npy "$bad.off" db/1.off db/2.off
cat rows.npy.ids
"$PSBENCH" distance -o "$bad.matrix" rows.npy
rm "$bad.matrix.ids"
for command in "describe absent$bad" "info $bad" "eval -q $bad" "run --cla $bad" "bad$bad" "run --$bad" \
    "render $bad -o $bad"; do
    IFS=' ' read -r -d '' -a words <<<"$command"
    "$PSBENCH" "${words[@]}" 2>&1 | control "${words[0]%%[^a-z]*}"
done
"$PSBENCH" run -q --no-times -d D2 --cla "$bad.cla" --models db -o run | control run
"$PSBENCH" eval -q set.cla "$bad.matrix" "$bad.matrix" 2>&1 | control eval
"$PSBENCH" eval -q set.cla "$bad.matrix" -m dcg -f txt 2>&1 | control "eval -f txt"
cp "$bad.matrix" "x$bad.matrix"
"$PSBENCH" compare -q set.cla "$bad.matrix" "x$bad.matrix" --rounds 100 2>&1 | control compare
"$PSBENCH" compare -q set.cla "$bad.matrix" "x$bad.matrix" --rounds 100 -f tsv | awk -F'\t' '{ print NF }'
rm "x$bad.matrix"

echo "endings, marks, folders"
mkdir upper
for ending in OFF Off off; do
    cp db/0.off "upper/m$((${#n} + 1)).$ending"
    n=x$n
done
printf '\357\273\277PSB 1\n1 3\nc 0 3\n1\n2\n3\n' >marked.cla
"$PSBENCH" run -q --no-times -d D2 --cla marked.cla --models upper -o upper_run >/dev/null
echo "exit code $?"
wc -l <upper_run/features/D2.npy.ids
mkdir bare
"$PSBENCH" run -d D2 --cla set.cla --models bare -o none
echo "exit code $?"
mkfifo pipe
for command in "describe pipe" "info pipe" "eval pipe pipe" "distance -o x pipe" "render pipe -o x.png" \
    "search --queries pipe --database pipe -o x" "run --cla pipe --models db -o x"; do
    # shellcheck disable=SC2086
    "$PSBENCH" $command
    echo "exit code $?"
done
ls -q
