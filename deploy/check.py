#!/usr/bin/env python3
"""Checks of the files of deploy/, as far as possible without a container engine or a registry.

- compose.yaml is valid by the schema of the Compose specification, and has the right content;
- the Containerfile is well-formed, pins its bases, ends as an ordinary user with a health check;
- every worker has its own certificate, and every service limits of memory, processes and open files;
- the shell accepts the script for Slurm, which asks to be requeued when its time is over, and only then;
- the systemd units pass `systemd-analyze verify` and are confined (`systemd-analyze security`);
- the command `misere` given accepts every command line in them, with the settings of the example files;
- every setting of the example files is used and explained, and a worker is stopped with more time than its grace.

Usage: check.py PATH-OF-MISERE. Needs PyYAML and jsonschema (Debian: python3-yaml, python3-jsonschema). Exit code 1 if anything
is wrong; checks that were not possible are reported.
"""

import json
import os
import re
import shlex
import shutil
import signal as signals
import subprocess
import sys
import tempfile
import time
from pathlib import Path

try:
    import jsonschema
    import yaml
except ImportError as missing:
    sys.exit(f"cannot run here: {missing}; install python3-yaml and python3-jsonschema (or pip install pyyaml jsonschema)")

HERE = Path(__file__).resolve().parent
WRONG = []


def wrong(where, what):
    WRONG.append(f"{where}: {what}")


def settings(file):
    """NAME=value lines; each must have a comment right above it."""
    found, explained = {}, False
    for line in file.read_text().splitlines():
        if line.startswith("#"):
            explained = True
        elif not line.strip():
            explained = False
        else:
            name, sep, value = line.partition("=")
            if not sep or not re.fullmatch(r"[A-Z_]+", name):
                wrong(file.name, f"not NAME=value: {line}")
            # Two settings may share one explanation.
            if not explained:
                wrong(file.name, f"{name} is not explained")
            found[name] = value
    return found


def seconds(text):
    number, unit = re.fullmatch(r"(\d+)(s|min|h)", text).groups()
    return int(number) * {"s": 1, "min": 60, "h": 3600}[unit]


def understood(misere, where, arguments):
    """Checks that a command line is accepted: with --help after it, it is parsed up to there and nothing is run."""
    done = subprocess.run([misere, *arguments, "--help"], capture_output=True, text=True)
    if done.returncode != 0:
        wrong(where, f"`misere {shlex.join(arguments)}` is not understood: {done.stderr.strip()}")


# Compose ---------------------------------------------------------------------------------------------------------------------

def compose(misere):
    text = (HERE / "compose.yaml").read_text()
    example = settings(HERE / "compose.env")
    used = dict(re.findall(r"\$\{([A-Z_]+):-([^}]*)\}", text))
    for name, default in used.items():
        if example.get(name) != default:
            wrong("compose.env", f"{name} is {default} in compose.yaml and {example.get(name)} here")
    for name in example.keys() - used.keys() - {"COMPOSE_PROJECT_NAME"}:
        wrong("compose.env", f"{name} is used nowhere")
    if bare := re.findall(r"\$\{[A-Z_]+\}|\$[A-Z]", text):
        wrong("compose.yaml", f"without a default: {bare}")
    document = yaml.safe_load(re.sub(r"\$\{[A-Z_]+:-([^}]*)\}", r"\1", text))
    schema = json.loads((HERE / "compose-schema.json").read_text())
    for error in jsonschema.Draft201909Validator(schema).iter_errors(document):
        wrong("compose.yaml", f"{'.'.join(map(str, error.absolute_path))}: {error.message[:200]}")
    certificates = {}
    for name, service in document["services"].items():
        where = f"compose.yaml, {name}"
        for key in ("healthcheck", "stop_grace_period", "restart", "secrets"):
            inherited = name.startswith("worker") and key == "healthcheck"  # the image's own
            if key not in service and not inherited:
                wrong(where, f"no {key}")
        for key in ("mem_limit", "pids_limit", "ulimits"):
            if key not in service:
                wrong(where, f"no {key}")
        understood(misere, where, service["command"])
        if test := service.get("healthcheck", {}).get("test"):
            if test[:2] != ["CMD", "misere"]:
                wrong(where, "the health check needs a program that the image lacks")
            understood(misere, where, test[2:])
        for secret in service["secrets"]:
            if secret not in document["secrets"]:
                wrong(where, f"no secret {secret}")
            if not any(argument.endswith(f"=/run/secrets/{secret}") for argument in service["command"]):
                wrong(where, f"the secret {secret} is not used")
        shows = [argument for argument in service["command"] if argument.startswith("--cert=")]
        certificates.setdefault(shows[0] if shows else None, []).append(name)
        if service.get("deploy", {}).get("replicas", 1) != 1:
            wrong(where, "replicas share a certificate")
        for mount in service.get("volumes", []):
            if mount.split(":")[0] not in document["volumes"]:
                wrong(where, f"no volume {mount}")
    for certificate, sharing in certificates.items():
        if certificate is None or len(sharing) > 1:
            wrong("compose.yaml", f"{' and '.join(sharing)} show {certificate}")
    if seconds(example["MISERE_STOP_GRACE"]) < seconds(example["MISERE_GRACE"]) + 15:
        wrong("compose.env", "a worker is killed before its grace is over")


