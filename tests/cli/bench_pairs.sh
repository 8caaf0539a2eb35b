# Two builds in turns: here two scripts that say when they were called, the new one with half the memory.
# Long: each line of the table calls two scripts several times.
# Plain build only: what runs here is a script, not the program.
pairs=$(cd "$(dirname "$0")/../.." && pwd)/bench/pairs
program() { # program NAME MEBIBYTES
    mkdir -p "$1/bench" && cat >"$1/psbench" <<END
#!/bin/bash
echo "$1 \$1" >>"$PWD/calls"
printf -v memory '%*s' $(($2 << 20)) ''
while [ \$# -gt 0 ]; do
    if [ "\$1" = -o ]; then
        [ ! -e "\$2.ids" ] && touch "\$2.ids" || exit 3 # as distance does
        mkdir -p "\$2/features" "\$2/matrices" && echo 1 >\$2/features/D2.npy && echo $3 >\$2/matrices/D2.matrix
    fi
    shift
done
exit 1
END
    printf '#!/bin/sh\nmkdir "$2" && echo "$@" >>"%s/made"\n' "$PWD" >"$1/bench/stream"
    chmod +x "$1/psbench" "$1/bench/stream"
}
program before 4 2
program after 1 2
PSB_DIR=$PWD/psb ROWS=400 "$pairs" before/psbench after/psbench 2 |
    awk -F ' *[|] *' 'NF < 9 { sub(/[0-9]+ proc.*/, "..."); print; next }
        /---/ || $3 == "user, old" { print; next }
        { ratio = $10 / $9; print $2 " | " (ratio > 0.3 && ratio < 0.9 ? "less" : "no less") " memory | " $11 }'
sort calls | uniq -c
head -n 8 calls
cat made
program after 1 3
PSB_DIR=$PWD/psb ROWS=400 "$pairs" before/psbench after/psbench 1 | tail -n 1
printf '#!/bin/sh\necho no such thing >&2\nexit 3\n' >after/psbench
PSB_DIR=$PWD/psb ROWS=400 "$pairs" before/psbench after/psbench 1 >/dev/null
echo "exit code $?"
"$pairs" before/psbench
echo "exit code $?"
