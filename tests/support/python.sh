# For tests of the Python module: sets $tree, and $python, which finds the module and this build's library. Skips the test
# if NumPy or the library is missing.
tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "$(dirname "$PSBENCH")" && pwd)
if [[ ! -e $build/libpsbench.so.0 || -n ${MEMCHECK:-} ]]; then
    echo 'the Python module needs the shared library, which this build has not'
    exit 77
fi
python=
for candidate in python3 /usr/bin/python3; do
    if "$candidate" -c 'import numpy' 2>/dev/null; then
        python=$candidate
        break
    fi
done
if [[ -z $python ]]; then
    echo 'the Python module needs NumPy (python3-numpy)'
    exit 77
fi
export PYTHONPATH=$tree/python PSBENCH_LIBRARY=$build/libpsbench.so.0 PYTHONDONTWRITEBYTECODE=1