# Containerfile ---------------------------------------------------------------------------------------------------------------

def containerfile(misere):
    where = "Containerfile"
    text = (HERE / where).read_text()
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    steps = [step.split(None, 1) for step in re.sub(r"\\\n", " ", "\n".join(lines)).splitlines()]
    given = dict(rest.split("=", 1) for word, rest in steps if word == "ARG")
    steps = [[word, re.sub(r"\$\{([A-Z]+)\}", lambda name: given.get(name[1], name[0]), rest)] for word, rest in steps]
    known = {"ARG", "FROM", "RUN", "WORKDIR", "COPY", "LABEL", "USER", "VOLUME", "EXPOSE", "STOPSIGNAL", "HEALTHCHECK", "ENTRYPOINT", "CMD"}
    for step in steps:
        if step[0] not in known or len(step) != 2:
            wrong(where, f"unknown step {step}")
    stages = [rest.split() for word, rest in steps if word == "FROM"]
    names = [stage[2] for stage in stages if len(stage) == 3 and stage[1] == "AS"]
    if len(stages) < 2:
        wrong(where, "one stage only: the image holds a compiler")
    for image in {stage[0] for stage in stages} - {"scratch", *names}:
        if not re.search(r":[\w.-]+$", image) or image.endswith(":latest"):
            wrong(where, f"{image} is not pinned")
    for word, rest in steps:
        if copied := re.match(r"--from=(\S+)", rest):
            if word != "COPY" or copied[1] not in names:
                wrong(where, f"no stage {copied[1]}")
        if word == "RUN":
            if "apt-get install" in rest and "rm -rf /var/lib/apt/lists/*" not in rest:
                wrong(where, "the lists of packages stay in the layer")
            checked = subprocess.run(["sh", "-n", "-c", re.sub(r"^(--\S+\s+)+", "", rest)], capture_output=True, text=True)
            if checked.returncode:
                wrong(where, f"RUN {rest[:40]}…: {checked.stderr}")
        if word in ("ENTRYPOINT", "CMD", "VOLUME"):
            json.loads(rest)  # the exec form: signals reach the command
    last = steps[max(i for i, step in enumerate(steps) if step[0] == "FROM"):]
    users = [rest for word, rest in last if word == "USER"]
    if not users or users[-1].split(":")[0] in ("root", "0"):
        wrong(where, "runs as root")
    health = [rest for word, rest in last if word == "HEALTHCHECK"]
    if not health:
        return wrong(where, "no health check")
    command = json.loads(health[0].split("CMD", 1)[1])
    if command[0] != "misere":
        wrong(where, "the health check needs a program that the image lacks")
    understood(misere, where, command[1:])
    rust = re.search(r"rust:(\d+)\.(\d+)", text)
    needed = re.search(r'rust-version = "(\d+)\.(\d+)"', (HERE.parent / "Cargo.toml").read_text())
    if tuple(map(int, rust.groups())) < tuple(map(int, needed.groups())):
        wrong(where, "its Rust is older than Cargo.toml asks for")


# systemd ---------------------------------------------------------------------------------------------------------------------

def unit_lines(text):
    return [line.partition("=")[::2] for line in text.splitlines() if "=" in line and not line.startswith("#")]


