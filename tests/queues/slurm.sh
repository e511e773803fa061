#!/bin/sh
# A census by a Slurm of one machine, whose jobs, node and controller are killed, in parts and by a
# coordinator: as root.
#   sh tests/queues/slurm.sh MISERE
stop_queue() {
    # Only in the Slurm of this test, whose settings are in its folder.
    case ${SLURM_CONF:-} in "$LAB"/*) scancel --full --user "$(id -un)" 2>/dev/null && sleep 1 ;; esac
}
command -v slurmctld >/dev/null || { echo "error: apt-get install slurmctld slurmd slurm-client munge" >&2; exit 1; }
unset SLURM_CONF
# Slurm waits two minutes before it starts a job again that was on a node that died.
PATIENCE=${PATIENCE:-300}
. "$(dirname "$0")/common.sh"

export SLURM_CONF=$LAB/slurm.conf
CORES=$(nproc)
HOST=$(hostname -s)
dd if=/dev/urandom of="$LAB/munge.key" bs=1024 count=1 status=none
chmod 400 "$LAB/munge.key"
# Everybody can read the folder, which munge does not accept.
mkdir -m 755 "$LAB/munge" "$LAB/state" "$LAB/spool"
cat >"$SLURM_CONF" <<END
ClusterName=lab
SlurmctldHost=$HOST(127.0.0.1)
SlurmctldPort=17817
SlurmdPort=17818
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$LAB/munge/socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
StateSaveLocation=$LAB/state
SlurmdSpoolDir=$LAB/spool
SlurmctldPidFile=$LAB/slurmctld.pid
SlurmdPidFile=$LAB/slurmd.pid
JobRequeue=1
MinJobAge=300
KillWait=5
SlurmdTimeout=10
ReturnToService=2
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
MailProg=/bin/true
NodeName=$HOST NodeAddr=127.0.0.1 CPUs=$CORES RealMemory=8000
PartitionName=all Nodes=$HOST Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
END
start munged.log munged --foreground --force --key-file="$LAB/munge.key" --socket="$LAB/munge/socket" \
    --pid-file="$LAB/munge/pid" --log-file="$LAB/munge.log" --seed-file="$LAB/munge/seed"
await munge test -S "$LAB/munge/socket"
controller() { start "slurmctld-$1.log" slurmctld -D -i; controller=$started; }
node() { start "slurmd-$1.log" slurmd -D -N "$HOST"; node=$started; }
# A controller that was killed before it saved its state starts a job again that the node still runs, and
# drains the node. Here the test is the administrator who resumes it.
no_jobs() {
    ! sinfo --noheader --format=%T | grep -q drain || scontrol update NodeName="$HOST" State=RESUME
    [ -z "$(squeue --noheader --states=PENDING,CONFIGURING,RUNNING,COMPLETING)" ]
}
controller 1
await "the controller" squeue
node 1
await "the node" sh -c 'sinfo --noheader --format=%T | grep -q idle'

say "the command is killed"
start submit-1.log submit slurm --parts 6
await "results" results 4000
signal KILL "census submit"
say "a job is killed; the same command is given again"
signal KILL "census chunk"
start submit-2.log submit slurm
sleep 3
say "the controller and the node are killed, with the jobs, and started again"
kill -9 "$controller"
sleep 2
controller 2
await "the controller" squeue
kill -9 "$node"
signal KILL "census chunk"
sleep 1
node 2
sleep 5
say "the command is interrupted, a part is cut short, and the command is given once more"
signal TERM "census submit"
await "the end of the command" gone "census submit"
await "an empty queue" no_jobs
cut_short "$LAB/census/submit/parts/part-0"
submit slurm >"$LAB/summary"
same_digest "$LAB/census"
say "$(grep -c '"number"' "$LAB/census/submit/jobs.json") arrays were submitted"

say "games that need more memory than their job has: the next job has more"
PLAN="${LARGE:---codes 0.16,0.37,0.75 --fuel 200k}"
mv "$LAB/census" "$LAB/census-1"
rm -rf "$LAB/live"
LIVE=$(live)
submit slurm --parts 3 --memory 64MiB >"$LAB/summary"
same_digest "$LAB/census"
say "memory in MiB: $(grep -o '"memory_mib": [0-9]*' "$LAB/census/submit/jobs.json" | sort -u | tr '\n' ' ')"

coordinated slurm
sealed slurm
await "an empty queue" no_jobs
overhead 20 slurm
