#!/usr/bin/env bash
# Files that run on machines without root, and without Debian: psbench and every library that it needs beside
# glibc's own, compiled in the oldest Debian that compiles it, so that what they ask of glibc is old, too.
#
#   scripts/dist.sh tarball     build/dist/psbench-VERSION-linux-x86_64.tar.xz
#   scripts/dist.sh wheel       build/wheel/psbench-VERSION-py3-none-manylinux_*_x86_64.whl
#
# DIST_SUITE names another Debian (else: bullseye, or bookworm where that cannot be had). Needs root and
# mmdebstrap. The system with the compiler stays in ~/.cache/psbench-fresh. Same sources and packages make
# the same bytes; times in the files are SOURCE_DATE_EPOCH, or the beginning of 1980.
set -eu
cd "$(dirname "$0")/.."
export LC_ALL=C
kind=${1:?scripts/dist.sh tarball or wheel}
epoch=${SOURCE_DATE_EPOCH:-315532800}
version=$(sed -n 's/^#define PSB_VERSION "\(.*\)"/\1/p' include/psbench.h)
out=$PWD/build/dist
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/machine.sh
if reason=$(no_machines); then
    echo "make dist, make wheel: cannot make the Debian that they compile in: $reason" >&2
    echo 'make wheel PLAIN=1 makes a wheel for this machine alone' >&2
    exit 1
fi
mkdir -p "$cache" "$out"
exec 9>"$cache/dist.lock"
flock 9

# What debian/control asks for to build, and what this script uses.
packages() {
    sed -n '/^Build-Depends:/,/^Standards/p' debian/control | grep -vE 'nocheck|debhelper|dh-|python3' |
        sed -nE 's/^ ([a-z0-9.+-]+).*/\1/p'
    printf '%s\n' gcc libc6-dev make patchelf xz-utils
}

# compiler SUITE: the system with these packages, in $root; made anew where others are asked for
compiler() {
    suite=$1 root=$cache/$1-dist
    local list
    list=$(packages | sort | paste -s -d,)
    [[ $(cat "$root/packages" 2>/dev/null) != "$list" ]] || return 0
    echo "making a $1 that compiles psbench, in $cache"
    rm -rf "$root"
    bootstrap "$1" "$root" "$list" && echo "$list" >"$root/packages"
}

if [[ -n ${DIST_SUITE:-} ]]; then
    compiler "$DIST_SUITE"
elif ! compiler bullseye; then
    echo 'bullseye cannot be had; bookworm it is'
    compiler bookworm
fi

# Objects stay, as in any build.
rm -rf "$root/stage" "$out/stage"
mkdir -p "$root/psbench"
find "$root/psbench" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
tar -c --anchored --no-wildcards-match-slash --exclude={./build,./.git,'./run-*'} . | tar -x -C "$root/psbench"
if ! inside 0 no /psbench make -s -j2 all manual >"$out/build.log" 2>&1; then
    tail -n 30 "$out/build.log" >&2
    exit 1
fi
cp scripts/gather.sh "$root/psbench/"
inside 0 no /psbench bash gather.sh "$kind"
cp -a "$root/stage" "$out/stage"
glibc=$(cat "$out/stage/glibc")
rm "$out/stage/glibc"
case $kind in
tarball)
    name=psbench-$version-linux-x86_64
    rm -rf "${out:?}/$name"
    mv "$out/stage" "$out/$name"
    sed -e "s/@VERSION@/$version/" -e "s/@SUITE@/$suite/" -e "s/@GLIBC@/$glibc/" scripts/dist.README >"$out/$name/README"
    tar -C "$out" -c --sort=name --mtime="@$epoch" --owner=0 --group=0 --numeric-owner "$name" | xz -6 >"$work/dist"
    file=build/dist/$name.tar.xz
    mv "$work/dist" "$file"
    ;;
wheel)
    tag=manylinux_${glibc/./_}_x86_64
    mkdir "$out/stage/licenses"
    mv "$out/stage/share/doc/psbench"/* "$out/stage/licenses/"
    file=$("${PYTHON:-python3}" scripts/wheel.py "$tag" build/wheel "$out/stage/psbench" "$out/stage/psbench.libs" \
        "$out/stage/licenses")
    ;;
esac
echo "$file: $(stat -c %s "$file") bytes, for glibc $glibc or newer"
