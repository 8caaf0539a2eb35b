# The benchmark's own test set as folders of links, class within class: without a .cla the figures
# of SHD are those with it, to the last digit, and so are the classes. The paper's Tables 1 and 2.
if [[ -z ${PSB_DIR:-} ]]; then
    echo "needs the models of the Princeton Shape Benchmark (PSB_DIR)"
    exit 77
fi
cla=$PSB_DIR/classification/v1/base/test.cla
declare -A folder=([0]=tree)
while read -r name parent count; do
    if [[ -n $count ]]; then
        folder[$name]=${folder[$parent]}/$name
        mkdir -p "${folder[$name]}"
        class=$name
    elif [[ -e $PSB_DIR/db/$((name / 100))/m$name/m$name.off ]]; then
        ln -s "$PSB_DIR/db/$((name / 100))/m$name/m$name.off" "${folder[$class]}/m$name.off"
    fi
done < <(sed 1,2d "$cla" | tr -d '\r' | grep .)
"$PSBENCH" run -q --no-times -d SHD --models tree -o of_folders | sed -n '/^SHD /{p;q}'
"$PSBENCH" run -q --no-times -d SHD --models "$PSB_DIR/db" --cla "$cla" --skip-missing -o of_cla >/dev/null
"$PSBENCH" eval of_cla -f tsv >of_cla.tsv
"$PSBENCH" eval of_folders -f tsv | cmp - of_cla.tsv && echo "the figures of the .cla, to the last digit"
classes() {
    "$PSBENCH" eval "$1" --per class -f tsv | sed 1d | sort
}
classes of_folders | cmp - <(classes of_cla) && echo "and of each class by its name"
classes of_folders | awk -F'\t' '{ levels[gsub("___", "", $1)]++ }
    END { for (l = 0; l in levels; l++) print levels[l] " classes of " l + 1 " levels" }'
"$PSBENCH" cla "$PSB_DIR"/classification/v1/base/{train,test}.cla
"$PSBENCH" cla "$PSB_DIR"/classification/v1/coarse2/coarse2{Train,Test}.cla --per top
