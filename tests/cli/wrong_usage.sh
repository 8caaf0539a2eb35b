# Each mistake is named, the nearest name offered, and the exit code is 2.
try() {
    "$PSBENCH" "$@"
    echo "$?: $*"
}
try versoin
try nothing-like-it
try --versoin
try -
try version --hlep
try version --nothing-like-it
try version --quiet=1
try version -x
try version -qx
try version stray
try help version version
try help versoin
try report run --metric l2
