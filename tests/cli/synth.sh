# The built-in benchmark: what is in the folder, that it comes out the same again, and which folders
# are refused.
"$PSBENCH" synth models
echo "$?: new folder"
find models -name '*.off' | wc -l
find models -type f -not -name '*.off' | sort
head -n 2 models/classification/v1/base/test.cla
find models -name '*.tmp*'
"$PSBENCH" synth -q again/and/deeper
diff -r models again/and/deeper && echo "the same again"
echo broken >models/db/0/m7/m7.off
"$PSBENCH" synth -q models
diff -r models again/and/deeper && echo "repaired"
"$PSBENCH" synth -q --seed 1 other
find models other -name m0.off -exec cksum {} + | sort -u -k 1,2 | wc -l
diff models/classification/v1/base/test.cla other/classification/v1/base/test.cla &&
    echo "the same classes"
mkdir full
touch full/of-work
"$PSBENCH" synth full
echo "$?: not empty"
ls full
"$PSBENCH" synth full/of-work
echo "$?: a file"
"$PSBENCH" synth ''
echo "$?: no name"
"$PSBENCH" synth
echo "$?: no argument"
"$PSBENCH" synth --seed 1.5 new
echo "$?: no seed"
