#!/usr/bin/env bash
# Parts of a run as a Slurm array on four virtual nodes of this machine: all parts; a node lost in
# the middle; SIGTERM; a part that was killed for good. Each has to end in the bytes of one run. Ends with the line
# "N passed, N failed, N skipped".
#
#   tests/slurm.sh [BUILD_DIR]    needs slurmctld, slurmd and munged (packages slurm-wlm, munge), and root
set -u
build=$(cd "${1:-$(dirname "$0")/../build/release}" && pwd) || exit 2
here=$(cd "$(dirname "$0")/.." && pwd)
export PATH=$PATH:/usr/sbin
for program in slurmctld slurmd munged sbatch; do
    if ! command -v "$program" >/dev/null || [[ $EUID -ne 0 ]]; then
        echo "skipped: there is no $program, or this is not root; tests/cli/parts.sh has the same cases as plain processes"
        echo '0 passed, 0 failed, 1 skipped'
        exit 0
    fi
done

place=$(mktemp -d) || exit 2
cd "$place" || exit 2
passed=0 failed=0
port=$((20000 + $$ % 20000))
host=$(hostname -s)
export SLURM_CONF=$place/slurm.conf PSBENCH=$build/psbench

cat >slurm.conf <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthInfo=socket=$place/munge.sock
StateSaveLocation=$place/state
SlurmdSpoolDir=$place/spool/%n
SlurmctldPidFile=$place/slurmctld.pid
SlurmdPidFile=$place/%n.pid
SlurmctldLogFile=$place/slurmctld.log
SlurmdLogFile=$place/%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SlurmdParameters=config_overrides
MpiDefault=none
ReturnToService=2
SlurmdTimeout=10
NodeName=n[1-4] NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1))-$((port + 4)) CPUs=1
PartitionName=all Nodes=n[1-4] Default=YES State=UP
END
echo 'CgroupPlugin=cgroup/v1' >cgroup.conf

stop() { # stop FILE.pid: ends the process that wrote it
    [[ -e $1 ]] && kill "${2:--TERM}" "$(<"$1")" 2>/dev/null
}
finish() {
    scancel --user="$(id -un)" 2>/dev/null
    for file in "$place"/*.pid; do
        stop "$file"
    done
    sleep 1
    rm -rf "$place"
}
trap finish EXIT

node() {
    mkdir -p "spool/$1"
    slurmd -N "$1"
}
mkdir state
head -c 128 /dev/urandom >munge.key
chmod 600 munge.key
munged --force --socket="$place/munge.sock" --key-file="$place/munge.key" \
    --pid-file="$place/munged.pid" --log-file="$place/munged.log" --seed-file="$place/munge.seed" || exit 2
slurmctld || exit 2
for n in n1 n2 n3 n4; do
    node $n
done

"$PSBENCH" synth -q models
cla=models/classification/v1/base/test.cla
options=(--cla "$PWD/$cla" --models "$PWD/models/db" -d "SHD,GEDT,LFD" -t 1 --no-times)
"$PSBENCH" run -q "${options[@]}" -o whole >whole.txt

submit() { # submit RUN: and waits until parts are at work
    "$here/scripts/slurm/psbench-submit" "$PWD/$1" 8 "${options[@]}" >/dev/null
    until compgen -G "$1/work/part-*/SHD.rows" >/dev/null; do
        sleep 0.2
    done
}
settle() { # settle WHAT RUN: waits until no job is left, and compares every byte
    local patience=3000
    while [[ -n $(squeue -h) && $((patience--)) -gt 0 ]]; do
        sleep 0.2
    done
    if diff -r -x work -x run.json -x provenance.tsv whole "$2"; then
        passed=$((passed + 1))
    else
        echo "$1: differs; the last lines of the jobs:"
        tail -n 3 "$2".jobs/*.log
        squeue
        failed=$((failed + 1))
    fi
}

submit all
settle 'all parts' all

submit term
sleep 1
scancel --signal=TERM --batch --name=psbench-part # as before a time limit
settle 'SIGTERM' term

submit lost
stop n2.pid -KILL
sleep 12
node n2
settle 'a node lost' lost

submit killed
part=$(squeue -h -n psbench-part -t RUNNING -o %i | head -n 1)
scancel --signal=KILL --full "$part"
settle 'a part killed' killed

echo "$passed passed, $failed failed, 0 skipped"
[[ $failed -eq 0 ]]
