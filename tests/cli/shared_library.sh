# What the shared library exports is what a compiler sees declared in the public header, all of it under
# one version; programs ask for it by its soname.
build=$(dirname "$PSBENCH")
if [[ ! -e $build/libpsbench.so.0 ]]; then
    echo 'sanitizers, debug and coverage have no shared library'
    exit 77
fi
header=$(dirname "${BASH_SOURCE[0]}")/../../include/psbench.h
# What the compiler writes beside its output, a cache of outputs does not bring back.
CCACHE_DISABLE=1 gcc -std=c11 -fsyntax-only -aux-info declared -x c "$header"
grep -E "psbench(_runs)?\.h:" declared | grep -oE ' [*]?psb_[a-z0-9_]+ \(' | tr -d ' *(' | sort >names
nm -D --defined-only "$build/libpsbench.so.0" | awk '$2 == "T" { print $3 }' | sort >exported
[[ -s names ]] && diff <(sed 's/$/@@PSBENCH_0/' names) exported && echo 'exported is what the header declares'
nm -D --defined-only "$build/libpsbench.so.0" | awk '$2 != "T"'
readelf -d "$build/libpsbench.so.0" | sed -n 's/.*(SONAME) *//p'
readlink "$build/libpsbench.so"
