#!/usr/bin/env bash
# The README's two commands on machines that have nothing but a minimal Debian, make and git: nothing fails,
# set-up leaves out nothing, and no test is skipped but those that need the benchmark's models, where PSB_DIR does not
# name these.
# Left out with a word where no such machine can be made (see tests/machine.sh). Ends with one line
# "N passed, N failed", of what was asked.
#
#   tests/fresh.sh SUITE [VARIANT...]     SUITE: bookworm or trixie; without a VARIANT all of them:
#     readme    as root, from a clone: make table4, and then, without network, make test
#     user      where readme has installed packages: make -j8 test by a user without rights and network, in
#               a path with blanks, from a source tarball
#     clang     there, too: make CC=clang table4
#     without   on a machine of its own: both commands with WITHOUT="assimp expat libarchive"
set -u
cd "$(dirname "$0")/.." || exit 2
export LC_ALL=C
suite=${1:?tests/fresh.sh SUITE [VARIANT...]}
shift
[[ $# -gt 0 ]] || set -- readme user clang without
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
. tests/machine.sh
passed=0
failed=0

# ask WHAT COMMAND...
ask() {
    if "${@:2}"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $1"
    fi
}

not() {
    ! "$@"
}

# did WHO NETWORK FOLDER LOG COMMAND...: on the machine, with its output in $work/LOG, whose end is shown
# where it fails
did() {
    inside "$1" "$2" "$3" "${@:5}" >"$work/$4" 2>&1 && return
    grep -vE '^(unit/|structure).* 0 failed' "$work/$4" | tail -n 60
    return 1
}

# Reasons for which a test may be skipped, beside those that `tested` is given.
reasons=$([[ -n ${PSB_DIR:-} ]] && echo 'nothing' || echo 'PSB_DIR|Princeton Shape Benchmark')

wrongly_skipped() {
    grep '^skipped: ' "$1" | grep -vE "$2"
}

# tested LOG [REASON]: asks what is to be asked of what `make test` said
tested() {
    local log=$work/$1 sums
    sums=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
    echo "$suite, ${1%.log}: ${sums:-it did not come as far as testing}"
    sed -n 's/^skipped: /    skipped: /p' "$log"
    ask 'no test fails' grep -qE '^[1-9][0-9]* passed, 0 failed' <<<"$sums"
    ask 'nothing is skipped that can be tested' not wrongly_skipped "$log" "$reasons${2:+|$2}"
    ask 'set-up has nothing to say' not grep '^psbench: \(goes without\|installing\)' "$log"
}

# both FOLDER NAME ARGUMENTS...: the README's commands as root, the second without network
both() {
    git clone -q --no-hardlinks . "$root/$1"
    ask 'make table4' did 0 yes "/$1" "$2-table4.log" make -j2 "${@:3}" table4
    keep_packages
    ask 'twelve descriptors' test "$(grep -cE '^[A-Z0-9]+( +[0-9.-]+){7}$' "$work/$2-table4.log")" -eq 12
    ask 'set-up leaves nothing out' not grep 'goes without' "$work/$2-table4.log"
    ask 'make test without network' did 0 no "/$1" "$2-test.log" make -j2 "${@:3}" test
}

# built FOLDER LINE COUNT: how many lines of the program's account of itself are like that
built() {
    [[ $(inside 0 no "/$1" build/psbench version | grep -cE "$2") -eq $3 ]]
}

readme() {
    machine readme
    both root/psbench readme
    tested readme-test.log
    ask 'archives and assimp are there' built root/psbench '^(archives|assimp) +[^n].*[0-9]' 2
}

# The machine on which readme was; where nobody asked for that, it is done now.
installed() {
    if [[ -d $work/readme ]]; then
        root=$work/readme
    else
        readme
    fi
}

user() {
    installed
    local folder='home/somebody/a path/psbench, unpacked'
    mkdir -p "$root/$folder"
    git archive HEAD | tar -x -C "$root/$folder"
    chroot "$root" chown -R "$user:$user" /home/somebody
    ask 'make test by a user without rights' did "$user" no "/$folder" user-test.log make -j8 test
    # Without rights nothing can be mounted; a disk that is full is tried by root.
    tested user-test.log 'no file system may be mounted'
}

clang() {
    installed
    git clone -q --no-hardlinks . "$root/root/clang"
    ask 'make CC=clang table4' did 0 yes /root/clang clang-table4.log make -j2 CC=clang table4
    keep_packages
    ask 'clang compiled it' built root/clang '^compiler +clang' 1
}

without() {
    machine without
    both root/psbench without WITHOUT='assimp expat libarchive'
    tested without-test.log 'built without (expat|libarchive)|psbench-import is not there|this build, has not both walls'
    ask 'set-up speaks of none' not grep -E '^psbench:.*(assimp|archive|expat)' "$work/without-table4.log"
    ask 'and has installed none' not grep -qE 'installed (libassimp-dev|libarchive-dev|libexpat1-dev)' \
        <(chroot "$root" dpkg-query -W -f "\${db:Status-Status} \${Package}\n")
    ask 'archives and assimp are not there' built root/psbench '^(archives|assimp) +none' 2
}

if reason=$(no_machines); then
    echo "fresh $suite left out: $reason"
    echo '0 passed, 0 failed'
    exit 0
fi
ask "a minimal $suite" make_base "$suite"
[[ $failed -gt 0 ]] || for variant in "$@"; do
    case $variant in
    readme | user | clang | without) "$variant" ;;
    *) echo "no variant $variant" >&2 && exit 2 ;;
    esac
done
echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]
