# What to cite: of the benchmark and the program, of descriptors each publication once, and every
# descriptor has one.
"$PSBENCH" cite | sed "s|version = {[0-9.]*}|version = {that of the program}|"
echo
"$PSBENCH" cite SHD lfd GEDT:width=3
"$PSBENCH" cite all >all.bib
grep '^@' all.bib | sort | uniq -d
for name in LFD REXT SHD GEDT EXT SECSHEL VOXEL SECTORS CEGI EGI D2 SHELLS DBUF VIEWS SPIN; do
    "$PSBENCH" cite "$name" | head -n 1 | sed "s/^/$name /"
done
for name in $("$PSBENCH" list | awk 'NR > 1 { print $1 }'); do
    grep -qF "$("$PSBENCH" cite "$name" | head -n 1)" all.bib || echo "$name: nothing to cite"
done
# Each entry's braces are in pairs, and each line but the first and last is a field.
awk '{ open += gsub(/{/, "{"); open -= gsub(/}/, "}") } /^}/ && open != 0 { print "braces:", $0 }
    !/^(@[a-z]+{[a-z0-9]+,|  [a-z]+ = {.*},|}|)$/ { print "not BibTeX:", $0 }' all.bib
"$PSBENCH" cite SHD XX
echo $?
