#!/usr/bin/env bash
# The Debian packages: built in a copy of the sources without its tests, which are those of `make test`;
# lintian has nothing to say; each package has its files; each of debian/tests passes on a machine that has
# nothing but a minimal Debian and the packages that it asks for. Left out with a word where debhelper or
# lintian is not there, or no such machine can be made (see tests/machine.sh). Ends with "N passed, N failed".
set -u
cd "$(dirname "$0")/.." || exit 2
export LC_ALL=C
. tests/machine.sh

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

# The new packages as a place that apt takes packages from, on each machine.
archive() {
    mkdir "$work/archive" && mv "$work"/*.deb "$work/archive" &&
        (cd "$work/archive" && dpkg-scanpackages -m . >Packages)
}

# autopkgtest TEST PACKAGES: what debian/tests/control says, on a new machine
autopkgtest() {
    # shellcheck disable=SC2086 # a list
    machine "$1" && mkdir "$root/test" && cp -r "$work/archive" "$root/archive" && cp "debian/tests/$1" "$root/test/" &&
        echo 'deb [trusted=yes] file:/archive ./' >"$root/etc/apt/sources.list.d/psbench.list" &&
        inside 0 yes / apt-get -q update &&
        inside 0 yes / env DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends $2 &&
        keep_packages && inside 0 no /test env AUTOPKGTEST_TMP=/test sh -e "./$1"
}

autopkgtests() {
    local reason tests packages
    if reason=$(no_machines); then
        echo "debian/tests left out: $reason"
        return
    fi
    check "a minimal $codename" make_base "$codename"
    check 'an archive of the packages' archive
    while read -r tests packages; do
        check "debian/tests/$tests" autopkgtest "$tests" "$packages"
    done < <(awk '/^Tests:/ { test = $2 } /^Depends:/ { sub(/^Depends: */, ""); gsub(/,/, ""); print test, $0 }' debian/tests/control)
}

mkdir "$work/psbench"
unset MAKEFLAGS MAKELEVEL MFLAGS
check 'the packages are built' build
if [[ $failed -eq 0 ]]; then
    check 'lintian says nothing' says_nothing lintian --pedantic -EI "$work"/psbench_*.changes
    check 'psbench' has_files psbench usr/bin/psbench$ man1/psbench-table4.1.gz completions/psbench vendor-completions/_psbench
    check 'libpsbench0' has_files libpsbench0 'libpsbench\.so\.0$'
    check 'libpsbench-dev' has_files libpsbench-dev 'libpsbench\.so$' 'libpsbench\.a$' psbench.pc include/psbench.h
    check 'python3-psbench' has_files python3-psbench dist-packages/psbench/__init__.py
    autopkgtests
fi
check 'one version' test "$(dpkg-parsechangelog -S Version)" = "$(sed -n 's/^#define PSB_VERSION "\(.*\)"/\1/p' include/psbench.h)"
echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]
