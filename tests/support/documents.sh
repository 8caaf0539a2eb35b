# Types the command lines of documents as they stand there, and compares their output with the lines below them.
#
# A command line is a line that is indented by four blanks and begins with a word of $begins; it goes on over further
# lines until the shell takes it for complete. The indented lines below it, up to the next command or the end of the block,
# are what it has to print, on standard output or as errors:
# - "..." stands for any lines, and blanks may be more or fewer;
# - numbers before s, ms, MiB, GiB, MB/s, models a second, clocks, dates, numbers of processes and names of hosts depend on
#   time or machine: both sides are compared with "#" in their places;
# - a comment behind a command that has numbers only (# 0.860 0.531) is what that command prints, too.
# Lines that are not typed stand in documents.list, with the reason. A test that sources this file has to type every other
# line of its documents; what it calls `left` are lines of that list that no document has any more.
documents=$(cd "$(dirname "$PSBENCH")/../.." && pwd)
[[ -e $documents/README.md ]] || documents=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
begins='^((build/)?psbench|make|mkdir|cp|tar|pip|cc|cmp|diff|nohup|tail|for|awk|paste|scripts/[^ ]+|dpkg-buildpackage|autopkgtest|sqlite3|PSB[A-Z_]*=[^ ]*|[a-z]+=.*|\(ulimit|\{) '
PATH=$(dirname "$PSBENCH"):$PATH

# plain FILE...: prints text with single blanks, and "#" for all that depends on time or machine
plain() {
    sed -E 's/[[:space:]]+/ /g; s/^ //; s/ $//
        s/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]+Z/#/g; s/process [0-9]+ on [^ ]+/process # on #/g
        s/\b[0-9.]+ (s|ms|MiB|GiB|KiB|MB\/s)\b/# \1/g; s/\b[0-9.]+\/s\b/#\/s/g; s/\b([0-9]+:)+[0-9]{2}\b/#/g
        s/\b[0-9]+ threads\b/# threads/g' "$@"
}

# with_benchmark WITHOUT: makes ~/psb_v1 and build/psbench, as documents type them, in this folder; where PSB_DIR is not set,
# the test is skipped and says WITHOUT
with_benchmark() {
    if [[ -z ${PSB_DIR:-} ]]; then
        echo "PSB_DIR is not set: $1"
        exit 77
    fi
    mkdir home build
    HOME=$PWD/home
    ln -s "$PSB_DIR" home/psb_v1
    ln -s "$PSBENCH" build/
}

# same WHAT SHOWN PRINTED: compares SHOWN and PRINTED, however many blanks stand between words
same() {
    diff <(plain <<<"$2") <(plain <<<"$3") && echo "$1: as the document shows it"
}

# shows EXPECTED: returns whether ./out or ./err is EXPECTED
shows() {
    local pattern='' line file
    while IFS= read -r line; do
        [[ $line == ... ]] && pattern+='*' || pattern+=$(printf '%q' "$line")$'\n'
    done <<<"$1"
    for file in out err; do
        # shellcheck disable=SC2053 # a pattern
        [[ $'\n'$(plain $file)$'\n' != $'\n'$pattern ]] || return 0
    done
    return 1
}

# check EXPECTED: compares the output of the last command with the lines below it in the document
check() {
    [[ -n $1 ]] || return 0
    checked=$((checked + 1))
    if ! shows "$1"; then
        echo '    is not what the document says:'
        cat out err
    fi
}

# kept_out DOCUMENT LINE: returns whether documents.list says that the line is not typed
kept_out() {
    awk -F '\t' -v document="$1" -v line="$2" '
        !/^#/ && $1 == document && index(line, $2) == 1 { found = 1 }
        END { exit !found }' "$documents/tests/support/documents.list"
}

# type_line DOCUMENT LINE: runs the line with its output in ./out and ./err
type_line() {
    local code figures
    echo "${2%%$'\n'*}" | sed -E 's/ +# .*//; s/ +/ /g'
    eval "$2" >out 2>err </dev/null
    code=$?
    wait
    # Only a build without libarchive says that it is one, where a document has an archive.
    if [[ $code -ne 0 ]] && ! grep -q 'this psbench was built without libarchive' err; then
        echo "    exit code $code"
        sed 's/^/    /' err
    fi
    figures=$(sed -nE '1s/.* # ([-0-9. ]+)$/\1/p' <<<"$2")
    [[ -z $figures ]] || check "$figures"
}

