#!/usr/bin/env python3
"""Checks that HTCondor's own parser reads the file of `misere census submit --to htcondor` as it is meant.

Usage: condor.py PATH-OF-MISERE. Needs the package htcondor: pip install htcondor.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("CONDOR_CONFIG", "/dev/null")
try:
    import htcondor2
except ImportError as missing:
    sys.exit(f"error: {missing}; pip install htcondor")

MISERE = os.path.realpath(sys.argv[1])


def main():
    with tempfile.TemporaryDirectory() as lab:
        data = Path(lab) / "a census"
        words = ["census", "submit", "--to", "htcondor", "--codes", "0.123,0.77,0.3", "--parts", "3"]
        more = ["--data", data, "--cores", "2", "--time", "90m", "--directive", "requirements = (OpSys == \"LINUX\")"]
        subprocess.run([MISERE, *words, *more, "--dry-run"], check=True, stdout=subprocess.DEVNULL)
        folder = data / "submit"
        read = htcondor2.Submit((folder / "array-1.submit").read_text())
        expected = {
            "executable": "/bin/sh",
            "arguments": f"\"'{folder}/array-1.sh' $(part)\"",
            "request_cpus": "2",
            "request_memory": "4352M",
            "allowed_job_duration": "5400",
            "kill_sig": "SIGTERM",
            "requirements": "(OpSys == \"LINUX\")",
        }
        for name, value in expected.items():
            if read[name] != value:
                sys.exit(f"error: {name} is read as {read[name]}, not as {value}")
        items = [item["part"] for item in read.itemdata()]
        if items != ["0", "1", "2"]:
            sys.exit(f"error: the jobs are read as {items}")
        print(f"-- {len(read)} commands and {len(items)} jobs, as they are meant")


main()
