# A model that is not in the set against a run: in any format, the nearest are those of the run's own
# matrix where it is one of its models; pages, and what is refused.
. "$(dirname "${BASH_SOURCE[0]}")/../support/few.sh"
"$PSBENCH" synth -q bench >/dev/null
few 3 bench/classification/v1/base/test.cla
"$PSBENCH" run -q --no-times -d SHD,LFD --cla bench/classification/v1/base/test.cla --models bench/db -o run >/dev/null
id=$(grep -m 1 -xE '[0-9]+' run/models.cla)
off=bench/db/$((id / 100))/m$id/m$id.off
"$PSBENCH" convert "$off" other.obj

for pair in SHD,l2 LFD,lfd; do
    descriptor=${pair%,*}
    "$PSBENCH" query -d $descriptor -k 5 run "$off" >list
    head -n 1 list
    awk -F'\t' -v id="$id" 'NR == 2 { print ($2 == id && $4 == 0) ? "itself comes first" : $0 }' list
    # The rest is its ranked list.
    "$PSBENCH" search -q --queries run/features/$descriptor.npy --database run/features/$descriptor.npy \
        --metric "${pair#*,}" -k 4 -o lists
    awk -F'\t' -v id="$id" '$1 == id { print $3 }' lists >search
    tail -n +3 list | cut -f 2 | cmp - search && echo "$descriptor: the nearest are those of search"
done
"$PSBENCH" query -d SHD -k 5 run other.obj | cut -f 2 | sed -n 2p | sed "s/^$id\$/an OBJ of it finds it/"
"$PSBENCH" query -d SHD -k 3 -o page.html run other.obj >/dev/null
grep -c '<li class="model">' page.html
grep -o 'Nearest by SHD: 3 of [0-9]* models' page.html
grep -c 'src="[^d]' page.html
"$PSBENCH" query -d GEDT run other.obj
"$PSBENCH" query run
"$PSBENCH" query run missing.obj
"$PSBENCH" query -o list run other.obj; echo mine >list.html; "$PSBENCH" query -o list.html run other.obj
rm run/features/SHD.npy
"$PSBENCH" query -d SHD run other.obj
echo "exit code $?"

# Others' distances beside the run's own: the same figures as eval's; one that is not of its models.
"$PSBENCH" run -q --no-times -d D2 --cla bench/classification/v1/base/test.cla --models bench/db -o two >/dev/null
cp run/matrices/LFD.matrix mine.matrix
"$PSBENCH" report -q --thumbnails none run --with mine.matrix two -o pages
sed -nE 's|^<tr><th scope="row"><a href="[^"]*">([^<]*)</a>( <span class="chip">given</span>)?</th><td[^>]*>([0-9.]*)</td>.*|\1 \3|p' pages/index.html | head -n 4
"$PSBENCH" eval run LFD | awk 'NR == 3' 
cp mine.matrix index.matrix
"$PSBENCH" report -q --thumbnails none run --with index.matrix -o pages
grep -c '<title>Overview' pages/index.html
head -c 400 mine.matrix >short.matrix
"$PSBENCH" report -q --thumbnails none run --with short.matrix -o pages
echo "exit code $?"
"$PSBENCH" report -q --thumbnails none run two
