# What the tests of the queues share: a folder, the live digest, a run that is killed, the end.
# Each test is a script of its own: sh tests/queues/slurm.sh MISERE
set -eu
MISERE=$(realpath "$1")
LAB=$(mktemp -d)
chmod 755 "$LAB"
# Small enough for minutes, large enough to be killed in the middle.
PLAN=${PLAN:---digits 2 --fuel 30k}
PIDS=

# Ends what the test started, however the test ends.
finish() {
    status=$?
    set +e
    stop_queue
    for pid in $PIDS; do kill "$pid" 2>/dev/null; done
    sleep 1
    for pid in $PIDS; do kill -9 "$pid" 2>/dev/null; done
    if [ "$status" -eq 0 ]; then
        rm -rf "$LAB"
    else
        echo "FAILED; what there is: $LAB" >&2
        tail -n 5 "$LAB"/*.log "$LAB"/census*/submit/logs/* 2>/dev/null | tail -n 60 >&2
    fi
    exit "$status"
}
trap finish EXIT
trap 'exit 130' INT TERM

say() { echo "-- $*"; }

# Starts a command in the background, to be ended with the test; its number is then in $started.
start() {
    log=$1
    shift
    "$@" >"$LAB/$log" 2>&1 </dev/null &
    started=$!
    PIDS="$PIDS $started"
}

# Waits until a command succeeds.
await() {
    what=$1
    tries=240
    shift
    until "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || { echo "waited in vain for $what" >&2; exit 1; }
        sleep 0.5
    done
}

# Submits the census; further arguments are options.
submit() {
    to=$1
    shift
    # shellcheck disable=SC2086
    "$MISERE" census submit --to "$to" --data "$LAB/census" $PLAN --poll 500ms "$@"
}

# The digest that every way has to come to.
live() {
    # shellcheck disable=SC2086
    "$MISERE" census run --data "$LAB/live" $PLAN >/dev/null
    "$MISERE" census digest --data "$LAB/live"
}

same_digest() {
    here=$("$MISERE" census digest --data "$1")
    [ "$here" = "$LIVE" ] || { echo "digest $here, but live $LIVE" >&2; exit 1; }
    say "the digest is that of the live census: $LIVE"
}

# Waits until parts hold results.
results() { [ "$(cat "$LAB"/census/submit/parts/part-* | wc -c)" -gt "$1" ]; }

# Signals the processes of this test, and of no other, whose command line has this text.
signal() {
    for pid in $(pgrep -f "misere census $2 .*$LAB/"); do kill "-$1" "$pid" 2>/dev/null || true; done
}

# Whether no process of this test has this command.
gone() { ! pgrep -f "^$MISERE census $1 .*$LAB/"; }

# Cuts the file of a part short, within a frame.
cut_short() {
    size=$(wc -c <"$1")
    truncate -s $((size - 7)) "$1"
}

LIVE=$(live)
