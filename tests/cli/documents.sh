# Every command line of the documents that begin anew, as it stands there, each document in a folder of its own, with
# what it has to print; and that every document is typed by some test. What the documents take for granted is made of the
# generated benchmark (tests/support/samples.sh).
# Plain build only: these are the commands of other tests once more, as documents have them.
. "$(dirname "${BASH_SOURCE[0]}")/../support/documents.sh"
mkdir samples
cd samples || exit
. "$(dirname "${BASH_SOURCE[0]}")/../support/samples.sh"
psbench table4 -q -d SHELLS --no-report --psb psb_v1 -o run-psb >/dev/null
psbench export run-psb SHELLS -f shrec -o exported >/dev/null
mv exported/SHELLS LISTS
cp test.cla all25.cla
ln -s psb_v1 DIR
cd ..
others='README.md docs/commands.md docs/operations.md docs/embedding.md docs/python.md docs/library.md'
own=()
for document in "$documents"/docs/*.md; do
    document=docs/$(basename "$document")
    [[ " $others " == *" $document "* ]] || own+=("$document")
done
for document in "${own[@]}"; do
    echo "== $document"
    cp -r samples "$(basename "$document" .md)"
    cd "$(basename "$document" .md)" || exit
    case $document in
    docs/install.md)
        mkdir ../checkout
        cd ../checkout || exit
        checkout
        ;;
    docs/report.md)
        ln -s run-psb RUN
        for ending in npy npy.ids; do
            cp features.$ending rows.$ending
        done
        psbench cla test.cla -o labels.csv
        ;;
    docs/sets.md | docs/tutorial.md) # the one goes on from README's my_models, the other makes them
        rm -r my_models
        [[ $document == *tutorial* ]] || cp -r psb_v1 my_models
        mkdir build
        ln -s "$PSBENCH" build/
        ;;
    esac
    (HOME=$PWD && type_document "$document")
    [[ $document != docs/install.md ]] || make_lines
    cd ..
done
left "${own[@]}"

# What README names within its text and tables: words in capitals are files and folders of that name, "..." is what else
# the command asks for.
echo '== README.md, in its text'
cd samples || exit
psbench run -q -d LFD,SHD --cla test.cla --models db -o RUN >/dev/null
cp test.cla CLA
cp shd.matrix my.matrix
for rows in my A B; do
    cp features.npy $rows.npy
    cp features.npy.ids $rows.npy.ids
done
rm -r LISTS
mkdir home build MODELS
cp -r ModelNet10/a/test MODELS/one
cp -r ModelNet10/b/test MODELS/other
ln -s ../psb_v1 home/psb_v1
ln -s "$PSBENCH" build/
ln -s my_models GENERATED
ln -s test_set REFERENCE
ln -s chair.off MODEL
ln -s chair.off FILES
HOME=$PWD/home
while IFS= read -r line; do
    type_line README.md "$line"
done < <(sed '/^    /d' "$documents/README.md" | grep -oE '`[^`]+`' | tr -d '`' | grep -E '^(build/)?psbench [a-z0-9]+ ' | sort -u |
    sed -E 's| \.\.\.$| --cla CLA --models db|; s/ NAME$/ GEDT/')
