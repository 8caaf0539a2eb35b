# The pairs of the benchmark's test set that are one model.
if [ -z "${PSB_DIR:-}" ]; then
    echo "PSB_DIR is not set: the benchmark's duplicates are not looked for"
    exit 77
fi
ids='541 543 545 1337 1338 1749 1750 1751 1752 1753 376 380'
printf 'PSB 1\n1 12\n\nany 0 12\n%s\n' "${ids// /$'\n'}" >some.cla
"$PSBENCH" run -q --no-times -d LFD --cla some.cla --models "$PSB_DIR/db" -o run >/dev/null
"$PSBENCH" duplicates run --quantile 0.5
