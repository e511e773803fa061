#!/bin/sh
# A month of a census in some minutes: four owners, two of whom lie, and everything that happens to machines.
#
# A coordinator, two checkers and 20 workers of four owners run in network namespaces; all workers of two owners lie. On the
# way workers and a checker are killed, the coordinator is killed and its disk lost, a backup restored, the certificate of a
# worker expires and is renewed, and all programs of the honest are replaced by a newer one. When a worker of each false owner
# has been caught, the operator bans all of them. The census must have the digest of one that one machine made, no honest worker
# may be caught, and the alerts of deploy/monitoring that should ring must ring. The panels of the dashboard are drawn from what
# Prometheus has seen, in PICTURES.
#
# Usage: month.sh PATH-OF-MISERE PATH-OF-LYING-WORKER PICTURES [PATH-OF-AN-OLDER-MISERE]
# Needs root, prometheus, openssl, curl and a Python with matplotlib (PYTHON).
set -eu

misere=${1:?usage: month.sh MISERE LYING-WORKER PICTURES [OLDER-MISERE]}
liar=$2
pictures=$3
older=${4:-$misere}
PYTHON=${PYTHON:-python3}
here=$(dirname "$0")
plan="--digits 3 --fuel 1M"
. "$here/../../deploy/namespaces.sh"
# The coordinator, two checkers, and the four owners of five workers each: p and q are honest.
hosts c k l p q r s
began=$(date +%s)
say() { echo "$(($(date +%s) - began)) s: $1"; }

# The same census on one machine ----------------------------------------------------------------------------------------------

"$misere" census run --data "$work/one" $plan >/dev/null 2>&1
one=$("$misere" census digest --data "$work/one")
say "one machine has finished: $one"

# Certificates. That of the coordinator is valid for ten days, which must ring; that of worker p1 for 20 seconds. ----------------------------

certs() { "$misere" coordinator certs --dir "$work/certs" "$@" >/dev/null; }
certs --role coordinator --host 10.77.0.1 --days 10
certs --name k --role checker
certs --name l --role checker
certs --name operator --role operator
for owner in p q r s; do
    for number in 1 2 3 4 5; do certs --worker $owner$number; done
done
shown() { echo "--ca $work/certs/ca.pem --cert $work/certs/$1.pem --key $work/certs/$1.key"; }

touch "$work/index"
cat >"$work/openssl.cnf" <<'END'
[ca]
default_ca = own
[own]
database = $ENV::DATABASE
new_certs_dir = $ENV::MADE
rand_serial = yes
default_md = sha256
policy = any
[any]
organizationName = optional
commonName = optional
[worker]
subjectAltName = URI:misere://name/p1, URI:misere://role/worker
extendedKeyUsage = clientAuth
END
mv "$work/certs/p1.pem" "$work/certs/p1-of-a-year.pem"
openssl req -new -key "$work/certs/p1.key" -subj /CN=p1 -out "$work/p1.csr" 2>/dev/null
MADE="$work" DATABASE="$work/index" openssl ca -batch -notext -config "$work/openssl.cnf" -extensions worker -cert "$work/certs/ca.pem" \
    -keyfile "$work/certs/ca.key" -in "$work/p1.csr" -out "$work/certs/p1.pem" \
    -startdate "$(date -u -d '-1 hour' +%y%m%d%H%M%SZ)" -enddate "$(date -u -d '+20 sec' +%y%m%d%H%M%SZ)" 2>"$work/openssl.log"

# Prometheus, beside the coordinator, with the alerts as they are shipped, but for the time for which they wait. ------------------------

sed 's/for: [0-9]*[mhd]/for: 3s/' "$here/../../deploy/monitoring/alerts.yaml" >"$work/alerts.yaml"
cat >"$work/prometheus.yaml" <<END
global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [$work/alerts.yaml]
scrape_configs:
  - job_name: misere
    static_configs: [{ targets: ['127.0.0.1:8117'] }]
END
ip netns exec "${net}c" prometheus --config.file="$work/prometheus.yaml" --storage.tsdb.path="$work/prometheus" \
    --web.listen-address=127.0.0.1:9090 >"$work/prometheus.log" 2>&1 &
prometheus=$!
pids=$prometheus
asked() { ip netns exec "${net}c" curl -sf --get "http://127.0.0.1:9090/api/v1/$1" --data-urlencode "query=$2"; }

# The month -------------------------------------------------------------------------------------------------------------------

