#!/bin/sh
# A census by processes on this machine, which are killed, in parts and by a coordinator.
#   sh tests/queues/processes.sh MISERE
stop_queue() { :; }
. "$(dirname "$0")/common.sh"

say "the command is killed, and its processes go on"
start submit-1.log submit local --parts 6
await "results" results 4000
signal KILL "census submit"
say "a job is killed; a part is cut short and one is damaged in its header"
signal KILL "census chunk"
sleep 1
cut_short "$LAB/census/submit/parts/part-0"
printf 'X' | dd of="$LAB/census/submit/parts/part-5" bs=1 seek=20 conv=notrunc status=none
# The exit code reports damage.
submit local >"$LAB/summary" 2>"$LAB/submit-2.log" || [ $? -eq 5 ]
grep -q "computed again" "$LAB/submit-2.log"
same_digest "$LAB/census"

coordinated local
sealed local
overhead 20 local
