#!/usr/bin/env bash
# Checks that the sources keep to CONVENTIONS.md, as far as a machine can see it. Prints one line
# "ok ..." or "not ok ..." for each rule, the places where it is broken before it.
#
#   tests/structure.sh [BUILD_DIR]   with a build folder the archive's symbols are checked too
set -u
export LC_ALL=C
build=${1:-}
if [[ -n $build ]]; then
    build=$(cd "$build" && pwd) || exit 2
fi
cd "$(dirname "$0")/.." || exit 2

broken=0

# rule TEXT OFFENDERS: the rule holds where there are no offenders
rule() {
    if [[ -z $2 ]]; then
        echo "ok - $1"
    else
        printf '%s\n' "$2"
        echo "not ok - $1"
        broken=1
    fi
}

mapfile -t sources < <(find src tools include tests bench examples -name '*.[ch]' 2>/dev/null | sort)
mapfile -t library < <(find src tools/*/ -name '*.[ch]' -not -path 'src/cli/*' | sort)
mapfile -t scripts < <(find scripts tests -name '*.sh' 2>/dev/null | sort)

# What each layer may include beside psbench.h and itself.
below() {
    case $1 in
    core) echo ;;
    io) echo core ;;
    normalize | distance | eval) echo core io ;;
    lightfield) echo core distance ;;
    local) echo core io normalize distance ;;
    fields) echo core io normalize lightfield local ;;
    descriptors) echo core io normalize distance lightfield local fields ;;
    annotate | render) echo core io normalize ;;
    report) echo core io eval ;;
    site) echo core io eval report normalize render ;;
    proof) echo core io fields descriptors distance ;;
    stream) echo core io distance eval proof ;;
    run) echo core io normalize lightfield local fields descriptors distance eval report site render proof stream ;;
    studies) echo core io normalize annotate local fields descriptors distance eval report render proof stream run ;;
    library) echo core io normalize annotate lightfield local fields descriptors distance eval report site render proof stream run studies ;;
    synth) echo core ;;
    cli) echo core io normalize annotate lightfield local fields descriptors distance eval report site proof stream run studies library render synth ;;
    *) return 1 ;;
    esac
}

upward_includes() {
    local folder layer allowed
    for folder in src/*/ tools/*/; do
        layer=$(basename "$folder")
        if ! allowed="$layer $(below "$layer")"; then
            echo "$folder: a layer that tests/structure.sh does not know"
            continue
        fi
        grep -nE '^ *# *include *"' "$folder"*.[ch] | grep -v '"psbench\.h"' |
            grep -vE "\"(${allowed// /|})/"
    done
    grep -nHE '^ *# *include *"' include/*.h | grep -v ':#include "psbench_runs\.h"$'
}
rule 'includes go one way' "$(upward_includes)"

# Lines of includes of a command, and of the headers of cli/ that it includes, that are of a room.
rooms_of() {
    local file=$1 header
    grep -nHE '^ *# *include *"' "$file" | grep -vE '"(psbench\.h|cli/[a-z0-9_]*\.h)"'
    for header in $(sed -nE 's/^ *# *include *"(cli\/[a-z0-9_]*\.h)".*/\1/p' "$file"); do
        rooms_of "src/$header"
    done
}
# synth is no command of the library's: tools/synth, which makes the generated benchmark, is linked
# into the program beside the library, and a client has no use for it.
rule 'what a command does, a client can do: every one but synth sees psbench.h and cli/ alone' "$(
    for command in src/cli/cmd_*.c; do
        [[ $command == */cmd_synth.c ]] || rooms_of "$command"
    done
)"

# Of a run, JSON is read in report/run_facts.c alone; glTF is JSON, and no business of a run's.
rule 'the pages parse nothing: JSON is read in report/run_facts.c and, of models, in io/gltf.c' "$(
    grep -n 'cJSON' src/site/*.[ch]
    grep -n 'cJSON_Parse' "${library[@]}" | grep -vE '^src/(report/run_facts|io/gltf)\.c:'
)"

calls() {
    local names=$1
    shift
    grep -nE "(^|[^A-Za-z0-9_])($names) *\(" "$@"
}

rule 'the library does not print, exit or read the command line' "$(
    calls 'v?printf|puts|putchar|perror|_?exit|_Exit|quick_exit|abort|getopt[a-z_]*|system' \
        "${library[@]}"
    grep -nwE 'stdin|stdout|stderr' "${library[@]}"
)"

# A reader of arrays, matrices, names or classifications stands in a file that proves them by
# proof/results.h or makes them by proof/output.h. Others: run/claim.c and run/status.c look at a folder
# that is not proven yet, studies/paper_tables.c reads the benchmark's own lists, and
# library/generative.c has proven the files of studies/generative.c.
unproven_readers() {
    local file
    for file in src/run/*.c src/studies/*.c src/library/*.c src/cli/*.c; do
        case $file in
        src/run/claim.c | src/run/status.c | src/studies/paper_tables.c | src/studies/generative.c | \
            src/studies/cloud_set.c) ;;
        *)
            grep -qE 'psb_results_(need|look|check_file|read_cla)|psb_output_make|psb_run_method_(path|matrix)' "$file" ||
                calls 'psb_(npy|matrix|ids|cla)_read|psb_matrix_open|psb_feature_set_open' /dev/null "$file"
            ;;
        esac
    done
}
rule "what a run's folder holds is read through the door that proves it" "$(unproven_readers)"

rule "a spec's metric is what psb_spec_metric says" "$(
    grep -n 'descriptor->metric' src/*/*.c | grep -v '^src/descriptors/spec\.c:'
)"

