# `make wheel PLAIN=1`, and the module unpacked in another place and without the tree: it finds the library that
# it brought along, and says what is wrong where that is another's. What the
# wheel says of itself is checked against its files. (tests/dist.sh has the wheel for other machines.)
. "$(dirname "${BASH_SOURCE[0]}")/../support/python.sh"
if [[ $(basename "$build") != release ]]; then
    echo 'the release build is tried'
    exit 77
fi
unset MAKEFLAGS MAKELEVEL MFLAGS PYTHONPATH PSBENCH_LIBRARY
make -s -C "$tree" wheel PLAIN=1 PYTHON="$python" >log 2>&1 || cat log
version=$("$PSBENCH" --version | awk 'NR == 1 { print $2 }')
"$python" - "$tree/build/wheel/psbench-$version-py3-none-linux_$(uname -m).whl" <<'END'
import base64, csv, hashlib, io, sys, zipfile

with zipfile.ZipFile(sys.argv[1]) as wheel:
    names = wheel.namelist()
    record = next(name for name in names if name.endswith(".dist-info/RECORD"))
    rows = list(csv.reader(io.TextIOWrapper(wheel.open(record))))
    assert [row[0] for row in rows] == [n for n in sorted(names) if n != record] + [record], rows
    for name, digest, size in rows[:-1]:
        data = wheel.read(name)
        want = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        assert (digest, int(size)) == ("sha256=" + want, len(data)), name
    runs = [i.filename for i in wheel.infolist() if i.external_attr >> 16 & 0o111]
    assert set(runs) <= {"psbench/psbench-import"}, runs
    wheel.extractall("there")
END
export PYTHONPATH=there
find there -type f ! -name psbench-import | sed "s/$version/VERSION/" | sort
"$python" -c 'import psbench; print(psbench.describe([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]], "SHELLS").shape)'
[[ $("$python" -c 'import psbench; print(psbench.__version__)') == "$version" ]] && echo 'the version of the program'
fails() {
    "$python" -c 'import psbench' 2>&1 | tail -n 1
}
echo no library >there/psbench/libpsbench.so.0
fails | cut -d : -f 1-2
PSBENCH_LIBRARY=libz.so.1 fails | sed "s/$version/that/"
sed -i 's/^VERSION = .*/VERSION = "0.0.1"/' there/psbench/_version.py
PSBENCH_LIBRARY=$build/libpsbench.so.0 fails | grep -o 'is of version.*' | sed "s/$version/that/"
