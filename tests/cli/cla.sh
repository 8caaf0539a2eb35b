# Classifications checked, counted, joined, cut and converted between all their forms.
try() {
    "$PSBENCH" cla "$@"
    echo "exit code $?"
}
cat >animals.cla <<'END'
PSB 1
6 7

animal 0 0
dog animal 2
1
2
poodle dog 1
3
plant 0 3
4
m5
a/6
fern plant 0
-1 0 1
7
END
printf 'PSB 1\n2 3\nanimal 0 0\ncat animal 3\n8\n9\n10\n' >cats.cla

echo "the paper's tables"
try animals.cla cats.cla
try animals.cla cats.cla --per top
try animals.cla cats.cla --per class
try animals.cla cats.cla --per top -f tsv
try animals.cla -f tsv
try animals.cla animals.cla
try animals.cla --level 1 --per class

echo "every form says the same"
try animals.cla -o animals.csv
try animals.csv -o animals.tsv
try animals.tsv -o back.cla
cat animals.csv back.cla
try animals.cla cats.cla -o both.cla
try animals.cla cats.cla --level 1 -o cut.cla
cat cut.cla
try cut.cla -o cut.txt
cat cut.txt
try cut.txt -o cut_again.cla
sed -n 1,4p cut_again.cla
mkdir -p tree/{animal/dog,plant}
touch tree/animal/dog/{1,2}.off tree/plant/4.obj
try tree -o tree.cla
try tree.cla -o tree.txt
(cd tree && find . -name '*.o*' | sed 's|^./||' | sort) >found.txt
diff tree.txt <(sed 's/\.o[a-z]*$//' found.txt) && echo "the list is that of the files"
try found.txt -o found.cla
cmp tree.cla found.cla && echo "and gives the same classes"

echo "what is wrong is named"
try tree.cla --models tree
try animals.cla --models tree
try damaged.cla
printf 'PSB 1\n1 2\na 0 2\n1\n' >damaged.cla
try damaged.cla
printf 'id,class\n1,a\n1,b\n' >twice.csv
try twice.csv
try animals.cla animals.cla -o never.cla
try animals.cla --per model
try animals.cla -f nonesuch
try animals.cla -o never.xml
try animals.cla -o animals.cla
echo "my thesis" >thesis.csv
try animals.cla -o thesis.csv
cat thesis.csv
try animals.cla -o thesis.csv --force
try --level 2
try animals.cla --split test
printf 'PSB 1\n3 1\na 0 0\nb a 0\na b 1\n1\n' >same.cla
try same.cla -o same.csv
cat same.csv
ls never* 2>/dev/null
