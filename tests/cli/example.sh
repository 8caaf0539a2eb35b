# The example program describes a model through the public header.
# Plain build only: no line of the code runs here alone.
cat > cube.off <<'END'
OFF
8 6 12
-1 -1 -1
1 -1 -1
-1 1 -1
1 1 -1
-1 -1 1
1 -1 1
-1 1 1
1 1 1
4 0 2 3 1
4 4 5 7 6
4 0 1 5 4
4 2 6 7 3
4 0 4 6 2
4 1 3 7 5
END
"$(dirname "$PSBENCH")/examples/describe_one" cube.off SHELLS
"$(dirname "$PSBENCH")/examples/describe_one" missing.off
# Distances from the first; a file that is none is named.
sed 's/^1 1 1$/2 1 1/' cube.off >bent.off
cp cube.off same.off
: >empty.off
"$(dirname "$PSBENCH")/examples/compare_files" SHELLS cube.off empty.off same.off bent.off
# Of the built-in benchmark a table with a descriptor of one's own, and what `eval` says of a matrix.
"$PSBENCH" synth -q set
cla=set/classification/v1/base/test.cla
"$(dirname "$PSBENCH")/examples/own_descriptor" "$cla" set/db
printf 'PSB 1\n1 4\nc 0 4\na\nb\nc\nd\n' >four.cla
printf '0 1 2 3\n1 0 1 2\n2 1 0 1\n3 2 1 0\n' >four.txt
"$(dirname "$PSBENCH")/examples/evaluate_matrix" four.cla four.txt
