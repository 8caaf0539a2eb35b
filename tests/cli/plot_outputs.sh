# What plot writes beside its STEM, STEM-NAME.*, is neither an input nor a file of another kind.
printf 'PSB 1\n2 6\n\nx 0 3\n1\n2\n3\ny 0 3\n4\n5\n6\n' >s.cla
for i in 1 2 3 4 5 6; do
    for j in 1 2 3 4 5 6; do
        printf '%d ' $((i == j ? 0 : (i * j) % 7 + 1))
    done
    echo
done >a.txt
cp a.txt b.plot
cp a.txt out-b.plot
cp a.txt before.txt
echo "a user's notes" >notes-a.plot

# plots ARGUMENT...: says what plot says of files, and what it wrote
plots() {
    echo "plot $*"
    "$PSBENCH" plot -q s.cla "$@" 2>&1 | grep -v 'no names beside'
    echo "exit code ${PIPESTATUS[0]}"
    find . -newer stamp -type f | sort
    touch stamp
}
touch stamp
plots a.txt out-b.plot -o out -f plot
cmp out-b.plot before.txt
ln -s out-b.plot linked.txt
mv b.plot b.txt
plots a.txt linked.txt b.txt -o out -f svg,plot
plots a.txt b.txt -o notes -f plot,svg
cat notes-a.plot
plots a.txt b.txt -o notes -f plot,svg --force
plots a.txt b.txt -o notes -f plot,svg
plots a.txt b.txt -o notes -f plot --per class
plots a.txt b.txt -o notes -f plot,svg
# Names that are the same once they are part of a file's name.
mkdir -p a
cp a.txt a/x.txt
cp a.txt a_x.txt
mkdir -p b
cp a.txt b/x.txt
cp a.txt a_x.txt.txt
plots a/x.txt b/x.txt a_x.txt.txt -o same -f plot
