#!/bin/sh
# A census by processes on this machine, and by ssh, where ssh is a stand-in that runs the command
# here and loses some connections.
#   sh tests/queues/processes.sh MISERE
stop_queue() { signal KILL submit; signal KILL chunk; }
. "$(dirname "$0")/common.sh"

for to in local ssh; do
    hosts=
    if [ "$to" = ssh ]; then
        mkdir "$LAB/bin"
        cat >"$LAB/bin/ssh" <<'END'
#!/bin/sh
# ssh … -- HOST COMMAND: the host `dead` cannot be reached.
while [ "$1" != -- ]; do shift; done
[ "$2" = dead ] && { echo "ssh: connect to host dead: No route to host" >&2; exit 255; }
exec sh -c "$3"
END
        chmod 755 "$LAB/bin/ssh"
        PATH=$LAB/bin:$PATH
        hosts="--hosts one,dead,two"
    fi
    say "$to: the command is killed, and its processes go on"
    # shellcheck disable=SC2086
    start "submit-$to.log" submit $to --parts 6 $hosts
    await "results" results 4000
    signal KILL submit
    say "a job is killed; a part is cut short and one is damaged in its header"
    signal KILL chunk
    sleep 1
    cut_short "$LAB/census/submit/parts/part-0"
    printf 'X' | dd of="$LAB/census/submit/parts/part-5" bs=1 seek=20 conv=notrunc status=none
    # What is damaged is told by the exit code.
    # shellcheck disable=SC2086
    submit $to $hosts >"$LAB/summary" 2>"$LAB/submit-$to-2.log" || [ $? -eq 5 ]
    grep -q "computed again" "$LAB/submit-$to-2.log"
    same_digest "$LAB/census"
    mv "$LAB/census" "$LAB/census-$to"
done
