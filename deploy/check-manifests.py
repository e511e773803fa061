#!/usr/bin/env python3
"""Checks of the manifests for Kubernetes, the job of `misere census submit`, the alerts and the dashboard.

- every manifest, and the job that `misere census submit --to kubernetes` writes, is valid by the published schemas of
  Kubernetes, strictly: no unknown field;
- kustomization.yaml names existing files, and selectors find the labels that they select;
- every replica of the workers shows its own certificate;
- the command `misere` given accepts every command line of a container;
- the alerts are rules that Prometheus accepts (by promtool, if it is here);
- every metric in the alerts and on the dashboard is in docs/reference.md, which a test compares with the program.

Usage: check-manifests.py PATH-OF-MISERE. Needs kubernetes-validate and PyYAML: pip install kubernetes-validate pyyaml.
Exit code 1 if anything is wrong.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import kubernetes_validate
    import yaml
except ImportError as missing:
    sys.exit(f"error: {missing}; pip install kubernetes-validate pyyaml")

HERE = Path(__file__).resolve().parent
WRONG = []


def wrong(where, what):
    WRONG.append(f"{where}: {what}")


def job(misere, folder):
    """Returns the job that `misere census submit` writes."""
    data = Path(folder) / "census"
    command = [misere, "census", "submit", "--to", "kubernetes", "--codes", "0.123", "--data", data, "--dry-run"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return json.loads((data / "submit" / "array-1.json").read_text())


def manifests():
    kustomization = yaml.safe_load((HERE / "kubernetes/kustomization.yaml").read_text())
    there = {file.name for file in (HERE / "kubernetes").glob("*.yaml")} - {"kustomization.yaml"}
    if there != set(kustomization["resources"]):
        wrong("kustomization.yaml", f"names {kustomization['resources']}, and there are {sorted(there)}")
    for name in kustomization["resources"]:
        for document in yaml.safe_load_all((HERE / "kubernetes" / name).read_text()):
            yield name, document


def selectors(documents):
    """Checks that every selector of pods finds the pods of some template."""
    labels = [d["spec"]["template"]["metadata"]["labels"] for d in documents if "template" in d["spec"]]

    def selected(value):
        if isinstance(value, dict):
            for key, below in value.items():
                if key in ("selector", "podSelector"):
                    yield below.get("matchLabels", below)
                else:
                    yield from selected(below)
        elif isinstance(value, list):
            for below in value:
                yield from selected(below)

    for document in documents:
        for wanted in selected(document["spec"]):
            if not any(wanted.items() <= label.items() for label in labels):
                wrong(document["metadata"]["name"], f"no pod has {wanted}")


def own_certificates(name, document):
    """Checks that each replica mounts its own certificate: replicas that share one do not check each other."""
    pod = document["spec"].get("template", {}).get("spec", {})
    for container in pod.get("containers", []):
        shown = [a.split("=", 1)[1] for a in container.get("args", []) if a.startswith(("--cert=", "--key="))]
        if container.get("args", [""])[0] != "worker" or not shown:
            continue
        own = {m["mountPath"] for m in container["volumeMounts"] if "$(POD_NAME)" in m.get("subPathExpr", "")}
        if document["kind"] != "StatefulSet" or not set(shown) <= own:
            wrong(name, "replicas share a certificate")


def understood(misere, where, arguments):
    """Checks that the command has every option used."""
    for argument in arguments[1:]:
        name = argument.split("=")[0]
        text = subprocess.run([misere, arguments[0], "--help"], capture_output=True, text=True, check=True).stdout
        if name.startswith("--") and not re.search(rf"{name}\b", text):
            wrong(where, f"`misere {arguments[0]}` has no option {name}")


def metrics():
    known = set(re.findall(r"^\| `(misere_\w+)", (HERE / "../docs/reference.md").read_text(), re.M))
    known |= {f"{name}_{part}" for name in known if name.endswith("_seconds") for part in ("sum", "count", "bucket")}
    for name in ("alerts.yaml", "dashboard.json"):
        text = (HERE / "monitoring" / name).read_text()
        used = set(re.findall(r"\bmisere_\w+", text))
        if not used:
            wrong(name, "no metric is used")
        for metric in sorted(used - known):
            wrong(name, f"there is no metric {metric}")
    for group in yaml.safe_load((HERE / "monitoring/alerts.yaml").read_text())["groups"]:
        for rule in group["rules"]:
            if not {"alert", "expr", "annotations"} <= rule.keys():
                wrong("alerts.yaml", f"incomplete: {rule}")
            # A comma outside of quotes would begin another annotation, and Prometheus would refuse the whole file.
            elif set(rule["annotations"]) != {"summary"}:
                wrong("alerts.yaml", f"{rule['alert']} has the annotations {list(rule['annotations'])}")
    if shutil.which("promtool"):
        checked = subprocess.run(["promtool", "check", "rules", HERE / "monitoring/alerts.yaml"], capture_output=True, text=True)
        if checked.returncode:
            wrong("alerts.yaml", checked.stderr.strip())
    json.loads((HERE / "monitoring/dashboard.json").read_text())


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: check-manifests.py PATH-OF-MISERE")
    misere = sys.argv[1]
    documents = list(manifests())
    with tempfile.TemporaryDirectory() as folder:
        documents.append(("array-1.json", job(misere, folder)))
    for name, document in documents:
        try:
            kubernetes_validate.validate(document, kubernetes_validate.latest_version(), strict=True)
        except Exception as error:  # the package has several kinds with the same meaning
            wrong(name, f"{document['kind']}: {error}")
        own_certificates(name, document)
        for container in document["spec"].get("template", {}).get("spec", {}).get("containers", []):
            if "args" in container:
                understood(misere, name, container["args"])
    selectors([document for _, document in documents])
    metrics()
    for line in WRONG:
        print(line, file=sys.stderr)
    print(f"{len(documents)} manifests, {len(WRONG)} faults")
    sys.exit(1 if WRONG else 0)


main()
