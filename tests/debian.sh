#!/usr/bin/env bash
# The Debian packages: built in a copy of the sources without its tests, which are those of `make test`;
# lintian has nothing to say; each package has its files. Left out with a word where debhelper or lintian
# is not there. Ends with "N passed, N failed".
set -u
cd "$(dirname "$0")/.." || exit 2
export LC_ALL=C

for tool in dpkg-buildpackage dh lintian; do
    if ! command -v "$tool" >/dev/null; then
        echo "packages left out: no $tool (Debian: dpkg-dev debhelper dh-python lintian)"
        echo '0 passed, 0 failed'
        exit 0
    fi
done
passed=0
failed=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# check WHAT COMMAND...: shows what the command printed where it fails
check() {
    if "${@:2}" >"$work/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $1"
        tail -n 30 "$work/log"
    fi
}

build() {
    git ls-files -z --cached | xargs -0 cp --parents -t "$work/psbench" &&
        (cd "$work/psbench" && DEB_BUILD_OPTIONS=nocheck DEB_BUILD_PROFILES=nocheck nice dpkg-buildpackage -us -uc -b)
}

says_nothing() {
    "$@" 2>&1 | grep -v '^running with root privileges' && return 1
    return 0
}

has_files() {
    local package=$1 file
    dpkg-deb --fsys-tarfile "$work/$package"_*.deb | tar -t >"$work/files"
    for file in "${@:2}"; do
        grep -q "$file" "$work/files" || { echo "$package lacks $file" && return 1; }
    done
}

mkdir "$work/psbench"
unset MAKEFLAGS MAKELEVEL MFLAGS
check 'the packages are built' build
check 'lintian says nothing' says_nothing lintian --pedantic -EI "$work"/psbench_*.changes
check 'psbench' has_files psbench usr/bin/psbench$ man1/psbench-table4.1.gz completions/psbench vendor-completions/_psbench
check 'libpsbench0' has_files libpsbench0 'libpsbench\.so\.0$'
check 'libpsbench-dev' has_files libpsbench-dev 'libpsbench\.so$' 'libpsbench\.a$' psbench.pc include/psbench.h
check 'python3-psbench' has_files python3-psbench dist-packages/psbench/__init__.py
check 'one version' test "$(dpkg-parsechangelog -S Version)" = "$(sed -n 's/^#define PSB_VERSION "\(.*\)"/\1/p' include/psbench.h)"
echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]