cp "$older" "$work/misere"
url=https://10.77.0.1:7117
coordinator() {
    RUST_LOG=misere=info,misere_coordinator=info ip netns exec "${net}c" "$work/misere" coordinator --data "$work/month" \
        --listen 10.77.0.1:7117 --http 127.0.0.1:8117 --lease 3s --keep-serving $plan $(shown coordinator) \
        >>"$work/coordinator.log" 2>&1 &
    coordinator=$!
    pids="$pids $coordinator"
    soon 20 "the coordinator listens" ip netns exec "${net}c" "$work/misere" health tcp://10.77.0.1:7117
}
checker() {
    ip netns exec "$net$1" "$work/misere" worker --check --coordinator $url --slots 1 $(shown "$1") >>"$work/checker-$1.log" 2>&1 &
    eval "process_$1=$!"
    pids="$pids $!"
}
worker() {
    ip netns exec "$net${1%?}" "$work/misere" worker --coordinator $url --slots 1 $(shown "$1") >>"$work/worker-$1.log" 2>&1 &
    eval "process_$1=$!"
    pids="$pids $!"
}
false_worker() {
    ip netns exec "$net${1%?}" "$liar" "$2" $url "$work/certs/ca.pem" "$work/certs/$1.pem" "$work/certs/$1.key" \
        >>"$work/worker-$1.log" 2>&1 &
    pids="$pids $!"
}
# The value of a Python expression about the status of a census.
field() {
    "$misere" census status --json --data "$1" | $PYTHON -c "import json, sys; status = json.load(sys.stdin); print($2)"
}
is_so() { [ "$(field "$work/month" "$1")" = True ]; }
is_done() { is_so "status['done'] + status['exhausted'] >= $1"; }
killed() { eval "kill -9 \$process_$1"; }

coordinator
for checker in k l; do checker $checker; done
for number in 1 2 3 4 5; do
    worker p$number
    worker q$number
    false_worker r$number lazy
    false_worker s$number forged
done
soon 300 "a tenth is done" is_done 30

killed p2
killed q2
killed q3
killed k
say "three workers and a checker are killed"
soon 300 "a fifth is done" is_done 60
"$misere" census backup --data "$work/month" --to "$work/backup" >/dev/null
say "a backup is made: $(field "$work/backup" 'status["done"]') games"
soon 300 "a quarter is done" is_done 80
kill -9 "$coordinator"
wait "$coordinator" 2>/dev/null || true
rm -rf "$work/month"
say "the coordinator is killed, and its disk lost"
sleep 8
soon 60 "the certificate of p1 expires" sh -c "! openssl x509 -checkend 0 -noout -in $work/certs/p1.pem >/dev/null"
cp -R "$work/backup" "$work/month"
coordinator
worker p2
checker k
say "the backup is restored"

# Its certificate has expired by now: the coordinator refuses it, and goes on without it until there is a new one.
soon 90 "the certificate of p1 is refused" grep -q "expired" "$work/worker-p1.log"
mv "$work/certs/p1-of-a-year.pem" "$work/certs/p1.pem"
say "the certificate of p1 has expired, and is renewed"
soon 120 "p1 is back" is_so 'any(one["name"].startswith("p1") for one in status["workers"])'

mv "$work/certs/coordinator.pem" "$work/certs/coordinator.key" "$work"
soon 300 "half is done" is_done 150
caught() { is_so "any(one['name'].startswith('$1') for one in status['caught'])"; }
for owner in r s; do soon 300 "a worker of $owner is caught" caught $owner; done
# The alert rings, and the operator trusts these two owners no more: nothing that rests on their word may remain.
"$misere" census ban 'r*' 's*' --data "$work/month"
say "the owners r and s are banned"

certs --role coordinator --host 10.77.0.1
say "the certificate of the coordinator is renewed, and it goes on"

cp "$misere" "$work/newer"
mv "$work/newer" "$work/misere"
kill "$coordinator"
wait "$coordinator" || true
for name in p1 p2 p3 p4 p5 q1 q4 q5; do
    eval "kill \$process_$name"
    worker $name
done
coordinator
say "coordinator and workers are replaced by a newer program"
killed l

soon 900 "the census is finished" is_so 'status["state"] == "finished"'
say "the census is finished"
sleep 3

# What must be so -----------------------------------------------------------------------------------------------------------------

caught=$(field "$work/month" '" ".join(sorted(one["name"].split("/")[0] for one in status["caught"]))')
for name in $caught; do
    case $name in r? | s?) ;; *) fail "$name is honest, and is caught" ;; esac
done
is_so 'status["quarantined"] == 0' || fail "games are in quarantine"
asked query 'count by (alertname) (max_over_time(ALERTS{alertstate="firing"}[1h]))' >"$work/alerts.json"
rang=$($PYTHON -c 'import json, sys; print(" ".join(sorted(one["metric"]["alertname"] for one in json.load(open(sys.argv[1]))["data"]["result"])))' "$work/alerts.json")
for alert in MisereCertificateExpires MisereCoordinatorAway MisereFalseResults; do
    case " $rang " in *" $alert "*) ;; *) fail "$alert did not ring; these rang: $rang" ;; esac
done
for alert in MisereCheckerErred MisereOutOfMemory MisereTooManyConnections; do
    case " $rang " in *" $alert "*) fail "$alert rang without a reason" ;; esac
done
say "the alerts rang: $rang"
ip netns exec "${net}c" $PYTHON "$here/panels.py" "$here/../../deploy/monitoring/dashboard.json" http://127.0.0.1:9090 "$began" "$pictures"
kill "$coordinator"
wait "$coordinator" || fail "the coordinator ended with $?"
month=$("$misere" census digest --data "$work/month")
[ "$month" = "$one" ] || fail "one machine has $one, the month $month"
"$misere" census check --data "$work/month" --proofs >/dev/null || fail "census check finds something"
say "a month in miniature: caught are $caught; the census is that of one machine: $month"
