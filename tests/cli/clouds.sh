# Point clouds: the same figures from each form, those of a slow program; folders beside meshes, what is left out and refused.
P=$PSBENCH
clouds() { # SEED: four clouds of 60 points on an ellipsoid, a line each point, a file each
    awk -v seed="$1" 'function u() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
        BEGIN { for (i = 0; i < 4; i++) for (k = 0; k < 60; k++) {
            z = 2 * u() - 1; a = 6.283185307 * u(); r = sqrt(1 - z * z)
            printf "%d %.6f %.6f %.6f\n", i, r * cos(a), r * sin(a) * (0.6 + 0.2 * i), z } }'
}
clouds 11 >generated
clouds 23 >reference
mkdir xyz pts txt ply pcd wanted
for i in 0 1 2 3; do
    awk -v i=$i '$1 == i { print $2, $3, $4 }' generated >xyz/$i.xyz
    awk -v i=$i '$1 == i { print $2, $3, $4 }' reference >wanted/$i.xyz
    { wc -l <xyz/$i.xyz && cat xyz/$i.xyz; } >pts/$i.pts
    tr ' ' ',' <xyz/$i.xyz >txt/$i.txt
    { printf 'ply\nformat ascii 1.0\nelement vertex 60\nproperty float x\nproperty float y\nproperty float z\nend_header\n' &&
        cat xyz/$i.xyz; } >ply/$i.ply
    { printf 'VERSION .7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 60\nHEIGHT 1\nPOINTS 60\nDATA ascii\n' &&
        cat xyz/$i.xyz; } >pcd/$i.pcd
done
# The mean squared distance of all pairs, both ways; of each reference the nearest, of each shape the nearest other.
awk 'FNR == 1 { file++ } { n[file, $1]++; for (k = 2; k < 5; k++) at[file, $1, n[file, $1], k] = $k }
    function way(a, b, i, c, d, p, q, k, s, least, sum) {
        for (p = 1; p <= 60; p++) { least = 1e9
            for (q = 1; q <= 60; q++) { s = 0
                for (k = 2; k < 5; k++) s += (at[a, b, p, k] - at[c, d, q, k]) ^ 2
                if (s < least) least = s }
            sum += least }
        return sum / 60 }
    function cd(a, b, c, d) { return way(a, b, 0, c, d) + way(c, d, 0, a, b) }
    END {
        for (i = 0; i < 8; i++) for (j = 0; j < i; j++)
            D[i, j] = D[j, i] = cd(1 + int(i / 4), i % 4, 1 + int(j / 4), j % 4)
        for (i = 0; i < 8; i++) { best = other = -1
            for (j = 0; j < 8; j++) if (j != i && (best < 0 || D[i, j] < D[i, best])) best = j
            for (j = 4 * (i < 4); j < 4 + 4 * (i < 4); j++) if (other < 0 || D[i, j] < D[i, other]) other = j
            own += int(best / 4) == int(i / 4)
            if (i > 3) mmd += D[i, other] / 4; else covered[other] = 1 }
        for (j in covered) cov++
        printf "cd\t4\t4\t%.6f\t%.6f\t%.6f\n", mmd, 25 * cov, 100 * own / 8 }' generated reference >slow
for form in xyz pts txt ply pcd; do
    "$P" generative $form wanted --metric cd,emd --rounds 0 -f tsv | cut -f 1-4,7,10 | tail -n 2 >$form.tsv
    cmp xyz.tsv $form.tsv
done
awk 'NR == 1 { printf "%s\t%d\t%d\t%.6f\t%s\t%s\n", $1, $2, $3, $4, $5, $6 }' xyz.tsv | cmp - slow && wc -l <xyz.tsv
# Larger clouds give as many points as the smallest; meshes have points drawn on them; a broken file is left out.
cat xyz/0.xyz xyz/1.xyz >xyz/0.more && mv xyz/0.more xyz/0.xyz
printf 'OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n' >tetrahedron.off
mkdir mixed && cp tetrahedron.off mixed/mesh.off && cp wanted/1.xyz mixed
echo '1 2' >mixed/broken.xyz
generative() {
    "$P" generative "$@" -t 1 --rounds 0 -f tsv | cut -f 1-3
    echo "${PIPESTATUS[0]}: $*"
}
generative xyz mixed --metric cd
generative mixed wanted -d POINTS:points=60
generative xyz wanted -d POINTS:points=61
generative xyz wanted
generative xyz wanted --metric cd,l2
generative xyz wanted --metric cd -d SHD
generative xyz txt/0.txt --metric cd
# Their rows: of a file under two names the same; a descriptor of surfaces says so once.
cp wanted/2.xyz other.xyz
"$P" describe -d POINTS:points=50 wanted/2.xyz other.xyz | cut -f 2- | uniq | wc -l
"$P" describe -d SHD wanted/*.xyz
echo $?
# Beside each other, and beside a surface; nothing of a surface where there is none. The same from each form.
awk 'FNR == 1 { file++ } { n[file]++; for (k = 1; k < 4; k++) at[file, n[file], k] = $k }
    function way(a, b, p, q, k, s, least, sum) {
        for (p = 1; p <= n[a]; p++) { least = 1e9
            for (q = 1; q <= n[b]; q++) { s = 0
                for (k = 1; k < 4; k++) s += (at[a, p, k] - at[b, q, k]) ^ 2
                if (s < least && !(a == b && p == q)) least = s }
            sum += a == b ? sqrt(least) : least }
        return sum / n[a] }
    END { printf "cd %.5g\nspacing %.5g\n", way(1, 2) + way(2, 1), way(1, 1) }' xyz/2.xyz wanted/2.xyz >slow
for form in xyz pts txt ply pcd; do
    "$P" compare-shapes $form/2.$form wanted/2.xyz -f tsv | awk -F '\t' '$1 == "cd" { printf "cd %.5g\n", $2 }' >figures
    "$P" info $form/2.$form | awk '/^spacing/ { printf "spacing %.5g\n", $2 }' >>figures
    cmp slow figures
done
awk 'BEGIN { for (k = 0; k < 40; k++) { r = sqrt(1 - (k / 20 - 1) ^ 2)
    printf "%.9f %.9f %.9f %.9f %.9f %.9f\n", r * cos(k), r * sin(k), k / 20 - 1, r * cos(k), r * sin(k), k / 20 - 1 } }' >normals.xyz
"$P" info normals.xyz tetrahedron.off | head -n 7
"$P" info --json normals.xyz | tr -d ' \t\n' && echo
"$P" compare-shapes normals.xyz tetrahedron.off -f tsv | cut -f 1-4 | sed -E 's/([0-9]\.[0-9]{4})[0-9]*/\1/g'
"$P" compare-shapes tetrahedron.off normals.xyz | tail -n 3
"$P" compare-shapes wanted/1.xyz wanted/2.xyz -f tsv | cut -f 1 | paste -s -d ' '
"$P" compare-shapes normals.xyz tetrahedron.off --align
"$P" compare-shapes normals.xyz tetrahedron.off --pose aligned
"$P" info broken.xyz mixed/broken.xyz
