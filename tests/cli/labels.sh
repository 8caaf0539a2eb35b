# A label of a method is a file's name, or refused before anything is written; a sum that is no
# distance is refused too. The run stays as it was.
. "$(dirname "${BASH_SOURCE[0]}")/../support/few.sh"
"$PSBENCH" synth -q bench >/dev/null
few 4 bench/classification/v1/base/test.cla
base=bench/classification/v1/base
"$PSBENCH" run -q --no-times -d D2,SHD --cla $base/test.cla --models bench/db -o in/run >/dev/null
long=$(printf 'x%.0s' {1..201})
state() {
    find in -type f ! -name .lock -exec md5sum {} + | sort
}
state >before
refuse() { # refuse COMBINE_ARGUMENTS...
    "$PSBENCH" combine in/run "$@" >/dev/null 2>err
    echo "$? $(sed 's/xxxxxx*/xx/g' err)"
}
for name in ../../x 'a b' '' . .. "$PWD/abs" x/y .hidden -x $'a\tb' $'a\nb' näme a%sb index models-2 \
    SHD SHD: "$long"; do
    refuse --sum D2=1 --name "$name" | sed "s#$PWD#PWD#"
done
refuse --sum D2=1e300,SHD=1e300 --name BIG
refuse --sum D2=1e300,SHD=1e300 --name D2
state | cmp - before && ls in
# One that was there stays what it was.
"$PSBENCH" combine -q in/run --sum D2=1,SHD=2 --name DS >/dev/null
state >before
refuse --sum D2=1e300,SHD=1e300 --name DS
state | cmp - before
"$PSBENCH" eval in/run | cut -d ' ' -f 1

echo '== labels in the order of the rows: one a line, a column, an array'
show() { # what was taken, and what was said
    "$PSBENCH" cla "$@" -o shown.csv --force >/dev/null && tr '\n' ' ' <shown.csv && echo
    echo "exit code $?"
}
npy() { # npy TYPE COUNT
    printf '\223NUMPY\1\0v\0%-117s\n' "{'descr': '$1', 'fortran_order': False, 'shape': ($2,), }"
}
printf 'chair\nstool\nchair\n' >lines.txt
show lines.txt
printf 'label\nchair\nstool\nchair\n' >headed.txt
show headed.txt
printf 'a,kind\n1,chair\n2,stool\n3,chair\n' >column.csv
show column.csv --class-column kind
{ npy '<U2' 3 && printf 'c\0\0\0\351\0\0\0s\0\0\0\0\0\0\0c\0\0\0\351\0\0\0'; } >texts.npy
show texts.npy
{ npy '|S3' 3 && printf 'a/bcd\0a/b'; } >levels.npy
show levels.npy
{ npy '<i2' 3 && printf '\1\0\377\377\1\0'; } >numbers.npy
show numbers.npy
{ npy '<f4' 3 && printf '\0\0\200\77\0\0\0\100\0\0\300\77'; } >floats.npy
show floats.npy
{ npy '|O' 3 && printf '\0\0\0'; } >objects.npy
show objects.npy

echo '== no header: only where the first class occurs again'
printf 'm1;chair\nm2;stool\nm3;chair\n' >bare.csv
show bare.csv
printf 'shape,kind\nm1,chair\nm2,stool\nm3,chair\n' >other.csv
show other.csv

echo "== separators, Excel's first line, UTF-16 in both orders, lone returns"
printf 'id|class\nm1|chair\n' >bar.csv
show bar.csv
printf 'sep=;\nid;class\nm1;a,b\n' >said.csv
show said.csv
printf '\377\376i\0d\0\t\0c\0l\0a\0s\0s\0\r\0\n\0m\0001\0\t\0\351\0\n\0' >little.csv
show little.csv
printf '\376\377\0i\0d\0,\0c\0l\0a\0s\0s\0\n\0m\0001\0,\330\75\336\0\0\n' >big.csv
show big.csv
printf '\377\376i\0d\0,\0\0\330,\0' >half.csv
show half.csv
printf 'id,class\rm1,chair\rm2,stool\r' >returns.csv
show returns.csv

echo '== what is no table is named'
printf '{"id": "m1", "class": "chair"}\n' >lines.jsonl
show lines.jsonl
printf '\211HDF\r\n\32\n%0100d' 0 >rows.h5
show rows.h5
printf 'PK\3\4%026d%s' 0 'archive/data.pkl' >rows.pt
show rows.pt

echo '== a class that is missing'
for class in nan NaN '<NA>' Nantes -1 ''; do
    printf 'id,class\nm1,chair\nm2,%s\n' "$class" >missing.csv
    show missing.csv
done
printf 'chair\nnan\nchair\n' >missing.txt
show missing.txt
echo '-- but a folder may have its name'
printf 'chair/m1.off\nbread/nan/m2.off\n' >missing.txt
show missing.txt
printf 'id,class\nchair/m1,chair\nbread/nan/m2,nan\nbread/banan/m3,nan\n' >missing.csv
show missing.csv
