#!/usr/bin/env python3
"""A census by a HyperQueue of this machine: the server and the workers of the PyPI wheel, whose jobs are killed.

The wheel has the server, but not the client `hq` that `misere census submit` asks. So the jobs, as that command writes
them, are submitted here, and the parts are merged by `misere census merge`.

Usage: hq.py PATH-OF-MISERE. Needs the package hyperqueue: pip install hyperqueue.
PLAN and EXPECTED in the environment name another plan and its digest, as in common.sh.
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

try:
    from hyperqueue import Job, LocalCluster
    from hyperqueue.cluster import WorkerConfig
except ImportError as missing:
    sys.exit(f"error: {missing}; pip install hyperqueue")

MISERE = os.path.realpath(sys.argv[1])
PLAN = os.environ.get("PLAN", "--digits 2 --fuel 300k").split()
EXPECTED = os.environ.get("EXPECTED")


def misere(*words):
    return subprocess.run([MISERE, *words], check=True, capture_output=True, text=True).stdout


def chunks(folder):
    """Returns the processes that compute parts of this census, and of no other."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"chunk" in words and any(word.startswith(os.fsencode(folder)) for word in words):
            yield int(process.name)


def kill_one(folder, killed):
    """Kills a job as soon as parts have results."""
    while not killed:
        if sum(part.stat().st_size for part in folder.glob("parts/part-*")) > 4000:
            for process in chunks(folder):
                os.kill(process, signal.SIGKILL)
                killed.append(process)
                return
        time.sleep(0.05)


def overhead(lab):
    """Prints what a job costs beside its games: twenty undisturbed jobs of games that take next to nothing."""
    plan = ["--digits", "2", "--fuel", "1k"]
    begin = time.monotonic()
    misere("census", "run", "--data", lab / "small-live", *plan)
    alone = time.monotonic() - begin
    data = lab / "small"
    misere("census", "submit", "--to", "hyperqueue", "--data", data, *plan, "--parts", "20", "--dry-run")
    folder = data / "submit"
    with LocalCluster(server_dir=str(lab / "small-server"), worker_config=WorkerConfig(cores=1)) as cluster:
        cluster.start_worker(WorkerConfig(cores=1))
        job = Job()
        for part in (folder / "array-1.parts").read_text().split():
            log = folder / "logs" / part
            job.program(["sh", str(folder / "array-1.sh"), part], stdout=f"{log}.log", stderr=f"{log}.err")
        begin = time.monotonic()
        client = cluster.client()
        client.wait_for_jobs([client.submit(job)])
        jobs = time.monotonic() - begin
    each = 1000 * (jobs - alone) / 20
    print(f"-- hyperqueue: 20 jobs in {jobs:.1f} s, the same census in one process {alone:.1f} s: {each:.0f} ms a job")


def main():
    with tempfile.TemporaryDirectory() as lab:
        lab = Path(lab)
        live = EXPECTED
        if live is None:
            misere("census", "run", "--data", lab / "live", *PLAN)
            live = misere("census", "digest", "--data", lab / "live").strip()
        data = lab / "census"
        misere("census", "submit", "--to", "hyperqueue", "--data", data, *PLAN, "--parts", "6", "--dry-run")
        folder = data / "submit"
        parts = (folder / "array-1.parts").read_text().split()
        killed = []
        threading.Thread(target=kill_one, args=(folder, killed), daemon=True).start()
        with LocalCluster(server_dir=str(lab / "server"), worker_config=WorkerConfig(cores=1)) as cluster:
            cluster.start_worker(WorkerConfig(cores=1))
            client = cluster.client()
            for attempt in range(4):
                job = Job(max_fails=None)
                for part in parts:
                    log = folder / "logs" / f"hyperqueue-{attempt}.{part}"
                    job.program(["sh", str(folder / "array-1.sh"), part], stdout=f"{log}.log", stderr=f"{log}.err")
                whole = client.wait_for_jobs([client.submit(job)], raise_on_error=False)
                print(f"-- job {attempt + 1}: {'every task ended well' if whole else 'a task failed'}")
                if whole:
                    break
        if not killed:
            sys.exit("error: no job was killed, since none was seen")
        misere("census", "merge", "--data", data, *sorted(folder.glob("parts/part-*")))
        digest = misere("census", "digest", "--data", data).strip()
        if digest != live:
            sys.exit(f"error: digest {digest}, but live {live}")
        print(f"-- {len(killed)} job killed; the digest is that of the live census: {live}")
        overhead(lab)


main()
