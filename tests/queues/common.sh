# Shared parts of the tests of the queues: a folder, the live digest, a run that is killed, the end.
# Each test is a script of its own: sh tests/queues/slurm.sh MISERE
# A great census: PLAN="--digits 3" EXPECTED=DIGEST KEEP=yes PATIENCE=3600 sh tests/queues/slurm.sh MISERE
#   PLAN      the plan of the first census, the one that is disturbed most
#   EXPECTED  its digest, if it is known; otherwise the census is first computed live
#   KEEP      the folder stays, with the census
#   PATIENCE  the seconds to wait for each thing that has to happen, for jobs that take long
set -eu
MISERE=$(realpath "$1")
LAB=$(mktemp -d)
chmod 755 "$LAB"
# Some ten seconds of one core: small enough for minutes, large enough to be killed in the middle.
PLAN=${PLAN:---digits 2 --fuel 300k}
PIDS=

# Ends what the test started, however the test ends.
finish() {
    status=$?
    set +e
    stop_queue
    for command in "census submit" coordinator worker "census chunk"; do signal KILL "$command"; done
    for pid in $PIDS; do kill "$pid" 2>/dev/null; done
    sleep 1
    for pid in $PIDS; do kill -9 "$pid" 2>/dev/null; done
    if [ "$status" -eq 0 ] && [ -z "${KEEP:-}" ]; then
        rm -rf "$LAB"
    elif [ "$status" -eq 0 ]; then
        say "kept: $LAB"
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
    tries=$((2 * ${PATIENCE:-120}))
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

# Prints the digest that every way has to come to.
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

# Succeeds when parts hold results.
results() { [ "$(cat "$LAB"/census/submit/parts/part-* | wc -c)" -gt "$1" ]; }

# Succeeds when the census has more results than the argument.
records() {
    "$MISERE" census status --data "$LAB/census" --json \
        | tr ',{' '\n\n' | sed -n 's/^"\(done\|exhausted\)"://p' | awk -v least="$1" '{ sum += $1 } END { exit !(sum > least) }'
}

# Lists the processes of this test, and of no other, that run this command of the program.
processes() { pgrep -f "^$MISERE $1 .*$LAB/"; }

# Signals the processes of a command.
signal() {
    for pid in $(processes "$2"); do kill "-$1" "$pid" 2>/dev/null || true; done
}

# Succeeds when no process of this test has this command.
gone() { ! processes "$1"; }

# Cuts the file of a part short, within a frame. No job may write to it: a write after the cut would
# turn the cut into a damaged place.
cut_short() {
    size=$(wc -c <"$1")
    truncate -s $((size - 7)) "$1"
}

two_workers() { [ "$(processes worker | wc -l)" -ge 2 ]; }

# Runs a census by a coordinator and workers of the queue. A worker is killed, then the
# command, and then the coordinator with another worker. The machine has room for two of the three
# workers, so one waits in the queue. The arguments are those of the command.
coordinated() {
    say "$1: a coordinator on this machine, and workers as jobs"
    PLAN=$COORDINATED
    mv "$LAB/census" "$LAB/census-parts-$1"
    rm -rf "$LAB/live"
    LIVE=$(live)
    start "coordinated-$1-1.log" submit "$@" --mode coordinator --parts 3
    await "two workers" two_workers
    await "results of workers" records 5
    say "a worker is killed, and the command submits another one"
    processes worker | head -n 1 | xargs -r kill -9
    await "the next worker" grep -q "submitted: array 2 with 1 job" "$LAB/coordinated-$1-1.log"
    say "the command is killed; the coordinator goes on, and the same command waits for it"
    signal KILL "census submit"
    await "the end of the command" gone "census submit"
    processes coordinator >/dev/null || { echo "the coordinator has ended, too" >&2; exit 1; }
    start "coordinated-$1-2.log" submit "$@" --mode coordinator
    again=$started
    sleep 1
    say "the coordinator and a worker are killed, and the command starts them again"
    signal KILL coordinator
    processes worker | tail -n 1 | xargs -r kill -9
    await "the next coordinator" grep -q "^started: a coordinator at" "$LAB/coordinated-$1-2.log"
    wait "$again"
    same_digest "$LAB/census"
    say "$(grep -c '"number"' "$LAB/census/submit/jobs.json") arrays of workers were submitted"
}

# Runs the census of `coordinated` by jobs that check their own parts and seal them. A job is killed, and then the command.
# The arguments are those of the command.
sealed() {
    say "$1: jobs check their parts and seal them"
    mv "$LAB/census" "$LAB/census-coordinated-$1"
    start "sealed-$1-1.log" submit "$@" --mode sealed --parts 3
    await "results" results 4000
    say "a job is killed, and the command, and it is given again"
    processes "census chunk" | head -n 1 | xargs -r kill -9
    signal KILL "census submit"
    await "the end of the command" gone "census submit"
    submit "$@" --mode sealed >"$LAB/summary" 2>"$LAB/sealed-$1-2.log"
    same_digest "$LAB/census"
    parts=$(find "$LAB/census/submit/parts" -name 'sealed-*' | wc -l)
    [ "$parts" -eq 3 ] || { echo "$parts of 3 parts are sealed" >&2; exit 1; }
}
# Half a minute for two workers, so that the end does not come before a killed process is missed.
COORDINATED=${COORDINATED:---digits 3 --fuel 400k}

# Measures what a job costs beside its games: undisturbed jobs of games that take next to nothing.
overhead() {
    jobs=$1
    shift
    PLAN="--digits 2 --fuel 1k"
    rm -rf "$LAB/live"
    begin=$(date +%s%N)
    LIVE=$(live)
    alone=$(date +%s%N)
    rm -rf "$LAB/census"
    submit "$@" --parts "$jobs" >"$LAB/summary" 2>"$LAB/overhead.log"
    end=$(date +%s%N)
    same_digest "$LAB/census"
    say "$1: $jobs jobs in $(((end - alone) / 1000000)) ms, the same census in one process $(((alone - begin) / 1000000)) ms:" \
        "$(((end - alone - alone + begin) / 1000000 / jobs)) ms a job"
}

LIVE=${EXPECTED:-$(live)}
