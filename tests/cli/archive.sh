# An archive in the place of a folder of models: the same bytes, and one is taken for the other.
if "$PSBENCH" version | grep -q 'archives *none'; then
    echo 'this psbench was built without libarchive'
    exit 77
fi
mkdir -p db/a/b db/c
for i in 1 2 3 4 5 6 7 8; do
    folder=db/a
    [[ $i -lt 3 ]] && folder=db/a/b
    [[ $i -gt 5 ]] && folder=db/c
    printf 'OFF\n5 4 0\n0 0 0\n%d 0 0\n0 %d 0\n0 0 1\n1 1 %d\n3 0 1 2\n3 0 1 3\n3 1 2 4\n3 0 2 3\n' \
        $i $((14 - i)) $((i % 3 + 1)) >"$folder/m$i.off"
done
printf 'OFF\n3 1 0\n0 0 0\n1 0 0\n' >db/c/bad.off
gzip -n db/c/m8.off
tar -cf set.tar db
tar -czf set.tgz -C db .
run() { # run RUN OPTIONS...
    local code=0
    "$PSBENCH" run --no-times -t 2 -d D2,SHELLS -o "$@" >table.txt 2>err || code=$?
    grep -vE ' s wall, |results in ' err
    echo "exit code $code"
}
same() { # same RUN: all but what names the models' folder
    diff -r -x work -x run.json -x provenance.tsv -x .lock -x failures.tsv -x 'table.*' files "$1" && echo 'the same bytes'
    diff <(tail -n +3 files.txt) <(tail -n +3 table.txt)
    tail -n +2 "$1/failures.tsv"
}
run files --models db
cp table.txt files.txt

echo '== archives'
run tar --models set.tar/db
same tar
run tgz --models set.tgz
same tgz

echo '== parts, a tar touched between them, then its files'
for i in 0 1 2; do
    run parts -q --part $i/3 --models set.tar/db/
    touch -d "2001-02-0$((i + 1))" set.tar
done
run parts --complete --models set.tar/db
same parts
run parts --models db

echo '== one file changed'
printf 'OFF\n4 4 0\n0 0 0\n1 0 0\n0 3 0\n0 0 1\n3 0 1 2\n3 0 1 3\n3 1 2 3\n3 0 2 3\n' >db/a/m3.off
run files -q --models db
cp table.txt files.txt
tar -cf set.tar db
run tar --models set.tar/db
same tar

echo '== other commands'
"$PSBENCH" describe -q -d D2 --models set.tar/db/a -o rows
cat rows/features/D2.npy.ids
"$PSBENCH" report -q files --models set.tar/db -o with-tar --thumbnails render 2>&1
"$PSBENCH" report -q files --models db -o with-db --thumbnails render 2>&1
diff -r with-tar/thumbnails with-db/thumbnails && echo 'the same pictures'
"$PSBENCH" duplicates tar -d D2 -q | head -n 3

echo '== refused'
run tar --models set.tar/db --log set.tar | head -n 1
run . --models set.tar/db | head -n 1
run no --models set.tar/no
run no --models table.txt
run no --models absent.tar
head -c 5000 set.tar >cut.tar
run no --models cut.tar | sed 's/read: .*/read: .../'
