#compdef psbench
# Completion of psbench for zsh, from the same table as that for bash, which scripts/completion.bash
# describes; `make` appends the function that prints it.

# _psbench_words FIELD [CONDITION]: that field of the lines for which awk's condition holds
_psbench_words() {
    print -r -- "$(_psbench_table | awk -F'\t' -v command="$words[2]" "${2:-1} { print \$$1 }")"
}

_psbench_specs() {
    local name=${${PREFIX%%:[^:]#}##*,}
    compset -P '*[:,]'
    [[ $IPREFIX == *: ]] || compadd -S '' -- $(_psbench_words 2 '$1 == "descriptor"')
    [[ $IPREFIX != *:* ]] || compadd -S '' -- $(_psbench_words 3 "\$1 == \"descriptor\" && \$2 == \"$name\"")
}

# _psbench_value KIND WORDS
_psbench_value() {
    case $1 in
    word) compadd -- ${=2} ;;
    words) compset -P '*,'; compadd -S '' -- ${=2} ;;
    specs) _psbench_specs ;;
    folder) _files -/ ;;
    file) _files ;;
    esac
}

_psbench() {
    setopt local_options extended_glob
    local option=$words[CURRENT-1] line
    if (( CURRENT == 2 )); then
        local -a commands
        commands=(${(f)"$(_psbench_words 2\":\"\$3 '$1 == "command"')"})
        _describe command commands
        return
    fi
    compset -P '--*=' && option=${IPREFIX%=}
    line=$(_psbench_words '5 "\t" $6' "\$1 == \"option\" && \$2 == command && (\$3 == \"$option\" || \$4 == \"$option\") && \$5 != \"flag\"")
    if [[ -n $line ]]; then
        _psbench_value "${line%%$'\t'*}" "${line#*$'\t'}"
    elif [[ $PREFIX == -* ]]; then
        local -a options
        options=(${(f)"$(_psbench_words '3 ":" $7' '$1 == "option" && $2 == command')"})
        _describe option options
    elif [[ $words[2] == help ]]; then
        compadd -- $(_psbench_words 2 '$1 == "command"')
    elif [[ $words[2] == list ]]; then
        _psbench_specs
    else
        _files
        [[ $words[2] != combine ]] || compadd -- $(_psbench_words 2 '$1 == "recipe"')
        [[ ! -d $words[3]/matrices ]] || compadd -- $words[3]/matrices/*.matrix(N:t:r)
    fi
}

