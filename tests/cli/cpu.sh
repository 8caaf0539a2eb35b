# PSB_CPU limits the instruction sets of all commands, "version" says which is in use, and the revisions of
# descriptors and metrics stand for the same numbers under each.
unset PSB_CPU
for set in plain avx2 avx512; do
    if [ $set = plain ] || PSB_CPU=$set "$PSBENCH" version >/dev/null 2>&1; then
        PSB_CPU=$set "$PSBENCH" version | sed -n "s/^CPU *$set\$/in use/p"
        PSB_CPU=$set "$(dirname "$PSBENCH")/tests/unit/test_revisions" >"$set.log" 2>&1 || cat "$set.log"
    else # there has to be a reason
        echo "in use"
        PSB_CPU=$set "$PSBENCH" version 2>&1 | grep -qE "^psbench: PSB_CPU=$set: this processor, or this build, has no more than (plain|avx2)$" ||
            echo "$set: no reason"
    fi
done
PSB_CPU='' "$PSBENCH" version | diff - <("$PSBENCH" version)
for word in sse AVX2 'avx2 ' plain,avx2; do
    PSB_CPU=$word "$PSBENCH" version
    echo "$?"
done
PSB_CPU=none "$PSBENCH" help table4
echo "$?"
PSB_CPU=none "$PSBENCH"
echo "$?"
