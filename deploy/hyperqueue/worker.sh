#!/bin/sh
# Workers of a census as tasks of HyperQueue, as many as there are certificates:
#
#     misere coordinator certs --dir certs --count 20
#     hq submit --array=1-20 --env MISERE_COORDINATOR=https://census.lab.example:7117 --directives=file deploy/hyperqueue/worker.sh
#
#HQ --name=misere-worker
#HQ --cpus=8
#HQ --crash-limit=unlimited
set -u

MISERE_COORDINATOR=${MISERE_COORDINATOR:?say where the coordinator listens, as https://census.lab.example:7117}
# The directory of ca.pem, worker-N.pem and worker-N.key.
MISERE_CERTS=${MISERE_CERTS:-$HOME/certs}
number=${HQ_TASK_ID:-1}
# Large pages: great games take an eighth less time.
export GLIBC_TUNABLES="${GLIBC_TUNABLES:-glibc.malloc.hugetlb=1}"

exec misere worker --coordinator "$MISERE_COORDINATOR" --slots 8 --grace 60s --name "hyperqueue-$number" \
    --ca "$MISERE_CERTS/ca.pem" --cert "$MISERE_CERTS/worker-$number.pem" --key "$MISERE_CERTS/worker-$number.key"
