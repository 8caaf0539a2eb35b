# For tests of runs that are shared out or end early: a small set of models, one of them bad, and runs
# over it that are compared with one undisturbed run.
. "$(dirname "$0")/../support/preload.sh"
. "$(dirname "$0")/../support/pyramids.sh"
pyramids db 12 14
printf 'OFF\n3 1 0\n0 0 0\n1 0 0\n' >db/99.off # fails in every run
printf 'PSB 1\n3 13\na 0 5\n1\n2\n3\n4\n99\nb 0 4\n5\n6\n7\n8\nc 0 4\n9\n10\n11\n12\n' >c.cla
data=(--cla c.cla) # a test may choose other sets of these models
run() { # run RUN OPTIONS...
    local code=0
    "$PSBENCH" run --no-times -t "${threads:-1}" -d D2,SHELLS "${data[@]}" --models db -o "$@" >table.txt 2>err || code=$?
    grep -vE ' s wall, |results in ' err | sed "s/process [0-9]* on .* is at/process P on HOST is at/"
    echo "exit code $code"
}
parts() { # parts RUN N [FIRST]: runs parts FIRST ... N - 1 of N quietly
    local i
    for ((i = ${3:-0}; i < $2; i++)); do
        run "$1" -q --part "$i/$2" >/dev/null
    done
}
same() { # same RUN: compares a run with the undisturbed one, except costs and paths
    diff -r -x work -x run.json -x provenance.tsv -x .lock whole "$1" && echo 'the same bytes'
    cmp -s whole.txt table.txt || echo 'another table'
    find "$1/work" -type d -name 'part-*'
}
begin() { # makes the undisturbed run and a copy of the models
    run whole
    cp table.txt whole.txt
    cp -a db kept
}

faulty_part() { # faulty_part KIND RUN PART: runs a part with a fault at the thirteenth call that changes a file in RUN/work
    {
        LD_PRELOAD=$shim FAULT_BELOW=$PWD/$2/work FAULT_KIND=$1 FAULT_AT=13 \
            "$PSBENCH" run -q -t 1 -d D2,SHELLS "${data[@]}" --models db -o "$PWD/$2" --part "$3"
        echo "exit code $?"
    } 2>/dev/null
}
