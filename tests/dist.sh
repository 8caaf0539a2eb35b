#!/usr/bin/env bash
# The files of `make dist` and `make wheel` on minimal machines (tests/machine.sh) that have nothing of what
# psbench is built with: the program does its work in two places, needs no library from outside its folder
# but glibc's own, and prints the figures that this build prints; the wheel does its work with NumPy alone.
# Left out with a word where no such machine can be made. Ends with one line "N passed, N failed".
#
#   tests/dist.sh [SUITE...]     some of: bullseye bookworm trixie; the wheel is tried from bookworm on
set -u
cd "$(dirname "$0")/.." || exit 2
export LC_ALL=C
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
. tests/machine.sh
passed=0
failed=0

# ask WHAT COMMAND...: shows what the command printed where it fails
ask() {
    if "${@:2}" >"$work/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $1"
        tail -n 30 "$work/log"
    fi
}

# A triangle in a format that psbench-import reads; six triangles of two classes in a zip.
make_models() {
    python3 - "$work/models" <<'END'
import sys, zipfile
from pathlib import Path

folder = Path(sys.argv[1])
folder.mkdir()
(folder / "triangle.raw").write_text("0 0 0 2 0 0 0 3 0\n")
with zipfile.ZipFile(folder / "models.zip", "w", zipfile.ZIP_DEFLATED) as out:
    for name, side in (("long", 9), ("wide", 2)):
        for i in range(3):
            out.writestr(f"{name}/{name}{i}.off", f"OFF\n3 1 0\n0 0 0\n{side} 0 0\n0 {3 + i} 0\n3 0 1 2\n")
END
}

# there COMMAND...: on the machine, in $here, by a user without rights and network
there() {
    inside "$user" no "/$here" "$@"
}

put() {
    here=$1
    mkdir -p "$root/$here"
    cp -r "$work/models" "$root/$here/"
    chroot "$root" chown -R "$user:$user" "/$here"
}

# What ldd names lies below $here, or is glibc's.
libraries_inside() {
    there sh -c "ldd $*" >"$work/ldd" && ! grep 'not found' "$work/ldd" &&
        ! grep '=>' "$work/ldd" | grep -vE "=> /$here/|^\s*lib(c|m|dl|rt|pthread|resolv|util)\.so\.[0-9]+ => "
}

begins() {
    [[ $(head -c "${#2}" "$root/$here/$1") == "$2" ]]
}

same_figures() {
    diff "$work/here/table.txt" "$root/$here/run/table.txt"
}

reads() {
    there "$psbench" info models/triangle.raw && there "$psbench" run -q -d SHELLS --models models/models.zip -o zip &&
        [[ $(head -c 128 "$root/$here/zip/features/SHELLS.npy" | grep -ac "'shape': (6, ") -eq 1 ]]
}

tarball() {
    machine tarball
    put home/somebody/first
    tar -xJf "$tarball" -C "$root/$here"
    psbench=./$(basename "$tarball" .tar.xz)/bin/psbench
    ask "$suite: table4" there "$psbench" table4 -q --no-times -o run
    ask "$suite: the figures of this build" same_figures
    ask "$suite: a page" begins run/report/index.html '<!DOCTYPE html>'
    ask "$suite: a plot" there "$psbench" plot run -o curve
    ask "$suite: PDF" begins curve.pdf %PDF
    ask "$suite: PNG" begins curve.png $'\x89PNG'
    ask "$suite: a raw file and a zip of models" reads
    ask "$suite: no library from elsewhere" libraries_inside "${psbench%/*}/psbench*" "${psbench%/bin/*}/lib/*"
    put 'srv/another place'
    mv "$root/home/somebody/first/${psbench%/bin/*}" "$root/$here/"
    ask "$suite: a raw file and a zip of models after a move" reads
    ask "$suite: SHD after a move" there "$psbench" table4 -q -d SHD -o run
}

wheel() {
    machine wheel
    ask "$suite: python3-numpy" inside 0 yes / sh -c 'apt-get -q update && apt-get -qy install --no-install-recommends python3-numpy'
    keep_packages
    put home/somebody/wheel
    cp "$wheel" "$root/$here/"
    cat >"$root/$here/try.py" <<'END'
import numpy as np
import psbench

row = psbench.describe([[0, 0, 0], [2, 0, 0], [0, 3, 0]], [[0, 1, 2]], "SHELLS")
found = psbench.describe_files(["models/triangle.raw"], "SHELLS")
assert len(found) == 1, found.failures
assert np.allclose(row, np.asarray(found)[0], atol=1e-6), (row, np.asarray(found))
rows = np.array([[0], [1], [2], [10], [11], [12]], dtype="float32")
e = psbench.evaluate(list("aaabbb"), rows, metric="l2", measures="nearest_neighbor")
assert e.mean("nearest_neighbor").value == 1, str(e)
END
    ask "$suite: the wheel is unpacked" there sh -c 'python3 -m zipfile -e psbench-*.whl . && chmod +x psbench/psbench-import'
    ask "$suite: the wheel describes a mesh and a file, and evaluates" there python3 try.py
    ask "$suite: the wheel has every library" libraries_inside psbench/libpsbench.so.0 psbench/psbench-import 'psbench.libs/*'
}

if reason=$(no_machines); then
    echo "dist left out: $reason"
    echo '0 passed, 0 failed'
    exit 0
fi
unset MAKEFLAGS MAKELEVEL MFLAGS
make -s -j2 all || exit 2
# made KIND: makes it, and prints its name
made() {
    make -s "$1" | tee /dev/stderr | sed -n 's/: [0-9]* bytes.*//p'
}
tarball=$(made dist) && wheel=$(made wheel) && [[ -s $tarball && -s $wheel ]] || exit 2
make_models
build/psbench table4 -q --no-times -o "$work/here" >/dev/null || exit 2
[[ $# -gt 0 ]] || set -- bullseye bookworm trixie
for suite in "$@"; do
    ask "a minimal $suite" make_base "$suite"
    [[ -e $base.tar ]] || continue
    tarball
    [[ $suite == bullseye ]] || wheel
    rm -rf "$work/tarball" "$work/wheel"
done
echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]
