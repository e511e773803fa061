#!/bin/sh
# A census by a Grid Engine of one machine, whose jobs and master are killed, in parts and by a
# coordinator: as root.
#   sh tests/queues/sge.sh MISERE
# Grid Engine compares names with addresses, so the machine is called localhost in here.
if [ "$(hostname)" != localhost ]; then
    exec unshare --uts sh -c 'hostname localhost && exec sh "$0" "$@"' "$0" "$@"
fi
stop_queue() {
    case ${SGE_ROOT:-} in "$LAB"/*) qdel -u '*' >/dev/null 2>&1; qconf -ke all >/dev/null 2>&1; qconf -km >/dev/null 2>&1; sleep 2 ;; esac
    for pid in $(pgrep -f "sge_(qmaster|execd|shepherd)"); do
        grep -qz "SGE_ROOT=$LAB/" "/proc/$pid/environ" 2>/dev/null && kill -9 "$pid"
    done
}
command -v sge_qmaster >/dev/null || { echo "error: apt-get install gridengine-master gridengine-exec gridengine-client" >&2; exit 1; }
unset SGE_ROOT
. "$(dirname "$0")/common.sh"

# A cell of its own, on ports of its own; the cell of the Debian package is left alone.
export SGE_ROOT=$LAB/sge SGE_CELL=default SGE_QMASTER_PORT=17644 SGE_EXECD_PORT=17645
COMMON=$SGE_ROOT/default/common
mkdir -p "$COMMON" "$LAB/spool/db" "$LAB/spool/qmaster"
for folder in bin lib util utilbin mpi; do
    [ -e "/var/lib/gridengine/$folder" ] && ln -s "$(realpath "/var/lib/gridengine/$folder")" "$SGE_ROOT/$folder"
done
HOST=localhost
echo "$HOST" >"$COMMON/act_qmaster"
cat >"$COMMON/bootstrap" <<END
admin_user root
default_domain none
ignore_fqdn true
spooling_method berkeleydb
spooling_lib libspoolb
spooling_params $LAB/spool/db
binary_path /usr/lib/gridengine
qmaster_spool_dir $LAB/spool/qmaster
security_mode none
listener_threads 2
worker_threads 2
scheduler_threads 1
END
SHARE=/usr/share/gridengine
LD_LIBRARY_PATH=/usr/lib/gridengine
export LD_LIBRARY_PATH
/usr/lib/gridengine/spoolinit berkeleydb libspoolb "$LAB/spool/db" init >/dev/null
sed "s,/var/spool/gridengine/execd,$LAB/spool/execd,; s,^execd_spool_dir .*,execd_spool_dir $LAB/spool/execd,; s,^min_uid .*,min_uid 0,; s,^min_gid .*,min_gid 0,; s,^gid_range .*,gid_range 20000-20100,; s,^mailer .*,mailer /bin/true," \
    "$SHARE/default-configuration" >"$LAB/configuration"
grep -q '^execd_spool_dir' "$LAB/configuration" || echo "execd_spool_dir $LAB/spool/execd" >>"$LAB/configuration"
/usr/lib/gridengine/spooldefaults configuration "$LAB/configuration" >/dev/null
/usr/lib/gridengine/spooldefaults complexes "$SHARE/util/resources/centry" >/dev/null
/usr/lib/gridengine/spooldefaults usersets "$SHARE/util/resources/usersets" >/dev/null
/usr/lib/gridengine/spooldefaults managers root >/dev/null
mkdir -p "$LAB/spool/execd"
export SGE_ND=true
master() { start "qmaster-$1.log" sge_qmaster; master=$started; }
node() { start "execd-$1.log" sge_execd; node=$started; }
no_jobs() { [ -z "$(qstat)" ]; }
master 1
await "the master" qconf -sconf
qconf -ah "$HOST" >>"$LAB/qconf.log" 2>&1 || true
qconf -as "$HOST" >>"$LAB/qconf.log" 2>&1 || true
cat >"$LAB/queue" <<END
qname all.q
hostlist $HOST
seq_no 0
load_thresholds NONE
suspend_thresholds NONE
nsuspend 1
suspend_interval 00:05:00
priority 0
min_cpu_interval 00:05:00
processors UNDEFINED
qtype BATCH
ckpt_list NONE
pe_list NONE
rerun TRUE
slots 2
tmpdir /tmp
shell /bin/sh
prolog NONE
epilog NONE
shell_start_mode posix_compliant
starter_method NONE
suspend_method NONE
resume_method NONE
terminate_method NONE
notify 00:00:60
owner_list NONE
user_lists NONE
xuser_lists NONE
subordinate_list NONE
complex_values NONE
projects NONE
xprojects NONE
calendar NONE
initial_state default
s_rt INFINITY
h_rt INFINITY
s_cpu INFINITY
h_cpu INFINITY
s_fsize INFINITY
h_fsize INFINITY
s_data INFINITY
h_data INFINITY
s_stack INFINITY
h_stack INFINITY
s_core INFINITY
h_core INFINITY
s_rss INFINITY
h_rss INFINITY
s_vmem INFINITY
h_vmem INFINITY
END
qconf -Aq "$LAB/queue" >"$LAB/qconf.log"
qconf -msconf >/dev/null 2>&1 </dev/null || true
node 1
await "the node" sh -c "qstat -f | grep -q 'all.q.* BP\\? .*/2 .*[0-9]'"

say "the command is killed"
start submit-1.log submit sge --parts 6
await "results" results 4000
signal KILL "census submit"
say "a job is killed; the same command is given again"
signal KILL "census chunk"
start submit-2.log submit sge
sleep 3
say "the master is killed, and started again"
kill -9 "$master"
sleep 2
master 2
await "the master" qconf -sconf
sleep 5
say "the command is interrupted, a part is cut short, and the command is given once more"
signal TERM "census submit"
await "the end of the command" gone "census submit"
await "an empty queue" no_jobs
cut_short "$LAB/census/submit/parts/part-0"
submit sge >"$LAB/summary"
same_digest "$LAB/census"
say "$(grep -c '"number"' "$LAB/census/submit/jobs.json") arrays were submitted"

coordinated sge
sealed sge
await "an empty queue" no_jobs
overhead 20 sge
