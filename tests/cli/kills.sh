# Kills at random times, in every command that writes: the same command once more leaves the bytes of an
# undisturbed one, and no temporary file. Each on a file system with files that have no name, and as on one
# without (tests/shim/once.c). Of all moments these are a sample; KILLS=N takes N each, tells how many of them
# came before the end, and adds the commands that take long.
# Long: hundreds of commands are ended at random moments.
. "$(dirname "$0")/../support/preload.sh"
. "$(dirname "$0")/../support/pyramids.sh"
in_memory
preload once
export OMP_NUM_THREADS=2

mkdir -p begin/db begin/other
pyramids begin/db 8
cp begin/db/[1-4].off begin/other
gzip -n begin/db/7.off
if ! "$PSBENCH" version | grep -q 'assimp *none'; then
    printf '%s\n' '0 0 0 3 0 0 0 2 0' '0 0 0 3 0 0 0 0 1' '3 0 0 0 2 0 0 0 1' >begin/db/8.raw
    rm begin/db/8.off
fi
tar -C begin/db -czf begin/db.tar.gz .
printf 'PSB 1\n2 8\na 0 4\n1\n2\n3\n4\nb 0 4\n5\n6\n7\n8\n' >begin/c.cla
D=GEDT:form=magnitude,SHD:scale=rms,EXT:form=magnitude,LFD:moments=zernike
D=$D,CEGI:smooth=0.04,normals=outward,form=magnitude
(
    cd begin || exit 1
    "$PSBENCH" run -q --no-times -t 1 -d D2,SHELLS --cla c.cla --models db -o run
    "$PSBENCH" run -q --no-times --matrices no -d $D --cla c.cla --models db -o long
    "$PSBENCH" signature -q long --train c.cla -o train.directions
    if [[ -n ${KILLS:-} ]]; then
        "$PSBENCH" synth -q psb
        base=psb/classification/v1/base
        cp $base/test.cla $base/train.cla
    fi
) >/dev/null

seconds=() # beside times.tsv, files that hold some
# left: the files of `now` that are not those of the undisturbed one, and temporary ones
left() {
    diff -rq -x work -x run.json -x provenance.tsv -x manifest.tsv -x times.tsv -x .lock \
        -x .report.lock "${seconds[@]}" undisturbed now
    find now -name '.psbench.tmp*'
}

# With names of commands: only those.
only=" $* "

# kills OPTIONS...: undisturbed, then killed and once more
kills() {
    [[ $only =~ ^\ *$ || $only == *" $1 "* ]] || return
    [[ $1 == sweep || $1 == beyond ]] && seconds=(-x 'table*')
    [[ $1 == table4 || $1 == beyond ]] && seconds+=(-x index.html)
    local kind n began took wait code wanted tried=0 early=0 process
    rm -rf now
    cp -a begin now
    began=${EPOCHREALTIME/./}
    (cd now && "$PSBENCH" "$@" >../undisturbed.out 2>../err)
    wanted=$?
    took=$((${EPOCHREALTIME/./} - began))
    rm -rf undisturbed
    mv now undisturbed
    for kind in none named; do
        for ((n = 0; n < ${KILLS:-1}; n++)); do
            rm -rf now
            cp -a begin now
            wait=$(((RANDOM * 32768 + RANDOM) % took))
            (cd now && LD_PRELOAD=$shim ONCE_KIND=$kind exec "$PSBENCH" "$@" >/dev/null 2>&1) &
            process=$!
            sleep "$(printf '%d.%06d' $((wait / 1000000)) $((wait % 1000000)))"
            kill -KILL $process 2>/dev/null
            wait $process 2>/dev/null
            [[ $? -eq 137 ]] && early=$((early + 1))
            (cd now && LD_PRELOAD=$shim ONCE_KIND=$kind "$PSBENCH" "$@" >../out 2>../err)
            code=$?
            if [[ $code -ne $wanted ]] || ! cmp -s undisturbed.out out || [[ -n $(left) ]]; then
                echo "$1, $kind, killed after $wait of $took us: exit code $code"
                diff undisturbed.out out | head -n 5
                left
                head -n 3 err
            fi
            tried=$((tried + 1))
        done
    done
    [[ -z ${KILLS:-} ]] || echo "$1: $tried tries, $early killed before the end"
    seconds=()
    echo "$1: exit code $wanted"
} 2>/dev/null
kills run -q --no-times -d D2,SHELLS --cla c.cla --models db -o new
kills run -q --no-times -d D2,SHELLS,EXT --cla c.cla --models db -o run
kills run -q --no-times -d SHELLS --models db.tar.gz --cla c.cla --matrices no -o new
kills run -q --part 0/2 -d D2,SHELLS --cla c.cla --models db -o new
kills sweep -q -d 'SHD:scale={mean,rms}' --cla c.cla --models db -o new
kills combine run --sum D2=1,SHELLS=2
kills rerank -q run D2
kills report -q run
kills signature -q long --train c.cla -o new.directions
kills signature -q long --by train.directions
kills plot -q run -o curve
kills plot -q run -k tier -o tier
kills export run
kills cla run -o new.csv
kills search -q --queries run/features/D2.npy --database run/features/D2.npy -k 3 -o lists
kills distance -q -o new.matrix run/features/D2.npy
kills describe -q -d D2 -o rows.npy db/1.off db/2.off db/7.off.gz
kills generative -q -d D2 db other --rounds 10 -o new
kills query -q -d D2 run db/3.off -o page.html
kills duplicates -q run -d D2
kills convert db/7.off.gz new.ply
kills align db/1.off db/2.off -o new.off
kills render db/1.off -o new.png
if [[ -n ${KILLS:-} ]]; then
    kills table4 -q --no-times --psb psb -o new
    kills table4 -q --no-times -d D2,SHELLS -o new
    kills beyond -q --psb psb -o new
    kills synth -q new
fi