# type_document DOCUMENT: types all lines of the document, in the current folder
type_document() {
    local line typed='' expected='' block=no
    checked=0
    other_blocks "$1"
    while IFS= read -r line || [[ -n $line ]]; do
        if [[ -n $typed ]]; then
            typed+=$'\n'${line#    }
        elif [[ $line != '    '* ]]; then
            check "$expected"
            expected=
            block=no
            continue
        elif [[ ${line#    } =~ $begins ]]; then
            check "$expected"
            expected=
            typed=${line#    }
        elif [[ $block == commands ]]; then
            expected+=${expected:+$'\n'}$(plain <<<"$line")
            continue
        else
            continue
        fi
        # A command is complete if a shell would not wait for more: the end of a loop, a quote, a command behind a bar.
        if [[ $line != *\\ ]] && bash -n <<<"$typed" 2>/dev/null; then
            block=commands
            if kept_out "$1" "$typed"; then
                block=none
            else
                type_line "$1" "$typed"
            fi
            typed=
        fi
    done <"$documents/$1"
    check "$expected"
    [[ -z $typed ]] || echo "$1 ends within a command: $typed"
    [[ $checked -eq 0 ]] || echo "$1: $checked outputs compared"
}

# checkout: links all files of a checkout into the current folder, so that `make` works and leaves its output here. Does not
# try set-up (tests/fresh.sh does), and compiles nothing anew: make gets the options of this build.
checkout() {
    local tree made config
    tree=$(cd "$documents" && pwd)
    made=$(cd "$(dirname "$PSBENCH")" && pwd)
    config=$(basename "$made")
    find "$tree" -mindepth 1 -maxdepth 1 ! -name '.*' ! -name build ! -name 'run-*' -exec ln -s {} . \;
    rm scripts
    mkdir scripts build
    ln -s "$tree"/scripts/* scripts/
    printf '#!/bin/sh\n' >stub
    chmod +x stub
    mv -f stub scripts/setup.sh
    ln -s "$made" "build/$config"
    ln -s "$made"/{psbench,psbench-import,libpsbench.a,libpsbench.so,libpsbench.so.0} build/
    find build -xtype l -delete
    export config
    ! grep -q -e -Werror "$made/compiler.txt" || export WERROR=1
    # shellcheck disable=SC2016 # make's
    make -s --eval='said:;@echo "$(CC) $(all_cflags) $(LDFLAGS)"' said | tr -s ' ' | cmp -s - <(tr -s ' ' <"$made/compiler.txt") || {
        echo 'make would compile this build anew with other options'
        exit 77
    }
}

# make_lines: checks, in a checkout, that make knows all targets that documents name within their text (`make fuzz`).
# Nothing is compiled, but make asks whether there is a clang: a file of that name stands in for one that is not installed.
make_lines() {
    local document line
    local PATH=$PATH:$PWD/stand-ins
    mkdir stand-ins
    printf '#!/bin/sh\nexit 1\n' >stand-ins/clang
    chmod +x stand-ins/clang
    for document in "$documents"/{README,CONVENTIONS}.md "$documents"/docs/*.md; do
        while IFS= read -r line; do
            (eval "make -n ${line#make}") >out 2>err || {
                echo "$(basename "$document"): $line"
                sed 's/^/    /' err
            }
        done < <(sed '/^    /d' "$document" | grep -oE '`make( [^`]*)?`' | tr -d '`' | sort -u)
    done
}

# other_blocks DOCUMENT: says which indented blocks begin neither with a command nor with source code, and are not in
# documents.list
other_blocks() {
    local line within=no
    while IFS= read -r line; do
        if [[ -n $line && $line != '    '* ]]; then
            within=no
        elif [[ -n $line && $within == no ]]; then
            within=yes
            [[ ${line#    } =~ $begins || $line =~ ^\ {4}(#include|static|\>\>\>) ]] || kept_out "$1" "${line#    }" ||
                echo "$1: neither typed nor listed: ${line#    }"
        fi
    done <"$documents/$1"
}

# left DOCUMENT...: prints lines of documents.list that are in none of these documents any more
left() {
    local document line reason
    while IFS=$'\t' read -r document line reason; do
        [[ $document == '#'* || " $* " != *" $document "* ]] || grep -qF -e "    $line" "$documents/$document" ||
            echo "documents.list: $document has no line $line ($reason)"
    done <"$documents/tests/support/documents.list"
}
