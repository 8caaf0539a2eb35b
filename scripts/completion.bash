# Completion of psbench for bash. `make` appends the function _psbench_table, which prints what the
# program's own tables say (tools/psbench-manual.c), a line each, fields separated by tabs:
#   command NAME SUMMARY | option COMMAND --NAME -LETTER KIND WORDS HELP | descriptor NAME WORDS TITLE
# shellcheck shell=bash disable=SC2207 # words have no blanks

# _psbench_fields KEY [COMMAND] FIELD: that field of the lines that begin so, words without their tabs
_psbench_fields() {
    _psbench_table | awk -F'\t' -v key="$1" -v command="$2" -v field="$3" \
        '$1 == key && (command == "" || $2 == command) { print $field }'
}

# Of "SHD,GEDT:width=2,fo": names of descriptors, and what may be set of GEDT.
_psbench_specs() {
    local head=${1%"${1##*[:,]}"} rest=${1##*[:,]} piece name=
    local IFS=,
    for piece in $head; do
        case $piece in
        *:*) name=${piece%%:*} ;;
        *=*) ;;
        *) name= ;;
        esac
    done
    IFS=$' \t\n'
    [[ $head == *: ]] || compgen -P "$head" -W "$(_psbench_fields descriptor '' 2)" -- "$rest"
    [[ -z $name ]] || compgen -P "$head" -W "$(_psbench_fields descriptor "$name" 3)" -- "$rest"
}

# Names of the rows of a run's matrices.
_psbench_rows() {
    local file
    for file in "$1"/matrices/*.matrix; do
        file=${file##*/}
        [[ ! -e $1/matrices/$file ]] || echo "${file%.matrix}"
    done
}

_psbench() {
    local line=${COMP_LINE:0:COMP_POINT} words value option='' kind='' of command
    read -ra words <<<"$line"
    [[ $line != *[[:blank:]] ]] || words+=('')
    COMPREPLY=()
    value=${words[-1]}
    command=${words[1]-}
    if [[ ${#words[@]} -le 2 ]]; then
        COMPREPLY=($(compgen -W "$(_psbench_fields command '' 2) --help --version" -- "$value"))
        return
    fi
    if [[ $value == --*=* ]]; then
        option=${value%%=*}
        value=${value#*=}
    elif [[ ${words[-2]} == -* ]]; then
        option=${words[-2]}
    fi
    IFS=$'\t' read -r kind of < <(_psbench_table | awk -F'\t' -v command="$command" -v option="$option" \
        '$1 == "option" && $2 == command && (option == $3 || option == $4) { print $5 "\t" $6 }')
    if [[ -z $option || $kind == flag ]]; then
        case $command in
        help) kind=word of=$(_psbench_fields command '' 2) ;;
        list) kind=specs ;;
        combine) kind=word of=$(_psbench_fields recipe '' 2) ;;
        *) kind="file" ;;
        esac
        if [[ $value == -* ]]; then
            kind=word of="$(_psbench_fields option "$command" 3) $(_psbench_fields option "$command" 4)"
        elif [[ ${#words[@]} -gt 3 && -d ${words[2]}/matrices ]]; then
            kind=word of="$of $(_psbench_rows "${words[2]}")"
        fi
    fi
    case $kind in
    word) COMPREPLY=($(compgen -W "$of" -- "$value")) ;;
    words) COMPREPLY=($(compgen -P "${value%"${value##*,}"}" -W "$of" -- "${value##*,}")) ;;
    specs) COMPREPLY=($(_psbench_specs "$value")) ;;
    folder) compopt -o dirnames 2>/dev/null ;;
    name | other) compopt +o default 2>/dev/null ;;
    esac
    # What goes on behind the word; and readline has cut the word at colons and signs of equality.
    [[ $kind != @(words|specs) && "${COMPREPLY[*]}" != *@ ]] || compopt -o nospace 2>/dev/null
    local breaks=${COMP_WORDBREAKS//[!:=]/} cut=
    [[ -z $breaks ]] || cut=${value%"${value##*["$breaks"]}"}
    COMPREPLY=("${COMPREPLY[@]#"$cut"}")
}
complete -o default -F _psbench psbench

