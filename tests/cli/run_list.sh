# A run's folder is for one list of models: another one is refused before anything is written, what
# was made from other models is named and left out by every reader, and the user's own files stay.
. "$(dirname "$0")/../support/pyramids.sh"
pyramids db 8
printf 'PSB 1\n2 8\na 0 4\n1\n2\n3\n4\nb 0 4\n5\n6\n7\n8\n' >train.cla
printf 'PSB 1\n2 8\na 0 4\n5\n6\n7\n8\nb 0 4\n1\n2\n3\n4\n' >test.cla
run() {
    "$PSBENCH" run -q --no-times -t 1 --models db "$@" >table.txt
    echo "exit code $?"
}
# try COMMAND...: what it prints, and its exit code
try() {
    "$PSBENCH" "$@"
    echo "exit code $?"
}
# Every byte and every name of a folder.
state() {
    (cd "$1" && find . -type f | sort | xargs cksum)
}

echo '== another list'
run -d D2,SHELLS --cla train.cla -o run
state run >before
run -d D2 --cla test.cla -o run
state run | diff before - && echo "nothing was written"
run -d EGI --cla train.cla -o run
try eval run
cp train.cla kept.cla
sed 's/^b 0/c 0/' kept.cla >train.cla
run -d D2 --cla train.cla -o run
cp kept.cla train.cla
touch run/matrices/own.txt
run -d D2 --cla test.cla -o run --replace
try verify run
(cd run && find . -type f | sort | grep -v provenance)
try eval run

echo '== other files of the same models'
cp -a db other
sed -i 's/^1 1 /1 2 /' other/*.off
cp -a run kept
others() {
    "$PSBENCH" run -q --no-times -t 1 --models other -d D2 --cla test.cla -o run "$@" >table.txt
    echo "exit code $?"
}
others
diff -r kept run && echo "nothing was written"
cp other/[1-7].off db
run -d D2 --cla test.cla -o run
others --replace
try verify run | grep -v ^ok
rm -r db
cp -a other db
sed -i 's/^1 2 /1 1 /' db/*.off

echo '== folders of their own'
run -d D2 --cla train.cla
run -d D2 --cla test.cla
ls -d run*
try table4 -q -o run-test
[[ ! -e run-test/benchmark ]] && echo "nothing was written"

echo '== a classification of the user'
mkdir own
cp train.cla own/models.cla
echo broken >db/3.off
(cd own && "$PSBENCH" run -q -d D2 --cla models.cla --models ../db -o .)
echo "exit code $?"
cmp train.cla own/models.cla && echo "it stays"
run -d D2 --cla test.cla -o own
cmp train.cla own/models.cla && echo "it stays"
run -d D2 --cla run-train/models.cla -o run-train

echo '== a model that is mended, or changes'
run -d D2,SHELLS --cla test.cla -o mended
cp db/2.off db/3.off
run -d D2 --cla test.cla -o mended
for command in eval compare 'plot -o plot' 'export -o trec' 'report -q --thumbnails none'; do
    echo "$command"
    # shellcheck disable=SC2086
    try $command mended
done
try eval mended SHELLS
try eval test.cla mended/matrices/SHELLS.matrix
try distance -q -o x.matrix mended/features/SHELLS.npy
try search -q --queries mended/features/SHELLS.npy --database mended/features/D2.npy -o x
try verify mended
run -d D2,SHELLS --cla test.cla -o mended
try eval mended
cp db/1.off db/8.off
run -d SHELLS --cla test.cla -o mended
try eval mended

echo '== pages of other results go'
"$PSBENCH" report -q --thumbnails none mended
run -d D2,SHELLS --cla test.cla -o mended
try report -q --thumbnails none mended
touch mended/report/notes.html mended/report/data/mine
try verify mended | grep report
run -d D2,SHELLS --cla test.cla -o mended
ls mended/report
run -d D2,SHELLS,EGI --cla test.cla -o mended
find mended/report -type f