def systemd(misere):
    for unit, env in (("misere-coordinator.service", "coordinator.env"), ("misere-worker@.service", "worker.env")):
        text = (HERE / "systemd" / unit).read_text()
        lines = unit_lines(text)
        said = dict(lines)
        example = settings(HERE / "systemd" / env)
        command = said["ExecStart"]
        used = set(re.findall(r"\$\{?([A-Z_]+)", command))
        for name in used - example.keys():
            wrong(env, f"{name} is missing")
        for name in example.keys() - used - {"RUST_LOG"}:
            wrong(env, f"{name} is used nowhere")
        # Expanded as systemd does: ${X} is one word, $X as many as its value has.
        words = []
        for word in command.split()[1:]:
            word = re.sub(r"\$\{([A-Z_]+)\}", lambda name: example.get(name[1], ""), word)
            word = word.replace("%S", "/var/lib").replace("%d", "/run/credentials").replace("%H", "host").replace("%i", "1")
            words += example.get(word[1:], "").split() if word.startswith("$") else [word]
        understood(misere, unit, words)
        for option in set(re.findall(r"(?<!\S)(--[a-z-]+)", " ".join(line for line in (HERE / "systemd" / env).read_text().splitlines()))):
            shown = subprocess.run([misere, words[0], "--help"], capture_output=True, text=True).stdout
            if option not in shown and option != "--help":
                wrong(env, f"`misere {words[0]}` has no {option}")
        for key in ("MemoryMax", "TasksMax", "LimitNOFILE"):
            # Only the operator of a worker knows how much memory it may have.
            if key not in said and not (key == "MemoryMax" and "worker" in unit):
                wrong(unit, f"no {key}=")
        if "worker" in unit and not re.search(r"LoadCredential=worker\.pem:\S*%i", text):
            wrong(unit, "instances share a certificate")
        if said.get("KillMode") != "mixed":
            wrong(unit, "children would get SIGTERM too")
        if "MISERE_GRACE" in example and seconds(said["TimeoutStopSec"]) < seconds(example["MISERE_GRACE"]) + 15:
            wrong(unit, "the worker is killed before its grace is over")
        analyzed(misere, unit, text)
    backup(misere)


def analyzed(misere, unit, text):
    """Verifies a unit, and how confined it is, as systemd sees it."""
    if not shutil.which("systemd-analyze"):
        print(f"not checked: {unit} (no systemd-analyze; Debian: apt-get install systemd)")
        return
    with tempfile.TemporaryDirectory() as scratch:
        # Only an instance of a template can be verified, and the command must exist at the path in the unit.
        copy = Path(scratch) / unit.replace("@", "@1")
        copy.write_text(text.replace("/usr/local/bin/misere", misere))
        for check in (["verify", "--man=no"], ["security", "--offline=yes", "--threshold=20", "--no-pager"]):
            done = subprocess.run(["systemd-analyze", *check, str(copy)], capture_output=True, text=True)
            if done.returncode or (check[0] == "verify" and (done.stdout + done.stderr).strip()):
                wrong(unit, f"systemd-analyze {check[0]}: {(done.stdout + done.stderr).strip()[-2000:]}")
            elif check[0] == "security":
                level = re.search(r"exposure level for \S+: ([\d.]+)", done.stdout)
                print(f"{unit}: exposure {level[1]} of 10")


def backup(misere):
    """Runs the commands of the backup unit as systemd does, on a census of one game: the newest backups stay."""
    unit, keep = "misere-backup.service", 2
    text = (HERE / "systemd" / unit).read_text()
    said = dict(unit_lines(text))
    if said.get("User") != dict(unit_lines((HERE / "systemd" / "misere-coordinator.service").read_text())).get("User"):
        wrong(unit, "its user is not that of the coordinator, who alone may open the socket")
    analyzed(misere, unit, text)
    with tempfile.TemporaryDirectory() as state:
        subprocess.run([misere, "census", "run", "--codes", "0.3", "--data", f"{state}/census"], check=True, capture_output=True)
        for _ in range(keep + 1):
            for key in ("ExecStart", "ExecStartPost"):
                words = shlex.split(said[key].replace("%%", "%").replace("/usr/local/bin/misere", misere))
                done = subprocess.run(words, env={**os.environ, "STATE_DIRECTORY": state, "KEEP": str(keep)}, capture_output=True, text=True)
                if done.returncode:
                    wrong(unit, f"{key}: {done.stderr.strip()}")
            # The names have seconds.
            time.sleep(1.1)
        kept = sorted(Path(state, "backups").iterdir()) if Path(state, "backups").exists() else []
        if len(kept) != keep:
            wrong(unit, f"{len(kept)} backups stay of {keep}")
        digests = {subprocess.run([misere, "census", "digest", "--data", str(one)], capture_output=True, text=True).stdout for one in [Path(state, "census"), *kept]}
        if len(digests) != 1:
            wrong(unit, f"its backups have other digests: {digests}")


