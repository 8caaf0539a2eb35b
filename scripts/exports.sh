#!/bin/sh
# The linker's version script of the shared library: exported is every function that the public header
# declares.
# usage: scripts/exports.sh include/psbench.h > out.map
set -eu

echo 'PSBENCH_0 {'
echo 'global:'
grep -oE 'psb_[a-z0-9_]+\(' "$1" | tr '(' ';' | LC_ALL=C sort -u
echo 'local: *;'
echo '};'
