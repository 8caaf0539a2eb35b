# For scripts that try psbench on machines that have nothing but a minimal Debian: `make_base SUITE`, then
# `machine NAME`, and `inside` what is to be done there. Minimal systems and downloaded packages stay in
# ~/.cache/psbench-fresh (XDG_CACHE_HOME). The script has $work, a folder of its own.
# shellcheck shell=bash disable=SC2154
cache=${XDG_CACHE_HOME:-$HOME/.cache}/psbench-fresh
codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
user=1000 # the number of a user without rights, on every machine

# Says why no machine can be made here; else says nothing and fails.
no_machines() {
    local tool
    [[ $EUID -eq 0 ]] || { echo 'not root' && return; }
    for tool in mmdebstrap unshare chroot; do
        command -v "$tool" >/dev/null || { echo "no $tool (Debian: mmdebstrap, util-linux, coreutils)" && return; }
    done
    [[ -n $(sources "$codename") ]] || { echo 'apt knows no sources of Debian here' && return; }
    return 1
}

# sources SUITE: where this machine has Debian's packages from, for that suite
sources() {
    # shellcheck disable=SC2016 # apt fills these in
    apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Identifier: Packages' 'Origin: Debian' |
        sed -n "s/ $codename\(-[a-z]*\)\? / $1\1 /p" | sort -u
}

# bootstrap SUITE TARGET PACKAGES: a minimal system with these packages. Where a mirror lacks some packages
# of the suite's security updates, it is made without these updates, and that is said.
bootstrap() {
    sources "$1" >"$work/sources.list"
    mmdebstrap --quiet --variant=minbase --include="$3" "$1" "$2" "$work/sources.list" 2>/dev/null && return
    grep -v -- '-security ' "$work/sources.list" >"$work/plain.list"
    rm -rf "$2"
    mmdebstrap --quiet --variant=minbase --include="$3" "$1" "$2" "$work/plain.list" || return
    echo "$1 is without its security updates, of which the mirror lacks a package"
}

# make_base SUITE: the minimal system that its machines are copies of, with make and git; once
make_base() {
    base=$cache/$1
    [[ ! -e $base.tar ]] || return 0
    echo "making a minimal $1 in $cache"
    mkdir -p "$base-packages"
    bootstrap "$1" "$work/base.tar" make,git && mv "$work/base.tar" "$base.tar"
}

# machine NAME: a new one in $root, with packages that were downloaded for an earlier one
machine() {
    root=$work/$1
    mkdir -p "$root" "$base-packages"
    tar -xf "$base.tar" -C "$root"
    cp -L /etc/resolv.conf "$root/etc/"
    cp "$base-packages"/*.deb "$root/var/cache/apt/archives/" 2>/dev/null
    chroot "$root" useradd -m -u "$user" -s /bin/bash somebody
}

keep_packages() {
    cp -u "$root"/var/cache/apt/archives/*.deb "$base-packages/"
}

# inside WHO NETWORK FOLDER COMMAND...: what WHO (a number) does in a folder of the machine, which is
# the home, too; NETWORK: yes or no. Nothing of this machine's environment comes along but the proxy, and
# the models of the benchmark where PSB_DIR names them: there, too, and not to be written.
inside() {
    local options=(--mount --pid --fork --kill-child)
    [[ $2 == yes ]] || options+=(--net)
    # shellcheck disable=SC2016 # for those shells
    unshare "${options[@]}" sh -c '
        root=$1 who=$2 folder=$3 && shift 3 && mount --rbind "$root" "$root" && cd "$root" &&
        mount -t proc proc proc && mount --rbind /dev dev &&
        if [ -n "$PSB_DIR" ]; then
            mkdir -p psb_v1 && mount --bind "$PSB_DIR" psb_v1 && mount -o remount,bind,ro psb_v1
        fi && exec chroot --userspec="$who:$who" . \
            env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb HOME="$folder" \
            ${http_proxy:+http_proxy="$http_proxy"} ${PSB_DIR:+PSB_DIR=/psb_v1} sh -c '\''cd "$HOME" && "$@"'\'' sh "$@"' \
        sh "$root" "$1" "$3" "${@:4}" </dev/null
}