rule 'text becomes numbers only in core/number.c' "$(
    calls 'ato[ifl]+|v?s?f?scanf|strto[a-z]+' "${sources[@]}" | grep -v '^src/core/number\.c:' |
        grep -v '^tests/unit/test_number\.c:'
)"

# Paths below src/ and the other folders, files named by their room ("io/off", "run/plan.c"), functions and types that
# docs/architecture.md names and the tree does not have; and rooms of which it says nothing.
not_as_drawn() {
    local page=docs/architecture.md name
    for name in $(grep -oE '\b[a-z]+(/[a-z0-9_]+)+(\.[a-z0-9]+)?\b' "$page" | sort -u); do
        [[ ! -d ${name%%/*} && ! -d src/${name%%/*} ]] || compgen -G "$name*" >/dev/null ||
            compgen -G "src/$name*" >/dev/null || echo "$page: there is no $name"
    done
    for name in $(grep -oE '\b(psb|cli)_[a-z0-9_]+|`[a-z0-9]+(_[a-z0-9]+)+`' "$page" | tr -d '`' | sort -u); do
        grep -rqw -- "$name" src include || echo "$page: there is no $name"
    done
    for name in src/*/; do
        grep -qF "\`${name%/}\`" "$page" || echo "$page: says nothing of $name"
    done
}
rule 'docs/architecture.md names only what is there, and every room' "$(not_as_drawn)"

rule 'no unbounded copies' "$(calls 'gets|strcpy|strcat|stpcpy|v?sprintf' "${sources[@]}")"

rule 'nothing is left for later' "$(grep -nwE 'TODO|FIXME|XXX|HACK' "${sources[@]}")"

# A run in the checkout has models' classes and rows, which may be a benchmark's. Nothing is asked where this is no clone.
rule 'no run, rows or distances are kept' "$(git ls-files 2>/dev/null |
    grep -E '(^|/)(provenance\.tsv|run\.json|models\.cla)$|\.(npy|rows|matrix|values)$' | grep -v '^tests/')"

# make takes a phony target without a rule for one that is done. `always` is to have none.
targets_without_rule() {
    local target
    for target in $(sed -n '/^\.PHONY:/,/[^\\]$/p' Makefile | tr -d '\134' | cut -d : -f 2); do
        grep -q "^$target:" Makefile || [[ $target == always ]] || echo "Makefile: no rule for $target"
    done
}
rule 'each phony target has a rule' "$(targets_without_rule)"

without_comment() {
    local file
    for file in "${sources[@]}"; do
        head -n 1 "$file" | grep -qE '^/[*/] ?' || echo "$file"
    done
    for file in "${scripts[@]}"; do
        grep -m 1 -v '^#!' "$file" | grep -q '^# ' || echo "$file"
    done
}
rule 'each file begins with a comment that says what it is for' "$(without_comment)"

rule 'no file is longer than 1000 lines' "$(
    wc -l "${sources[@]}" "${scripts[@]}" | awk '$2 != "total" && $1 > 1000 { print $2 ": " $1 " lines" }'
)"

# Only universal-ctags knows where a function ends.
if ctags --version 2>/dev/null | grep -q Universal; then
    rule 'no function is longer than 120 lines' "$(
        ctags --fields=+ne --c-kinds=f --languages=c -f - "${sources[@]}" | awk -F'\t' '
            /^!/ { next }
            {
                first = last = 0
                for (i = 4; i <= NF; i++) {
                    if ($i ~ /^line:/) first = substr($i, 6)
                    if ($i ~ /^end:/) last = substr($i, 5)
                }
                if (last - first + 1 > 120) {
                    print $2 ":" first ": " $1 ", " last - first + 1 " lines"
                }
            }'
    )"
else
    echo 'ok - function lengths # SKIP needs universal-ctags'
fi

if [[ -n $build ]]; then
    # Names with two underscores or a dot belong to the compiler.
    rule 'the archive exports nothing but psb_ names' "$(
        nm -g --defined-only "$build/libpsbench.a" 2>/dev/null |
            awk 'NF == 3 && $3 !~ /^(psb_|__|\.)/ { print $3 }'
    )"
fi

exit $broken
