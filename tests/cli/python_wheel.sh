# `make wheel`, and the module as pip installs it, in another place and without the tree: it finds the library
# that it brought along, and says what is wrong where that is another's.
. "$(dirname "${BASH_SOURCE[0]}")/../support/python.sh"
if [[ $(basename "$build") != release ]]; then
    echo 'the release build is tried'
    exit 77
fi
for python in python3 /usr/bin/python3; do
    if "$python" -W ignore -c 'import setuptools, wheel, pip, numpy' 2>/dev/null; then break; fi
    python=
done
if [[ -z $python ]]; then
    echo 'a wheel needs pip, setuptools and wheel (python3-pip, python3-wheel)'
    exit 77
fi
unset MAKEFLAGS MAKELEVEL MFLAGS PYTHONPATH PSBENCH_LIBRARY
make -s -C "$tree" wheel PYTHON="$python" >log 2>&1 || cat log
version=$("$PSBENCH" --version | awk 'NR == 1 { print $2 }')
"$python" -m pip install -q --no-compile --no-index --no-deps --root-user-action ignore --target there "$tree/build/wheel/psbench-$version"-py3-none-*.whl
export PYTHONPATH=there
find there/psbench -type f | sort
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
