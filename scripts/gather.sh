#!/bin/bash
# Gathers in /stage what `make dist` or `make wheel` packs: run by scripts/dist.sh, in the sources, on the
# system that compiled them.
#
#   gather.sh tarball     bin/ lib/ share/
#   gather.sh wheel       psbench/, the Python module, and psbench.libs/
# shellcheck disable=SC2016 # $ORIGIN is for the loader
set -eu
kind=$1
case $kind in
tarball)
    make -s install DESTDIR=/stage PREFIX= >/dev/null
    rm -rf /stage/include /stage/lib /stage/share/man/man3
    binaries=(/stage/bin/psbench /stage/bin/psbench-import)
    libraries=/stage/lib
    rpath='$ORIGIN/../lib'
    ;;
wheel)
    mkdir -p /stage/psbench
    cp python/psbench/*.py python/psbench/py.typed build/libpsbench.so.0 build/psbench-import /stage/psbench/
    binaries=(/stage/psbench/libpsbench.so.0 /stage/psbench/psbench-import)
    libraries=/stage/psbench.libs
    rpath='$ORIGIN/../psbench.libs'
    ;;
esac
doc=/stage/share/doc/psbench
mkdir -p "$libraries" $doc/licences
cp LICENSE $doc/licences/psbench

# glibc's own libraries are those of the machine.
glibc='linux-vdso|ld-linux-x86-64|lib(c|m|dl|rt|pthread|resolv|util|anl|nsl)'
ldd "${binaries[@]}" | awk '$2 == "=>" { print $1, $3 }' | sort -u | grep -vE "^($glibc)\.so" >/tmp/needed
while read -r name path; do
    cp -L "$path" "$libraries/$name"
    real=$(readlink -f "$path")
    package=$(dpkg -S "$real" 2>/dev/null || dpkg -S "${real#/usr}")
    package=${package%%:*}
    cp -L "/usr/share/doc/$package/copyright" "$doc/licences/$package"
    dpkg-query -W -f '${binary:Package} ${Version}, source ${source:Package} ${source:Version}\n' "$package"
done </tmp/needed | sort -u >$doc/libraries.txt
cp /usr/share/common-licenses/* $doc/licences/
chmod -R u+w,go-w /stage

# OpenBLAS has all of LAPACK that LAPACKE calls, so the two libraries with parts of it are left out.
for library in liblapacke.so.3 libtmglib.so.3; do
    patchelf --replace-needed liblapack.so.3 libopenblas.so.0 --remove-needed libblas.so.3 "$libraries/$library"
done
rm -f "$libraries"/lib{lapack,blas}.so.3

# ICU's tables, a third of all bytes, are for texts in XML within archives of a kind that psbench does not
# read; libarchive's libraries load without them as long as there is one with that name.
for data in "$libraries"/libicudata.so.*; do
    [ -e "$data" ] || continue
    number=${data##*.}
    echo "const char icudt${number}_dat[64];" | gcc -shared -nostdlib -s -Wl,-soname,"${data##*/}" -o "$data" -x c -
done

# Another library of the same name may be in the same Python already: there each has a name of its own.
# renamed NAME: libz.so.1 becomes libz-psbench.so.1
renamed() {
    echo "${1/.so/-psbench.so}"
}
strip "${binaries[@]}"
for file in "${binaries[@]}" "$libraries"/*; do
    case $file in
    "$libraries"/*) own='$ORIGIN' ;;
    *) own=$rpath ;;
    esac
    # Not the newer kind of path, which the libraries of a library would not see.
    patchelf --force-rpath --set-rpath "$own" "$file"
done
if [ "$kind" = wheel ]; then
    # One name a call: patchelf 0.12 spoils some of several.
    for file in "${binaries[@]}" "$libraries"/*; do
        for name in $(patchelf --print-needed "$file"); do
            [ ! -e "$libraries/$name" ] || patchelf --replace-needed "$name" "$(renamed "$name")" "$file"
        done
    done
    for file in "$libraries"/*; do
        name=$(renamed "${file##*/}")
        patchelf --set-soname "$name" "$file"
        mv "$file" "$libraries/$name"
    done
fi

objdump -T "${binaries[@]}" "$libraries"/* | grep -oE 'GLIBC_[0-9.]+' | sort -uV | tail -n 1 | sed 's/GLIBC_//' >/stage/glibc
