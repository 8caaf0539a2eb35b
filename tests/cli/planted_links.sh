# A run's folder may come from a stranger: whatever links lie in it, no command writes, makes or removes
# anything outside of it. The folder itself may be a link.
. "$(dirname "$0")/../support/pyramids.sh"
pyramids db 6
printf 'PSB 1\n2 6\na 0 3\n1\n2\n3\nb 0 3\n4\n5\n6\n' >c.cla
again() {
    "$PSBENCH" run -q --no-times -t 1 -d D2,SHELLS --cla c.cla --models db -o "$1" "${@:2}"
}
report() {
    "$PSBENCH" report -q "$1"
}
sums() {
    "$PSBENCH" combine "$1" --sum D2=1,SHELLS=1
}
ranked() {
    "$PSBENCH" rerank -q "$1" D2
}
sweep() {
    "$PSBENCH" sweep -q -t 1 -d D2,SHELLS --cla c.cla --models db -o "$1"
}
part() {
    "$PSBENCH" run -q -t 1 -d D2,SHELLS,EXT --cla c.cla --models db -o "$1" --part 0/2
}
again whole >/dev/null
report whole
mkdir outside
echo precious >outside/file
cp whole/matrices/* whole/features/* whole/work/D2.rows whole/report/*.html outside
: >outside/.psbench.tmpAbCd12
precious() {
    find outside | sort
    find outside -type f -exec md5sum {} + | sort
}
precious >before

# planted COMMAND PLACE TARGET: the command on a run in which PLACE is a link, and what it says
planted() {
    rm -rf run out
    cp -a whole run
    rm -rf "run/$2"
    ln -s "$PWD/$3" "run/$2"
    "$1" run >/dev/null 2>err
    echo "$1, $2: exit code $?$([[ -s err ]] && head -n 1 err | sed 's/^psbench: /, /')"
    precious | cmp before - || find outside
}
for folder in features matrices scores work; do
    for command in again sums ranked sweep part; do
        planted $command $folder outside
    done
done
for folder in report report/data report/thumbnails report/images; do
    planted report $folder outside
    planted again $folder outside
done
# Where a file was, the link is replaced.
for file in features/D2.npy features/D2.npy.ids matrices/SHELLS.matrix table.txt run.json models.cla scores/D2.tsv; do
    planted again $file outside/file
    find run -type l
done
for file in work/D2.rows work/D2.npy .lock; do
    planted again $file outside/D2.rows
done
planted report report/index.html outside/file
planted sums matrices/SUM.matrix outside/file
find run -type l

echo '== a pipe in the place of a file'
cp -a whole pipes
rm pipes/table.txt
mkfifo pipes/table.txt
again pipes >/dev/null
echo "exit code $?"

echo '== a run behind a link'
mkdir -p disk/far
cp -a whole disk/far/run
ln -s disk/far near
again near/run >/dev/null && sums near/run/ >/dev/null && report near/run
ln -s near/run there
ranked there >/dev/null
find disk -type l
"$PSBENCH" verify there | grep -v '^ok'
ls there/matrices
