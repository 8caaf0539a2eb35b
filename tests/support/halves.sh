# For tests that need two lists of models: cuts each class of the built-in benchmark into halves.
half() { # half REMAINDER: prints the classification of every other model
    awk -v want="$1" '
        NF == 3 { flush(); head = $1 " " $2; left = $3; count = 0; next }
        NF == 1 && left > 0 { if (left-- % 2 == want) models[count++] = $1 }
        function flush() { if (head != "") { out = out head " " count "\n"
            for (i = 0; i < count; i++) { out = out models[i] "\n"; total++ } classes++ } }
        END { flush(); printf "PSB 1\n%d %d\n%s", classes, total, out }' \
        bench/classification/v1/base/test.cla
}
half 0 >train.cla
half 1 >test.cla
