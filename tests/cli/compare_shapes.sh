# Two shapes beside each other: a copy, one that is moved, an open one, formats, wrong usage.
compare() {
    "$PSBENCH" compare-shapes "$@"
    echo "$?: $*"
}
cat >cube.off <<'END'
OFF
8 6 0
0 0 0
1 0 0
1 1 0
0 1 0
0 0 1
1 0 1
1 1 1
0 1 1
4 0 3 2 1
4 4 5 6 7
4 0 1 5 4
4 1 2 6 5
4 2 3 7 6
4 3 0 4 7
END
sed '/^[01] [01] [01]$/s/$/.5/' cube.off >raised.off # by half a side
sed 's/^8 6 0/8 5 0/; /^4 4 5 6 7$/d' cube.off >open.off
awk 'NF == 3 && /^[01]/ { print 4 * $2 + 9, 4 * $3, 4 * $1 - 2; next } { print }' cube.off >scaled.off
compare cube.off cube.off
compare cube.off raised.off --threshold 0.02 --points 500
compare open.off cube.off -f tsv | sed -n '/^[avow]/p'
"$PSBENCH" compare-shapes scaled.off cube.off -f tsv | awk '$1 == "area" || $1 == "volume"'
# Chance decides nothing but what the floor says: of a larger cube, whatever its triangles, cd is within 15 % of the floor, and
# the surfaces are where they are. A copy is at 0 from the surface, and not from its points.
awk '
    NR == FNR && NF == 3 && FNR > 2 { x[n] = 1.002 * $1; y[n] = 1.002 * $2; z[n++] = 1.002 * $3 }
    NF == 5 { a = $2; b = $3; c = $4; d = $5; split(a " " b " " c " " d, q, " ")
        for (i = 0; i < 4; i++) for (j = 0; j < 4; j++) { p(i, j); p(i + 1, j); p(i + 1, j + 1); p(i, j + 1)
            f = f "4 " 4 * m " " 4 * m + 1 " " 4 * m + 2 " " 4 * m + 3 "\n"; m++ } }
    function p(i, j, u, v) { u = i / 4; v = j / 4; t = t side(x, u, v) " " side(y, u, v) " " side(z, u, v) "\n" }
    function side(k, u, v) { return (k[q[1]] * (1 - u) + k[q[2]] * u) * (1 - v) + (k[q[4]] * (1 - u) + k[q[3]] * u) * v }
    END { printf "OFF\n%d %d 0\n%s%s", 4 * m, m, t, f }' cube.off >cut.off
awk 'NF == 3 && FNR > 2 { print 1.002 * $1, 1.002 * $2, 1.002 * $3; next } { print }' cube.off >larger.off
{ head -n 10 larger.off && tail -n 6 larger.off | tac; } >reversed.off
for other in larger reversed cut cube; do
    "$PSBENCH" compare-shapes $other.off cube.off -f tsv | awk -F '\t' -v other=$other '
        $1 == "cd" { near = $2 > 0.85 * $5 && $2 < 1.15 * $5 ? "cd as the floor" : "cd " $2 " floor " $5 }
        $1 == "cd to surface" { print other ": " near ", to surface " ($2 == 0 ? 0 : $2 > 1.5e-6 && $2 < 5e-6 ? "as it is" : $2) }'
done
# Each in its own box, or A on B, they are the same cube.
for how in '--pose sphere' '--pose box' --align; do
    "$PSBENCH" compare-shapes scaled.off cube.off $how -f tsv | awk -F '\t' '$1 == "hausdorff" { print $2 < 0.12 ? "near" : "far " $2 }'
done
"$PSBENCH" compare-shapes cube.off open.off -f json | head -n 3
compare cube.off
compare cube.off missing.off
compare cube.off open.off --pose upright
compare cube.off open.off --points 0
printf 'OFF\n3 1 0\n0 0 0\n1 0 0\n2 0 0\n3 0 1 2\n' >flat.off
compare cube.off flat.off
# The F-scores that Kaolin's documentation prints for these points (kaolin.metrics.pointcloud.f_score): each is here a small
# triangle, and a threshold is a share of B's longest side.
shape() {
    awk '{ for (k = 1; k < 4; k++) v = v sprintf("%.6f %.6f %.6f\n", $1 + 0.04 * (k == 1), $2 + 0.04 * (k == 2), $3 + 0.04 * (k == 3))
           f = f sprintf("3 %d %d %d\n", 3 * n, 3 * n + 1, 3 * n + 2); n++ }
        END { printf "OFF\n%d %d 0\n%s%s", 3 * n, n, v, f }' >"$1"
}
scores() { # SIDE
    for radius in 1 1.5; do
        "$PSBENCH" compare-shapes p1.off p2.off --points 2 --threshold "$(awk "BEGIN { print $radius / $1 }")" -f tsv |
            awk -F '\t' -v radius=$radius '$1 == "F-score" { print radius, $2 }'
    done
}
printf '%s\n' '8.8977 4.1709 1.2839' '8.5640 7.7767 9.4214' | shape p1.off
printf '%s\n' '9.4863 4.2249 0.1712' '8.1783 8.5310 8.5119' | shape p2.off
scores 8.3407
printf '%s\n' '0.5431 6.4495 11.4914' '3.2126 8.0865 3.1018' | shape p1.off
printf '%s\n' '-0.0020699 6.4429 12.3' '3.8386 8.3585 4.7662' | shape p2.off
scores 7.5338
