#!/bin/sh
# Makes sure that what the tests of the report's pages run in is here: Chromium and node from
# Debian, playwright-core and axe-core from npm's registry in FOLDER. Fails, and says in one line
# what is missing, where they cannot be had.
# usage: scripts/setup-browser.sh FOLDER
set -u

here=$(cd "$(dirname "$0")/.." && pwd)
folder=$1

for need in chromium node npm; do
    command -v "$need" >/dev/null 2>&1 && continue
    package=$need
    [ "$need" = node ] && package=nodejs
    if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
        echo "$package is not installed"
        exit 1
    fi
    DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=120 install \
        --no-install-recommends "$package" </dev/null >/dev/null 2>&1
    command -v "$need" >/dev/null 2>&1 && continue
    echo "$package is not installed and apt-get could not install it"
    exit 1
done

mkdir -p "$folder"
if cmp -s "$here/tests/browser/package.json" "$folder/package.json" &&
    [ -d "$folder/node_modules/playwright-core" ] && [ -d "$folder/node_modules/axe-core" ]; then
    exit 0
fi
cp "$here/tests/browser/package.json" "$folder/package.json"
if ! npm install --prefix "$folder" --no-package-lock --no-audit --no-fund --ignore-scripts \
    </dev/null >/dev/null 2>&1; then
    rm -f "$folder/package.json"
    echo "npm could not install playwright-core and axe-core"
    exit 1
fi
