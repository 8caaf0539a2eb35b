# The report's files, and what is said about runs that are none.
printf 'OFF\n4 4 0\n0 0 0\n1 0 0\n0 2 0\n0 0 9\n3 0 1 2\n3 0 1 3\n3 0 2 3\n3 1 2 3\n' >x.off
mkdir models
for i in 0 1 2 3; do cp x.off "models/$i.off"; done
printf 'PSB 1\n2 4\n<i>a 0 3\n0\n1\n2\n-1 0 1\n3\n' >set.cla
"$PSBENCH" run -q -d D2 --cla set.cla --models models -o run >/dev/null
"$PSBENCH" report run
echo "exit code $?"
(cd run/report && find . -type f | LC_ALL=C sort)
grep -c '<i>' run/report/*.html run/report/data/models.js
touch run/report/thumbnails/.psbench.tmpabcdef run/report/0.tmp # of a killed report, and not
"$PSBENCH" report -q run
(cd run/report && find . -name '*.tmp*')
rm models/1.off
echo "not really a JPEG" >models/0_thumb.jpg
"$PSBENCH" report -q --thumbnails found -o elsewhere run
ls elsewhere/thumbnails
"$PSBENCH" report -q --thumbnails none -o without run
ls without/thumbnails
echo "models that are not the run's"
mkdir other
for i in 0 1 2 3; do sed 's/9/8/' x.off >"other/$i.off"; done
"$PSBENCH" report -q -t 1 --models other -o of_others run
echo "exit code $?"
ls of_others/index.html
"$PSBENCH" report -q --thumbnails none --models other -o of_others run
echo "exit code $?"
echo "one model changed: the pages go, and of the pictures one sheet is drawn again"
"$PSBENCH" synth -q set
again() { "$PSBENCH" run -q --no-times -d SHELLS --cla set/classification/v1/base/test.cla --models set/db -o kept >/dev/null; }
again && "$PSBENCH" report -q kept
touch -d '2 hours ago' kept/maps/SHELLS.npy
"$PSBENCH" report -q kept
find kept/maps -mmin +60
cp -r kept streamed
"$PSBENCH" run -q --no-times -d SHELLS --cla set/classification/v1/base/test.cla --models set/db --matrices no -o streamed >/dev/null
for run in kept streamed; do # nothing changed: nothing but the lock is written
    "$PSBENCH" report -q $run
    find $run/report -type f -exec touch -d '2 hours ago' {} +
    "$PSBENCH" report -q $run
    find $run/report -type f -mmin -60
done
id=$(sed -n '/^[0-9][0-9]*$/p' kept/models.cla | sed -n 100p)
sed '3s/.*/5 5 5/' "set/db/$((id / 100))/m$id/m$id.off" >new.off
mv new.off "set/db/$((id / 100))/m$id/m$id.off"
again
find kept/report -type f | sed 's/-[0-9a-f]*-[pj-]*.png/.png/; s/solids.*/solids/' | sort | uniq -c | sed 's/^ *//'
"$PSBENCH" report -q kept
find kept/report/thumbnails -mmin -60 | sed 's/-[0-9a-f]*-[pj-]*.png/.png/' | sort
"$PSBENCH" run -q --no-times -d SHELLS --cla set.cla --models other --replace -o kept >/dev/null
find kept/report -type f

echo "one model to a class"
printf 'PSB 1\n2 2\na 0 1\n0\nb 0 1\n2\n' >single.cla
"$PSBENCH" run -q -d D2 --cla single.cla --models models -o single >/dev/null
"$PSBENCH" report -q single
echo "exit code $?"
grep -c 'nan' single/report/*.html

echo "a model that could not be read"
echo nonsense >models/9.off
printf 'PSB 1\n1 3\na 0 3\n0\n2\n9\n' >failed.cla
"$PSBENCH" run -q -d D2 --cla failed.cla --models models -o failed >/dev/null
"$PSBENCH" report -q failed
grep -o 'on [0-9]* of [0-9]* models' failed/report/index.html

echo "what cannot be"
"$PSBENCH" report nowhere
echo "exit code $?"
"$PSBENCH" report -q --models nowhere run
echo "exit code $?"
sed 's/"D2"/"..\/D2"/' run/run.json >run/new.json && mv run/new.json run/run.json
"$PSBENCH" report run
echo "exit code $?"
echo '[' >run/run.json
"$PSBENCH" report run
echo "exit code $?"
"$PSBENCH" report --thumbnails some run
echo "exit code $?"
