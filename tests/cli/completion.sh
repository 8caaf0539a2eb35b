# What bash offers for words that are not finished, as readline calls it: from the program's tables.
build=$(dirname "$PSBENCH")
if [[ ! -d $build/completion ]]; then
    echo 'completion is made by make manual'
    exit 77
fi
# shellcheck source=/dev/null
. "$build/completion/bash"
try() {
    COMP_LINE=$1 COMP_POINT=${#1}
    _psbench
    printf '%s|%s\n' "$1" "${COMPREPLY[*]:+ ${COMPREPLY[*]}}"
}
try 'psbench ver'
try 'psbench help tab'
try 'psbench run --ma'
try 'psbench run -d GE'
try 'psbench run -d SHD,GEDT:f'
try 'psbench run -d GEDT:form='
try 'psbench run -d GEDT:width=3,SHE'
try 'psbench run -d GEDT:width=3,SHD,sh'
try 'psbench list CEGI:s'
try 'psbench eval -m dcg,prec'
try 'psbench plot --measure first'
try 'psbench distance --metric=lf'
try 'psbench plot -k d'
try 'psbench plot -f svg,p'
try 'psbench eval -f '
try 'psbench align -f '
try 'psbench run --max-faces '
mkdir -p run/matrices
touch run/matrices/SHD.matrix run/matrices/GEDT-width=3.matrix
try 'psbench compare run GED'
try 'psbench combine run t'
COMP_WORDBREAKS=$' \t\n' try 'psbench run -d GEDT:form='
# Every metric, descriptor and measure that the program lists is offered.
offered() {
    COMP_LINE=$1 COMP_POINT=${#1}
    _psbench
    printf '%s\n' "${COMPREPLY[@]}" | tr -d @ | sort
}
"$PSBENCH" list | awk '$1 ~ /^[A-Z][A-Z0-9]+$/ { print $1 }' | sort >listed
[[ -s listed ]] && comm -23 listed <(offered 'psbench list ')
"$PSBENCH" eval --measures help | awk '/^[a-z]/ { sub(/@.*/, "", $1); print $1 }' | sort >listed
[[ -s listed ]] && comm -23 listed <(offered 'psbench eval -m ')
if command -v zsh >/dev/null; then
    zsh -n "$build/completion/zsh"
fi
