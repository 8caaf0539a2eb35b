# What it costs to generate: of each descriptor alone, and of all together, which share fields. Not
# one figure is looked at, only what holds for any clock.
"$PSBENCH" synth -q models
mkdir db
for id in 0 31 62 1 32 63; do
    cp "models/db/0/m$id/m$id.off" "db/m$id.off"
done
printf 'PSB 1\n2 6\nchair 0 3\n0\n31\n62\nstool 0 3\n1\n32\n63\n' >c.cla
run() {
    "$PSBENCH" run -q --cla c.cla --models db -o run -d "$1" >table.txt
}

# Reading and together are the total; together is at least what each takes alone, and less than
# their sum, where two or more share what is much of their work.
check() {
    awk -F '\t' 'NR == 1 { print; next }
        {
            sum = most = 0
            for (i = 3; i <= NF - 2; i++) {
                sum += $i
                most = $i > most ? $i : most
                none += $i == 0
            }
            read_too += $2 + $(NF - 1) < $NF - 1.5e-6 || $2 + $(NF - 1) > $NF + 1.5e-6
            short += $(NF - 1) < most - 1.5e-6
            shared += $(NF - 1) < sum * .99
        }
        END {
            print NR - 1 " models; total is not reading and together: " read_too "; nothing: " none
            print "together less than one alone: " short "; together less than the sum: " shared
        }' run/times.tsv
    # One line below the table, wherever it was broken.
    sed -n '/^Times/,$p' table.txt | tr '\n' ' ' | sed 's/take [0-9.]* ms/take N ms/; s/ $/\n/'
    grep -oE '"generate_(alone|together)_cpu_seconds"' run/run.json | sort | uniq -c
}

echo '== two that share nearly everything'
run EXT,REXT
check
cut -f 1,3,4 run/times.tsv >before

echo '== the first costs what it did, whoever is beside it, and so does one made in another run'
run SECSHEL,REXT,SECTORS
check
run EXT
check
run REXT,EXT
cut -f 1,4 run/times.tsv | sed 's/$/\t/' | paste - <(cut -f 3 run/times.tsv) | tr -s '\t' | diff - before &&
    echo "the same"
