#!/bin/sh
# Makes sure that everything psbench is built and tested with is here: asks pkg-config and the
# compiler, and installs the packages that are missing, and only those, with apt. Without the right
# to do that it prints the one line that would, and fails. Says nothing where nothing is missing,
# and then needs no network.
#
#   scripts/setup.sh [--ci]   --ci: also what `make test-long` needs beside that: clang with its
#                             sanitizers and OpenMP, valgrind, what makes Debian packages, emulators and
#                             compiler of other processors
#
# For Debian 12 and newer, Ubuntu 22.04 and newer. Elsewhere: the list of `need` below.
set -u

ci=no
if [ "${1:-}" = --ci ]; then
    ci=yes
fi
missing=

# need PACKAGES COMMAND...: what to install where the command fails
need() {
    packages=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $packages"
}

# gcc's package neither has the C library's headers nor asks for them; omp.h comes with gcc.
compiler_works() {
    printf '#include <stdio.h>\n#include <omp.h>\n' | "${CC:-gcc}" -fopenmp -E -x c -
}

# clang_links OPTION: whether it finds its OpenMP and what the option needs
clang_links() {
    echo 'int main(void) { return 0; }' | clang -fopenmp "$1" -x c -o /dev/null -
}

look() {
    missing=
    need make command -v make
    need 'gcc libc6-dev' compiler_works
    need pkg-config command -v pkg-config
    need libfftw3-dev pkg-config --exists fftw3
    # Any build of OpenBLAS that stands here will do. Of those that might come, the OpenMP one: it
    # starts no threads within psbench's own, and unlike the serial one it bears being called by
    # several of them at once (see src/core/linear.h).
    need libopenblas-openmp-dev pkg-config --exists openblas
    need liblapacke-dev pkg-config --exists lapacke
    need libcjson-dev pkg-config --exists libcjson
    need libxxhash-dev pkg-config --exists libxxhash
    need libcairo2-dev pkg-config --exists cairo
    need libpng-dev pkg-config --exists libpng
    need zlib1g-dev pkg-config --exists zlib
    need libcmocka-dev pkg-config --exists cmocka
    need man-db command -v man
    need mandoc command -v mandoc
    if [ $ci = yes ]; then
        need clang command -v clang
        need libomp-dev clang_links -O0
        # Where clang's own package brings these, there is no such one.
        if apt-cache show libclang-rt-dev >/dev/null 2>&1; then
            need libclang-rt-dev clang_links -fsanitize=thread
        fi
        need valgrind command -v valgrind
        need 'dpkg-dev fakeroot' command -v dpkg-buildpackage
        need 'debhelper dh-python' command -v dh_python3
        need lintian command -v lintian
        need zsh command -v zsh
        need qemu-user command -v qemu-aarch64
        need gcc-aarch64-linux-gnu command -v aarch64-linux-gnu-gcc
        need mmdebstrap command -v mmdebstrap
    fi
    missing=${missing# }

    # Formats that psbench has no reader of its own for; it is complete without them.
    wanted=
    pkg-config --exists assimp >/dev/null 2>&1 || wanted=libassimp-dev
}

# Runs apt-get as root; what it says is shown only when it fails.
apt() {
    # shellcheck disable=SC2086 # $root is a command with arguments, or nothing
    $root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 "$@" \
        </dev/null >"$log" 2>&1
}

# After what has to be there, for then the lists are as new as they get.
install_wanted() {
    if [ -n "$wanted" ] && ! apt install --no-install-recommends "$wanted"; then
        echo "psbench: goes without $wanted, which could not be installed" >&2
    fi
}

look
if [ -z "$missing$wanted" ]; then
    exit 0
fi

root=
if [ "$(id -u)" -ne 0 ]; then
    root='sudo -n'
fi
# shellcheck disable=SC2086
if ! command -v apt-get >/dev/null 2>&1 || ! $root true 2>/dev/null; then
    [ -n "$missing" ] || exit 0
    echo "psbench needs packages that cannot be installed from here. This would do it:" >&2
    echo "  sudo apt-get install -y $missing $wanted" >&2
    exit 1
fi

log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
if [ -z "$missing" ]; then
    install_wanted
    exit 0
fi
echo "psbench: installing $missing" >&2
# The lists may be old but good enough, so only a failure to install counts.
apt update || echo "psbench: apt-get update failed, trying with the lists that are here" >&2
look # with what the new lists know of
# shellcheck disable=SC2086 # $missing is a list
if ! apt install --no-install-recommends $missing; then
    cat "$log" >&2
    echo "psbench: apt-get could not install: $missing" >&2
    exit 1
fi
look
if [ -n "$missing" ]; then
    echo "psbench: still missing after the installation: $missing" >&2
    exit 1
fi
install_wanted
