#!/bin/sh
# The linker's version script of the shared library: exported is every function that the public headers
# declare.
# usage: scripts/exports.sh include/*.h > out.map
set -eu

echo 'PSBENCH_0 {'
echo 'global:'
grep -ohE 'psb_[a-z0-9_]+\(' "$@" | tr '(' ';' | LC_ALL=C sort -u
echo 'local: *;'
echo '};'
