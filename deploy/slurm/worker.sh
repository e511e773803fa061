#!/bin/sh
# Workers of a census as jobs of Slurm, as many as there are certificates:
#
#     misere coordinator certs --dir certs --count 20
#     sbatch --array=1-20 --export=ALL,MISERE_COORDINATOR=https://census.lab.example:7117 deploy/slurm/worker.sh
#
# Each job shows the certificate of its number: workers that share one do not check each other. When its time is nearly over a job
# gives back what it holds and puts itself at the end of the queue again; when the census is finished it ends.
#
#SBATCH --job-name=misere-worker
#SBATCH --cpus-per-task=8
#SBATCH --mem=16G
#SBATCH --time=08:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
# Two minutes before the time is over this script is told, and nobody else: another signal than that of scancel.
#SBATCH --signal=B:USR1@120
set -u

MISERE_COORDINATOR=${MISERE_COORDINATOR:?say where the coordinator listens, as https://census.lab.example:7117}
# The directory of ca.pem, worker-N.pem and worker-N.key.
MISERE_CERTS=${MISERE_CERTS:-$HOME/certs}
number=${SLURM_ARRAY_TASK_ID:-1}
# Large pages: great games take an eighth less time.
export GLIBC_TUNABLES="${GLIBC_TUNABLES:-glibc.malloc.hugetlb=1}"

worker='' told='' again=''
drain() {
    told=yes
    [ -z "$worker" ] || kill -TERM "$worker"
}
trap 'again=yes; drain' USR1
trap drain TERM INT

# The worker runs in the background, since a shell that waits for a command hears signals only when it has ended.
misere worker --coordinator "$MISERE_COORDINATOR" --slots "${SLURM_CPUS_PER_TASK:-1}" --grace 60s --name "slurm-$number" \
    --ca "$MISERE_CERTS/ca.pem" --cert "$MISERE_CERTS/worker-$number.pem" --key "$MISERE_CERTS/worker-$number.key" &
worker=$!
# Told before there was a worker.
[ -z "$told" ] || drain
# A signal ends the waiting, not the worker.
wait "$worker"
code=$?
while kill -0 "$worker" 2>/dev/null; do
    wait "$worker"
    code=$?
done

# Slurm puts a job back by itself only when its node fails, or for one with more rights.
if [ "$again" ] && [ "$code" -eq 4 ]; then
    scontrol requeue "$SLURM_JOB_ID"
    exit 0
fi
# 0: the census is finished. 4: somebody cancelled the job. 6: there was no coordinator for a day. 1 and 2: see the log.
exit "$code"
