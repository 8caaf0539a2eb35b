# What goes wrong in a run: each mistake is named before work starts; a bad model among good ones is
# named, left out and told by the exit code.
# Of a file in the place of the models' folder a build without libarchive says something else.
no_archive='good.cla: not a folder of models, and this psbench was built without libarchive, which reads archives'
archive='good.cla: neither a folder of models nor an archive (tar, tar.gz, tar.xz, tar.zst or zip)'
"$PSBENCH" version | grep -q 'archives *none' || no_archive=$archive
try() {
    "$PSBENCH" run -q --no-times -d "${list-SHELLS}" -o "${folder-out}" "$@" >table.txt 2>err
    echo "exit code $?"
    # The lists of what there is instead grow with every descriptor; failed models are named as they
    # come, by threads side by side.
    sed -E "s/(there are|it has):? .*/\\1 .../; s/: $no_archive\$/: $archive/" err | sort >&2
    rm err
}
"$PSBENCH" synth -q models
mkdir db
for id in 0 31 62 1 32 63; do
    cp "models/db/0/m$id/m$id.off" "db/m$id.off"
done
printf 'PSB 1\n2 6\nchair 0 3\n0\n31\n62\nstool 0 3\n1\n32\n63\n' >good.cla
printf 'PSB 1\n2 8\nchair 0 4\n0\n31\n777\n62\nstool 0 4\n1\n32\n63\n778\n' >missing.cla
printf 'PSB 1\n1 1\nchair 0 1\n777\n' >all_missing.cla
printf 'PSB 1\n2 8\nchair 0 3\n0\n31\n62\n' >damaged.cla

echo '== arguments'
try
try --cla good.cla
try --cla good.cla --models db stray
try --cla good.cla --models db -t 8x
try --cla good.cla --models db -t -1
for list in nonesuch '' 'SHD,' SHD,SHD GEDT:nonesuch=1 GEDT:width=0 GEDT:width=two GEDT:width \
    SHD:form=nonesuch; do
    try --cla good.cla --models db
done
unset list
try --cla good.cla --models db -d SHD
ls

echo '== files'
try --cla absent.cla --models db
try --cla damaged.cla --models db
try --cla db --models db
try --cla good.cla --models absent
try --cla good.cla --models good.cla
try --cla missing.cla --models db
try --cla all_missing.cla --models db --skip-missing
ls

echo '== output'
for folder in good.cla missing.cla missing.cla/below '' models db . ; do
    try --cla good.cla --models db
done
unset folder

echo '== models left out'
try --cla missing.cla --models db --skip-missing
tr '\n' ' ' <table.txt | grep -o '[0-9]* of [0-9]* models used, [0-9]* queries'
cmp <(grep . out/models.cla) good.cla && echo "models.cla has the others"
cp -r out without_missing
echo 'OFF 3 1 0 0 0 0 1 0 0 0 1 0 3 0 1 7' >db/m31.off
cp data/info/no_area.off db/m32.off
try --cla missing.cla --models db --skip-missing -t 2
tr '\n' ' ' <table.txt | grep -o '[0-9]* of [0-9]* models used, [0-9]* queries'
sed 1,2d out/models.cla
folder=good try --cla good.cla --models db
for id in 0 62 1 63; do
    echo >"db/m$id.off"
done
folder=good try --cla good.cla --models db

echo '== no class with enough models'
printf 'PSB 1\n2 4\nchair 0 2\n64\n31\nstool 0 2\n32\n94\n' >pairs.cla
cp models/db/0/m{31,32,64,94}/*.off db
"$PSBENCH" run --no-times -d SHELLS -o pairs --cla pairs.cla --models db 2>err >table.txt
echo "exit code $?"
grep warning err
sed -n '/SHELLS *$/p' table.txt
cut -f 1,5- pairs/table.tsv

echo '== long names of folders'
long=$(printf '%0200d/%0200d/%0200d' 7 8 9)
mkdir -p "$long"
cp models/db/0/m{0,31,62,1,32,63}/*.off "$long"
echo 'OFF 3 1 0 0 0 0 1 0 0 0 1 0 3 0 1 7' >"$long/m31.off"
: >"$long/m32.off"
"$PSBENCH" run -q --no-times -d SHELLS -o long --cla good.cla --models "$long" 2>&1 >table.txt | sort
awk -F '\t' '{ print $1, length($2), $3, $4 }' long/failures.tsv
