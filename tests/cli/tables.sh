# Tables, arrays and lists as other people's programs leave them.
printf 'id,synsetId,subSynsetId,modelId,split\n000001,02691156,02690373,1a04,train\n000002,02691156,02690373,1a05,train\n000003,03001627,03001627,1a06,val\n' >all.csv
printf 'fullId,category,wnsynset,wnlemmas,up,front\nwss.1a04,"Chair,OfficeChair",n03001627,"chair,seat",,\n3dw.1a05,Chair,n03001627,chair,"0,0,1",\n' >metadata.csv
printf 'object_id,class,split,object_path\nairplane_0627,airplane,test,airplane/test/airplane_0627.off\nchair_0001,chair,test,chair/test/chair_0001.off\n' >modelnet.csv
printf '# made by hand\n\nuid ;  label\r\n"a b.off"; chair\r\n/x/y/b.off;"tab;le"\r\n' >semicolons.csv
printf 'filename   class\na.off chair\n# one more\nb.obj   table\n' >blanks.txt
printf '\xef\xbb\xbfname\tlabel\na\tx\n#c\nb\ty\n' >mark.tsv
for table in all.csv metadata.csv modelnet.csv semicolons.csv blanks.txt mark.tsv; do
    echo "== $table"
    "$PSBENCH" cla "$table" --split all -o list.txt --force && cat list.txt
done
echo "== columns by their names"
"$PSBENCH" cla all.csv --split train --id-column modelId --class-column subSynsetId -o list.txt --force && cat list.txt
"$PSBENCH" cla all.csv --class-column shape 2>&1
"$PSBENCH" cla metadata.csv --id-column up 2>&1

echo "== a folder whose folders hold one model each"
"$PSBENCH" synth -q made
mkdir -p ShapeNet/{a,b}/{1,2,3,4,5}/models
for folder in ShapeNet/*/*/models; do
    cp made/db/0/m0/m0.off "$folder/model_normalized.obj"
done
"$PSBENCH" run -d SHELLS --models ShapeNet -o none 2>&1
"$PSBENCH" run -d SHELLS --models made/db -o none 2>&1
"$PSBENCH" cla ShapeNet --level 1 --per class -f tsv
[[ ! -e none ]] && echo "nothing was begun"

echo "== matrices with names, triangles and condensed ones"
awk 'BEGIN { print "PSB 1\n3 9\n\na 0 3\n1\n2\n3\n\nb 0 3\nx/4\nx/5\nx/6\n\nc 0 3\n7\n8\n9" }' >nine.cla
distances() { # distances FORM: 9 x 9
    awk -v form="$1" '
        function d(i, j) { return i == j ? 0 : (i * 7 + j * 7 + i * j * 13) % 31 + 1 + ((i % 3 == j % 3) ? 0 : 9) }
        BEGIN {
            split("1 2 3 x/4 x/5 x/6 7 8 9", name, " "); split("9 1 4 2 8 3 6 7 5", order, " ")
            if (form == "plain") for (i = 1; i <= 9; i++) { for (j = 1; j <= 9; j++) printf "%d ", d(i, j); print "" }
            if (form == "pandas") {
                for (j = 1; j <= 9; j++) printf ",%s", name[order[j]]; print ""
                for (i = 1; i <= 9; i++) { printf "%s", name[order[i]]; for (j = 1; j <= 9; j++) printf ",%.1f", d(order[i], order[j]); print "" }
            }
            if (form == "files") { # rows and columns in two orders
                printf "id"; for (j = 1; j <= 9; j++) printf ";\"m%s.off\"", name[j]; print ""
                for (i = 1; i <= 9; i++) { n = name[order[i]]; sub(/.*\//, "", n); printf "\"%s\"", n; for (j = 1; j <= 9; j++) printf ";%d", d(order[i], j); print "" }
            }
            if (form == "header") { # names in the first row only
                for (j = 1; j <= 9; j++) printf "m%s%s", name[order[j]], j < 9 ? "," : "\n"
                for (i = 1; i <= 9; i++) { for (j = 1; j <= 9; j++) printf "%d,", d(order[i], order[j]); print "" }
            }
            if (form == "lower") for (i = 1; i <= 9; i++) { for (j = 1; j <= i; j++) printf "%d ", d(i, j); print "" }
            if (form == "below") for (i = 2; i <= 9; i++) { for (j = 1; j < i; j++) printf "%d ", d(i, j); print "" }
            if (form == "half") for (i = 1; i <= 9; i++) { for (j = 1; j <= 9; j++) printf "%d ", j < i ? d(i, j) : 0; print "" }
            if (form == "row") { for (i = 1; i <= 9; i++) for (j = i + 1; j <= 9; j++) printf "%d ", d(i, j); print "" }
            if (form == "column") for (i = 1; i <= 9; i++) for (j = i + 1; j <= 9; j++) print d(i, j)
        }'
}
distances plain >plain.txt
"$PSBENCH" eval -q nine.cla plain.txt --model >expected
for form in pandas header lower below half row column; do
    distances $form >$form.txt
    "$PSBENCH" eval -q nine.cla $form.txt --model | cmp - expected && echo "$form: the same"
done
# Names beside it go before those of the columns.
distances files | sed 's/mx/x/g; 1!s/^[^;]*;//' >beside.txt
distances files | sed '1d; s/^"//; s/".*//' >beside.txt.ids
"$PSBENCH" eval -q nine.cla beside.txt --model | cmp - expected && echo "names beside: the same"
distances files | sed 's/mx/x/g' >files.txt
"$PSBENCH" eval -q nine.cla files.txt --model | cmp - expected && echo "names of files: the same"
distances plain | sed 's/^/1 /' >numbers.txt
"$PSBENCH" eval -q nine.cla numbers.txt 2>&1
distances row | sed 's/ *$/ 3/' >row.txt
"$PSBENCH" eval -q nine.cla row.txt 2>&1
distances pandas | sed '1s/,7//' >pandas.txt
"$PSBENCH" eval -q nine.cla pandas.txt 2>&1
distances pandas | sed '1s/,7/,70/' >pandas.txt
"$PSBENCH" eval -q nine.cla pandas.txt 2>&1

echo "== a list with nothing in it is a list: nothing was found"
mkdir lists
for query in 1 2 3 7 8 9 'x%2F4' 'x%2F5' 'x%2F6'; do
    echo 2 >"lists/$query"
done
: >lists/1
echo unknown >lists/8
for form in shapenet shrec; do
    "$PSBENCH" eval -q nine.cla lists --lists $form -m precision@1 --per model -f tsv 2>&1
    echo 3 >lists/8
done

echo "== a table wherever a classification is wanted"
cp made/classification/v1/base/test.cla full.cla
"$PSBENCH" cla full.cla -o full.csv
sed -n '1p;30,130p' full.csv | tr ',' '\t' >some.tsv
for classes in full.cla full.csv; do
    "$PSBENCH" run -q --no-times -d SHELLS --cla $classes --models made/db -o of-$classes | sed -n '/^SHELLS /{p;q}'
done
cmp of-full.cla/scores/SHELLS.tsv of-full.csv/scores/SHELLS.tsv && echo 'the same figures'
"$PSBENCH" run -q --no-times -d SHELLS --queries full.csv --targets some.tsv --models made/db -o of-two | sed -n '/^SHELLS /{p;q}'
"$PSBENCH" sweep -q -d 'D2:points={100,200}' --cla some.tsv --models made/db -o swept | sed -n '/^D2/p'
