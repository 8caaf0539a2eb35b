# A model of which a descriptor sees nothing cannot be used: its row would be all zeros, and two such
# models at distance 0. A face without area, however far away, is no reason for that.
mkdir db
for i in 1 2 3; do
    printf 'OFF\n6 2 0\n0 0 0\n1 0 0\n0 1 0\n%d0000000 1 1\n%d0000000 2 1\n%d0000000 2 2\n3 0 1 2\n3 3 4 5\n' \
        $i $i $i >db/$i.off
done
cube='0 0 0\n1 0 0\n0 1 0\n0 0 1\n'
printf "OFF\n4 3 0\n${cube}3 0 1 2\n3 0 1 3\n3 1 2 3\n" >db/4.off
printf "OFF\n5 4 0\n${cube}1e6 2e6 0\n3 0 1 2\n3 0 1 3\n3 1 2 3\n3 0 4 4\n" >db/5.off
for i in 6 7; do
    cp db/4.off db/$i.off
done
printf 'PSB 1\n1 7\na 0 7\n1\n2\n3\n4\n5\n6\n7\n' >c.cla
"$PSBENCH" run -q -t 1 --no-times -d LFD,SHELLS --cla c.cla --models db -o run
echo "exit code $?"
cat run/failures.tsv run/features/SHELLS.npy.ids
"$PSBENCH" describe -d LFD -o rows.npy db/1.off db/4.off
echo "exit code $?"
cat rows.npy.ids
"$PSBENCH" describe -d LFD db/4.off | cut -f 2- >4.txt
"$PSBENCH" describe -d LFD db/5.off | cut -f 2- | cmp - 4.txt
