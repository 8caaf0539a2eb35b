# A part that was killed, that got SIGTERM or was never begun costs time, never the run.
. "$(dirname "$0")/../support/parts.sh"
preload fault
begin

echo '== one killed, one that gets SIGTERM, one never begun'
faulty_part kill lost 0/4
faulty_part term lost 1/4
run lost -q --part 2/4
run lost --complete
run lost
same lost

echo '== killed, and begun again'
faulty_part kill again 0/4
parts again 4
run again --complete
same again
