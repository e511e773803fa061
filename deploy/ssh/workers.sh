#!/bin/sh
# Workers of a census on other machines, by ssh, one for each host:
#
#     misere coordinator certs --dir certs --count 3
#     MISERE_COORDINATOR=https://census.lab.example:7117 sh deploy/ssh/workers.sh lab1 lab2 lab3
#
# The machines need the program, and the folder of the certificates under the same path. The script waits for all workers; a signal
# to the script goes to the workers, which give back what they hold.
set -u

MISERE_COORDINATOR=${MISERE_COORDINATOR:?say where the coordinator listens, as https://census.lab.example:7117}
# The directory of ca.pem, worker-N.pem and worker-N.key.
MISERE_CERTS=${MISERE_CERTS:-$HOME/certs}

number=0 workers=''
for host in "$@"; do
    number=$((number + 1))
    # With a terminal of its own (-tt) the worker hears when the connection ends.
    ssh -tt -o BatchMode=yes -o ServerAliveInterval=15 -- "$host" \
        exec misere worker --coordinator "$MISERE_COORDINATOR" --name "$host" --grace 60s \
        --ca "$MISERE_CERTS/ca.pem" --cert "$MISERE_CERTS/worker-$number.pem" --key "$MISERE_CERTS/worker-$number.key" </dev/null &
    workers="$workers $!"
done
# Each of the numbers is a word.
# shellcheck disable=SC2064,SC2086
trap "kill -TERM $workers 2>/dev/null" INT TERM
code=0
for worker in $workers; do
    while kill -0 "$worker" 2>/dev/null; do wait "$worker"; done
    wait "$worker" || code=1
done
exit "$code"
