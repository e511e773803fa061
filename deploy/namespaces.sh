# Hosts in network namespaces, joined by a bridge, for scripts that read this file with `.`. Needs root (ip netns).
#
# `hosts c a b` makes the hosts c, a and b with the addresses 10.77.0.1, 10.77.0.2, and so on. The names of namespaces begin
# with $net. Processes whose numbers are in $pids, the namespaces and the directory $work vanish with the script, however it
# ends; if it fails, it prints the ends of the logs in $work first.

net=mis$$
work=$(mktemp -d)
pids=
made=

clean_up() {
    status=$?
    trap - EXIT INT TERM HUP
    for pid in $pids; do kill -9 "$pid" 2>/dev/null || true; done
    wait 2>/dev/null || true
    for name in $made; do ip netns del "$net$name" 2>/dev/null || true; done
    if [ "$status" -ne 0 ]; then
        for log in "$work"/*.log; do
            [ -s "$log" ] && echo "--- $(basename "$log")" && tail -n 15 "$log"
        done >&2
    fi
    rm -rf "$work"
    exit "$status"
}
trap clean_up EXIT
trap 'exit 130' INT TERM HUP

fail() {
    echo "error: $1" >&2
    exit 1
}

# Waits until a command succeeds, for at most the given number of seconds.
soon() {
    patience=$1 what=$2
    shift 2
    until "$@" 2>/dev/null; do
        patience=$((patience - 1))
        [ "$patience" -gt 0 ] || fail "not soon: $what"
        sleep 1
    done
}

ended() { ! kill -0 "$1" 2>/dev/null; }

hosts() {
    ip netns add "${net}hub" || fail "no network namespaces here: run it as root"
    made=hub
    ip -n "${net}hub" link add bridge type bridge
    ip -n "${net}hub" link set dev bridge up
    number=0
    for host in "$@"; do
        number=$((number + 1))
        ip netns add "$net$host"
        made="$made $host"
        ip -n "$net$host" link set dev lo up
        ip -n "$net$host" link add eth0 type veth peer name "$host" netns "${net}hub"
        ip -n "$net$host" addr add "10.77.0.$number/24" dev eth0
        ip -n "$net$host" link set dev eth0 up
        ip -n "${net}hub" link set dev "$host" master bridge up
    done
}
