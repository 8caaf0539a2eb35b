# Long: each file of a run in turn, damaged in five ways, before each command that reads runs
# No damage is silent: a command prints and writes what it does for the sound run, or it says what is wrong and its exit
# code is not 0; `verify` finds each of them.
. "$(dirname "$0")/../support/flip.sh"
. "$(dirname "$0")/../support/pyramids.sh"
pyramids models/a 3
pyramids b 3 12
mkdir models/b
for i in 1 2 3; do mv b/$i.off models/b/1$i.off; done
"$PSBENCH" run -q --no-times -t 1 -d SHD,SHELLS --models models --matrices yes -o sound >/dev/null
"$PSBENCH" rerank sound SHD >/dev/null
"$PSBENCH" report -q -t 1 sound
rm -f sound/.lock

# What reads a run; the last word of each is what it writes, or - for what it prints.
commands=(
    'eval run -'
    'eval run/SHD -'
    'compare run -'
    'classify run SHD -'
    'cluster run SHELLS -'
    'export run SHD -o out out'
    'plot run SHD -f plot -o out out.plot'
    'query -d SHD run a/1 -'
    'query -d SHD run models/b/11.off -'
    'search --queries run/SHD --database run/SHD -o out out'
    'distance run/SHELLS -o out out'
    'duplicates run/SHD -'
    'report -q -t 1 run -o out out'
    'status run -'
)

# told COMMAND: runs it; leaves its output in what/ and its exit code in code
told() {
    local words
    read -ra words <<<"$1"
    local writes=${words[-1]}
    unset 'words[-1]'
    rm -rf out out.plot what
    mkdir what
    code=0
    "$PSBENCH" "${words[@]}" >what/stdout 2>what/stderr </dev/null || code=$?
    [[ $writes == - || ! -e $writes ]] || cp -r "$writes" what/written
}

for i in "${!commands[@]}"; do
    rm -rf run
    cp -a sound run
    told "${commands[i]}"
    [[ $code == 0 ]] || { echo "the sound run: ${commands[i]}: exit code $code" && cat what/stderr; }
    mv what "what.$i"
done

damage() { # damage HOW FILE
    case $1 in
    cut) truncate -s $(($(stat -c %s "$2") / 2)) "$2" ;;
    emptied) : >"$2" ;;
    flipped) flip "$2" ;;
    removed) rm "$2" ;;
    'made a folder') rm "$2" && mkdir "$2" ;;
    esac
}

silent=0 damages=0
while read -r file; do
    for how in cut emptied flipped removed 'made a folder'; do
        [[ -s sound/$file || $how == removed || $how == 'made a folder' ]] || continue
        damages=$((damages + 1))
        rm -rf run
        cp -a sound run
        damage "$how" "run/$file"
        for i in "${!commands[@]}"; do
            told "${commands[i]}"
            if [[ $code == 0 ]] && ! { cmp -s what/stdout "what.$i/stdout" &&
                diff -rq what/ "what.$i" -x stdout -x stderr >/dev/null; }; then
                silent=$((silent + 1))
                echo "$file $how: ${commands[i]}: exit code 0, and another result"
            elif [[ $code != 0 && ! -s what/stderr ]]; then
                echo "$file $how: ${commands[i]}: exit code $code without a word"
            elif [[ $code -gt 3 ]]; then
                echo "$file $how: ${commands[i]}: exit code $code" && cat what/stderr
            fi
        done
        "$PSBENCH" verify run >/dev/null 2>&1 && echo "$file $how: verify: all is ok"
    done
done < <(cd sound && find . -type f | sed 's|^\./||' | grep -vE '^(work|report)/' | sort)
((damages > 100)) || echo "only $damages damages"
((silent == 0)) || echo "silent: $silent"
