#!/bin/sh
# A census by Snakemake, which is killed with its jobs.
#   sh tests/queues/snakemake.sh MISERE
stop_queue() {
    signal KILL "census submit"
    for pid in $(pgrep -f "snakemake .*$LAB/"); do kill -9 "$pid"; done
    signal KILL "census chunk"
}
command -v snakemake >/dev/null || { echo "error: apt-get install snakemake" >&2; exit 1; }
. "$(dirname "$0")/common.sh"
export HOME="$LAB" XDG_CACHE_HOME="$LAB/cache"

say "the command is killed, and Snakemake goes on"
start submit-1.log submit snakemake --parts 6
await "results" results 4000
signal KILL "census submit"
say "a job is killed; the same command is given again"
signal KILL "census chunk"
start submit-2.log submit snakemake
sleep 4
say "Snakemake is killed with all jobs, and a part is cut short"
for pid in $(pgrep -f "snakemake .*$LAB/"); do kill -9 "$pid" || true; done
signal KILL "census chunk"
signal TERM "census submit"
await "the end of the command" gone "census submit"
await "the end of the workflow" sh -c "! pgrep -f 'snakemake .*$LAB/'"
await "the end of the jobs" gone "census chunk"
cut_short "$LAB/census/submit/parts/part-0"
submit snakemake >"$LAB/summary"
same_digest "$LAB/census"
say "$(grep -c '"number"' "$LAB/census/submit/jobs.json") workflows were run"
mv "$LAB/census" "$LAB/census-1"
overhead 20 snakemake