# Slurm -----------------------------------------------------------------------------------------------------------------------

def slurm(misere):
    """Runs the script as Slurm does, with a worker and a queue that only record the calls to them."""
    where, script = "slurm/worker.sh", HERE / "slurm" / "worker.sh"
    command = re.search(r"^misere (.*?) &$", re.sub(r"\\\n\s*", "", script.read_text()), re.M)
    words = [re.sub(r"\$\{\w+:-\w+\}|\$\w+", "1", word.replace("$MISERE_COORDINATOR", "https://host:1")) for word in shlex.split(command[1])]
    understood(misere, where, words)
    for signal, code, told, expected in (
        ("USR1", 4, True, 0),       # the time is nearly over
        ("TERM", 4, False, 4),      # scancel
        (None, 0, False, 0),        # the census is finished
        (None, 6, False, 6),        # no coordinator
    ):
        with tempfile.TemporaryDirectory() as scratch:
            scratch = Path(scratch)
            worker = f"trap 'exit {code}' TERM; echo ready; " + (f"exit {code}" if signal is None else "while :; do sleep 0.05; done")
            for name, text in (("misere", worker), ("scontrol", f'echo "$@" >>{scratch}/asked')):
                (scratch / name).write_text(f"#!/bin/sh\n{text}\n")
                (scratch / name).chmod(0o755)
            environment = {
                "PATH": f"{scratch}:/usr/bin:/bin", "HOME": str(scratch), "MISERE_COORDINATOR": "https://host:1",
                "SLURM_JOB_ID": "77", "SLURM_ARRAY_TASK_ID": "3", "SLURM_CPUS_PER_TASK": "8",
            }
            job = subprocess.Popen(["sh", str(script)], env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            while signal and "ready" not in job.stdout.readline():
                pass
            if signal:
                job.send_signal(getattr(signals, f"SIG{signal}"))
            job.stdout.close() if signal else job.communicate()
            ended = job.wait(30)
            asked = (scratch / "asked").read_text() if (scratch / "asked").exists() else ""
            if ended != expected or asked != ("requeue 77\n" if told else ""):
                wrong(where, f"after {signal} and a worker's {code}: ends with {ended}, asks `{asked.strip()}`")


# HyperQueue, HTCondor, ssh ---------------------------------------------------------------------------------------------------

def workers(misere):
    """Checks each worker: its command is accepted, its address is the caller's, its certificate has its number."""
    for where, pattern in (
        ("hyperqueue/worker.sh", r"^exec misere (.*)$"),
        ("ssh/workers.sh", r"exec misere (.*?) </dev/null &$"),
        ("htcondor/worker.submit", r'^arguments = "(.*)"$'),
    ):
        text = re.sub(r"\\\n\s*", "", (HERE / where).read_text())
        command = re.search(pattern, text, re.M)
        if not command:
            wrong(where, "has no command of a worker")
            continue
        words = shlex.split(re.sub(r"\$\(coordinator\)|\$MISERE_COORDINATOR", "https://host:1", command[1]))
        for option, ending in (("--cert", "pem"), ("--key", "key")):
            file = words[words.index(option) + 1]
            if not re.search(r"worker-\$(number|\(worker\))\." + ending, file):
                wrong(where, f"{option} {file} has not the number of the worker")
        words = [re.sub(r"\$\(?\w+\)?", "1", word) for word in words]
        understood(misere, where, words)
    for where in ("hyperqueue/worker.sh", "ssh/workers.sh"):
        if subprocess.run(["sh", "-n", HERE / where]).returncode:
            wrong(where, "is not a shell script")
        # Without an address the script must name the missing variable.
        ended = subprocess.run(["sh", HERE / where, "host"], env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True)
        if ended.returncode == 0 or "MISERE_COORDINATOR" not in ended.stderr:
            wrong(where, "runs without an address")


def main():
    misere = shutil.which(sys.argv[1]) if len(sys.argv) == 2 else None
    if not misere:
        sys.exit("usage: check.py PATH-OF-MISERE")
    misere = str(Path(misere).resolve())
    compose(misere)
    containerfile(misere)
    systemd(misere)
    slurm(misere)
    workers(misere)
    for line in WRONG:
        print(f"wrong: {line}", file=sys.stderr)
    print(f"deploy/: {len(WRONG)} things wrong" if WRONG else "deploy/: nothing wrong")
    sys.exit(bool(WRONG))


main()
