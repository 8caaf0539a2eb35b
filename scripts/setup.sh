#!/bin/sh
# Makes sure that everything psbench is built and tested with is here: asks pkg-config and the
# compiler, and installs the packages that are missing, and only those, with apt. Without the right
# to do that it prints the one line that would, and fails. Says nothing where nothing is missing,
# and then needs no network.
#
#   scripts/setup.sh [--ci]   --ci: also what `make test-long` needs beside that: clang with its
#                             sanitizers and OpenMP, valgrind, and what makes Debian packages and
#                             minimal machines
#   WITHOUT="assimp expat libarchive" in the environment: psbench is to be built without these libraries,
#                             so they are neither installed nor spoken of. CC=clang: clang is asked for.
#
# For Debian 12 and newer, Ubuntu 22.04 and newer. Elsewhere: the list of `need` below.
set -u

ci=no
if [ "${1:-}" = --ci ]; then
    ci=yes
fi
missing= # a package a word, like each list below

# need PACKAGES COMMAND...: what to install where the command fails
need() {
    packages=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $packages"
}

# want PACKAGE COMMAND...: the same for what psbench and its tests do without, if it cannot be had
want() {
    package=$1
    shift
    "$@" >/dev/null 2>&1 || wanted="$wanted $package"
}

# without LIBRARY: whether the user builds without it
without() {
    case " ${WITHOUT:-} " in
    *" $1 "*) return 0 ;;
    esac
    return 1
}

# gcc's package neither has the C library's headers nor asks for them; omp.h comes with gcc, and with
# clang's own OpenMP.
compiler_works() {
    # shellcheck disable=SC2086 # CC may be a command with arguments
    printf '#include <stdio.h>\n#include <omp.h>\nint main(void) { return 0; }\n' |
        ${CC:-gcc} -fopenmp -o /dev/null -x c -
}

# For the tests of the Python module; any Python will do.
numpy_there() {
    python3 -c 'import numpy' || /usr/bin/python3 -c 'import numpy'
}

# clang_links OPTION: whether it finds its OpenMP and what the option needs
clang_links() {
    echo 'int main(void) { return 0; }' | clang -fopenmp "$1" -x c -o /dev/null -
}

ctags_there() {
    ctags --version | grep -q Universal
}

look() {
    missing=
    need make command -v make
    case ${CC:-gcc} in
    *clang*) need 'clang libomp-dev libc6-dev' compiler_works ;;
    *) need 'gcc libc6-dev' compiler_works ;;
    esac
    need pkg-config command -v pkg-config
    # Any build of OpenBLAS that stands here will do. Of those that might come, the OpenMP one: it
    # starts no threads within psbench's own, and unlike the serial one it bears being called by
    # several of them at once (see src/core/linear.h).
    need libopenblas-openmp-dev pkg-config --exists openblas
    need liblapacke-dev pkg-config --exists lapacke
    need libfftw3-dev pkg-config --exists fftw3
    need libcjson-dev pkg-config --exists libcjson
    need libxxhash-dev pkg-config --exists libxxhash
    need libcairo2-dev pkg-config --exists cairo
    need libpng-dev pkg-config --exists libpng
    need zlib1g-dev pkg-config --exists zlib
    need libcmocka-dev pkg-config --exists cmocka
    need python3-numpy numpy_there
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
        need mmdebstrap command -v mmdebstrap
    fi
    missing=${missing# }

    wanted=
    without assimp || want libassimp-dev pkg-config --exists assimp
    # Walls for the program that is linked with assimp.
    without assimp || without libseccomp || want libseccomp-dev pkg-config --exists libseccomp
    # Draco's library is C++, for the same program.
    without assimp || without draco || want libdraco-dev pkg-config --exists draco
    without assimp || without draco || want g++ command -v g++
    without expat || want libexpat1-dev pkg-config --exists expat
    without libarchive || want libarchive-dev pkg-config --exists libarchive
    want universal-ctags ctags_there # a test counts the lines of functions
    wanted=${wanted# }
}

# Runs apt-get as root; what it says is shown only when it fails.
apt() {
    # shellcheck disable=SC2086 # $root is a command with arguments, or nothing
    $root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 "$@" \
        </dev/null >"$log" 2>&1
}

# left_out REASON: says that $package is, and why
left_out() {
    echo "psbench: goes without $package: $1" >&2
}

# Each by itself, so that one that cannot be had costs no other.
install_wanted() {
    for package in $wanted; do
        apt install --no-install-recommends "$package" || left_out "apt-get could not install it"
    done
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
    if [ -z "$missing" ]; then
        for package in $wanted; do
            left_out "it cannot be installed from here (sudo apt-get install $package)"
        done
        exit 0
    fi
    echo "psbench needs packages that cannot be installed from here. This would do it:" >&2
    echo "  sudo apt-get install -y $missing${wanted:+ $wanted}" >&2
    exit 1
fi

log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
echo "psbench: installing ${missing}${missing:+${wanted:+ }}$wanted" >&2
# The lists may be old but good enough, so only a failure to install counts.
apt update || echo "psbench: apt-get update failed, trying with the lists that are here" >&2
look # with what the new lists know of
# shellcheck disable=SC2086 # $missing is a list
if [ -n "$missing" ] && ! apt install --no-install-recommends $missing; then
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
