# Every command of README.md and of what goes on from there, as it stands there, in its order, in one folder,
# as someone would type them. The generated benchmark stands for the paper's, which cannot be here: Table 4 is made with
# two descriptors instead of twelve, and Table 5 has none of the paper's object types.
tree=$(dirname "$PSBENCH")/../..
[[ -e $tree/README.md ]] || tree=$(dirname "${BASH_SOURCE[0]}")/../..
documents=("$tree"/README.md "$tree"/docs/{sets,commands}.md)
mkdir build home
ln -s "$PSBENCH" build/psbench
HOME=$PWD/home build/psbench synth -q home/psb_v1
HOME=$PWD/home
build/psbench table4 -q --no-times -d SHELLS,D2 --no-report --psb ~/psb_v1 --skip-missing -o psb-run >/dev/null
mapfile -t commands < <(grep -hE '^    (build/psbench|cp) ' "${documents[@]}" | sed -E 's/^ +//')
for line in "${commands[@]}"; do
    command=$(sed -E 's/ +#.*//' <<<"$line")
    eval "$command" >out 2>err
    code=$?
    echo "$code: $command"
    [[ $code -eq 0 || $command == *table5* ]] || cat err
    case $line in
    *'eval my.cla shd.matrix '*'# 0.'*)
        [[ $(tr -s ' ' <out) == " ${line##*# }" ]] && echo "    what the document says"
        [[ $(tr -s ' ' <out) == $(build/psbench eval my_run SHD | tr -s ' ') ]] && echo "    what the run says"
        ;;
    *'compare my_run'*) awk '$1 == "SHD" { print "    " $1, $2 }' out ;;
    *' plot '* | *' report '*) [[ -s err ]] && sed -n 1p err ;;
    esac
done
find . -maxdepth 1 -newer home/psb_v1/README.txt ! -name . | sort
