#!/bin/sh
# Checks that the topology of compose.yaml works, machine by machine, without a container engine.
#
# A coordinator, two workers and two checkers run in separate network namespaces, joined by a bridge.
# A small census runs over it; one worker is disconnected in the middle and connected again, and one
# checker is killed; the result must be the same as on one machine, and every other process must end
# by itself. Needs root (ip netns).
#
# Usage: check-topology.sh PATH-OF-MISERE
set -eu

misere=${1:?usage: check-topology.sh PATH-OF-MISERE}
plan="--digits 3 --fuel 300k"
lease=3
. "$(dirname "$0")/namespaces.sh"
hosts c a b d e

# Certificates, as an operator makes them ---------------------------------------------------------------------------------

"$misere" coordinator certs --dir "$work/certs" --role coordinator --host 10.77.0.1 >/dev/null
"$misere" coordinator certs --dir "$work/certs" --worker a --worker b >/dev/null
for host in d e; do "$misere" coordinator certs --dir "$work/certs" --name $host --role checker >/dev/null; done
shown() { echo "--ca $work/certs/ca.pem --cert $work/certs/$1.pem --key $work/certs/$1.key"; }

# The same census on one machine, and on five -------------------------------------------------------------------------------

"$misere" census run --data "$work/one" $plan >/dev/null 2>&1

on() {
    host=$1
    shift
    RUST_LOG=misere=info,misere_coordinator=info,misere_worker=debug ip netns exec "$net$host" "$misere" "$@"
}

on c coordinator --data "$work/five" --listen 10.77.0.1:7117 --lease ${lease}s $plan $(shown coordinator) \
    >"$work/coordinator.log" 2>&1 &
coordinator=$!
pids=$coordinator
soon 20 "the coordinator listens" ip netns exec "${net}c" "$misere" health tcp://10.77.0.1:7117
for host in d e; do
    on "$host" worker --check --coordinator https://10.77.0.1:7117 --name "$host" --slots 1 \
        --sign-of-life "$work/alive-$host" $(shown "$host") >"$work/checker-$host.log" 2>&1 &
    pids="$pids $!"
    eval "checker_$host=$!"
done
soon 20 "both checkers live" "$misere" health "$work/alive-d" "$work/alive-e"
for host in a b; do
    on "$host" worker --coordinator https://10.77.0.1:7117 --name "$host" --slots 1 --isolate always \
        --sign-of-life "$work/alive-$host" $(shown "$host") >"$work/worker-$host.log" 2>&1 &
    pids="$pids $!"
    eval "worker_$host=$!"
done
soon 20 "both workers live" "$misere" health "$work/alive-a" "$work/alive-b"
ip netns exec "${net}a" "$misere" health tcp://10.77.0.1:7117
listening=$(ip netns exec "${net}c" awk '$4 == "0A"' /proc/net/tcp /proc/net/tcp6 | wc -l)
[ "$listening" -eq 1 ] || fail "the coordinator listens on $listening ports"

# One checker is killed; one worker is disconnected for longer than its leases, and comes back -------------------------------------------------------

sleep 1
ended "$coordinator" && fail "the census ended before a worker could be disconnected"
kill -9 "$checker_d"
ip -n "${net}hub" link set dev a down
sleep $((3 * lease))
ip netns exec "${net}a" "$misere" health tcp://10.77.0.1:7117 2>/dev/null && fail "the link is down, and a reaches the coordinator"
ended "$coordinator" && fail "the census ended before the worker came back"
ip -n "${net}hub" link set dev a up

soon 300 "the coordinator ends" ended "$coordinator"
wait "$coordinator" || fail "the coordinator ended with $?"
for host in a b; do
    eval "worker=\$worker_$host"
    soon 30 "worker $host ends" ended "$worker"
    wait "$worker" || fail "worker $host ended with $?"
done
soon 30 "checker e ends" ended "$checker_e"
wait "$checker_e" || fail "checker e ended with $?"
grep -q "certificates that checkers have checked" "$work/coordinator.log" || fail "the checkers checked nothing"
grep -q "show one certificate" "$work/coordinator.log" && fail "each worker has its own certificate, and the log says otherwise"
grep -q "the coordinator is away" "$work/worker-a.log" || fail "worker a never noticed that it was cut off"

one=$("$misere" census digest --data "$work/one")
five=$("$misere" census digest --data "$work/five")
[ "$one" = "$five" ] || fail "the census on one machine is $one, on five it is $five"
echo "topology: one checker killed, one worker cut off for $((3 * lease)) s; the census is that of one machine: $one"
