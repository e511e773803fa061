"""The files of a release, from a binary that is built and the commit that is checked out.

    python3 deploy/release.py BINARY FOLDER [--wheels WHEELS] [--browser BROWSER] [PREVIOUS]

writes into FOLDER/VERSION, which it replaces:

    misere-VERSION-x86_64-linux-gnu.tar.gz   the command, manual pages, completions, licences, and the
                                             solver for browsers, from the folder BROWSER
    misere_VERSION_amd64.deb                 the same for Debian and its derivatives
    misere-VERSION-….whl                     the Python package, from the folder WHEELS
    misere_census-VERSION-….whl              the program as a wheel, from there too
    misere-census-VERSION.tar.gz             the sources, as git has them
    misere-VERSION.cdx.json                  the bill of materials (CycloneDX 1.5)
    zenodo.json                              the metadata for an archive that gives a DOI, from CITATION.cff
    CHANGES.md                               the section of CHANGELOG.md
    SHA256SUMS                               the hashes of all of these

The archives are unpacked again and their command is run; the Python package is installed into an
empty environment, and its module and its command are run. With PREVIOUS, the directory of a census
of an earlier release, a copy of it is opened and its digest compared with the one recorded there.
The same binary and commit give the same files.
"""

import argparse
import gzip
import hashlib
import json
import lzma
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path
from typing import Optional

ROOT = Path(__file__).resolve().parent.parent
BROWSER_FILES = ["solve.html", "solve.js", "calculator.js", "link.js", "solve_worker.js", "verify.js", "misere_browser.js", "misere.wasm"]
LICENCES = ["LICENSE-APACHE", "LICENSE-MIT"]
DOCUMENTS = ["README.md", "CHANGELOG.md", "CITATION.cff"]
SHELLS = {
    "bash": "usr/share/bash-completion/completions/misere",
    "zsh": "usr/share/zsh/vendor-completions/_misere",
    "fish": "usr/share/fish/vendor_completions.d/misere.fish",
}


def fail(says: str) -> None:
    sys.exit(f"error: {says}")


def said(*command: str, **more) -> str:
    done = subprocess.run(command, capture_output=True, text=True, **more)
    if done.returncode != 0:
        fail(f"`{' '.join(command)}` failed: {done.stderr.strip()}")
    return done.stdout


def version() -> str:
    """Returns the version of the workspace, which every other place must repeat."""
    found = re.search(r'^version = "([^"]+)"', (ROOT / "Cargo.toml").read_text(), re.M)
    return found.group(1) if found else fail("Cargo.toml has no version")


def address() -> str:
    """Returns the address of the project, which the Python package must repeat."""
    found = re.search(r'^repository = "([^"]+)"', (ROOT / "Cargo.toml").read_text(), re.M)
    return found.group(1) if found else fail("Cargo.toml has no repository")


def citation() -> dict:
    """Returns the fields of CITATION.cff that are on one line, and its authors, abstract and keywords."""
    text = (ROOT / "CITATION.cff").read_text()
    fields = dict(re.findall(r'^([a-z-]+): "?(.+?)"?$', text, re.M))
    fields["authors"] = re.findall(r'^  - name: "(.+)"$', text, re.M)
    fields["abstract"] = " ".join(re.search(r"^abstract: >-\n((?:  .*\n)+)", text, re.M).group(1).split())
    fields["keywords"] = re.findall(r"^  - (.+)$", text.split("keywords:")[1].split("references:")[0], re.M)
    return fields


def changes(of: str) -> str:
    """Returns the section of this version in CHANGELOG.md, or the unreleased one before the release is cut."""
    sections = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(), flags=re.M)[1:]
    for heading in (of, "Unreleased"):
        for section in sections:
            if section.lstrip("[").startswith(heading):
                return "## " + section
    return fail(f"CHANGELOG.md has no section {of}")


def tree(binary: Path, browser: Optional[Path], to: Path) -> None:
    """Writes the files as they are installed, below `to`."""
    command = to / "usr/bin/misere"
    command.parent.mkdir(parents=True)
    shutil.copy(binary, command)
    said("strip", "--strip-unneeded", str(command))
    command.chmod(0o755)
    pages = to / "usr/share/man/man1"
    pages.mkdir(parents=True)
    for name in manual_pages(binary):
        page = said(str(binary), "man", *name.split()[1:])
        (pages / (name.replace(" ", "-") + ".1.gz")).write_bytes(gzip.compress(page.encode(), mtime=0))
    for shell, place in SHELLS.items():
        (to / place).parent.mkdir(parents=True, exist_ok=True)
        (to / place).write_text(said(str(binary), "completions", shell))
    if browser:
        solver = to / "usr/share/misere/browser"
        solver.mkdir(parents=True)
        for name in BROWSER_FILES:
            shutil.copy(browser / name, solver / name)
    texts = to / "usr/share/doc/misere"
    texts.mkdir(parents=True)
    for name in LICENCES + DOCUMENTS:
        shutil.copy(ROOT / name, texts / name)
    (texts / "copyright").write_text(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
        "Upstream-Name: misere-census\n\nFiles: *\nCopyright: the misere-census maintainers\n"
        "License: MIT or Apache-2.0\n The texts are beside this file.\n"
    )


def manual_pages(binary: Path) -> list:
    """Returns the commands with a manual page: `misere`, and those listed in a help."""
    names, waiting = [], ["misere"]
    while waiting:
        name = waiting.pop(0)
        names.append(name)
        help_text = said(str(binary), *name.split()[1:], "--help")
        _, _, listed = help_text.partition("\nCommands:\n")
        below = re.findall(r"^  ([a-z0-9-]+)", listed.split("\nOptions:", 1)[0], re.M)
        waiting += [f"{name} {one}" for one in below if one != "help"]
    return names


def packed(folder: Path, top: str, to: Path, when: int, preset: int = lzma.PRESET_DEFAULT) -> None:
    """Packs an archive reproducibly, independent of user and time; `preset` is the preset of xz."""

    def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = ""
        entry.mtime = when
        entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
        return entry

    # A stream, since the folder of a data set may be larger than memory.
    compressed = lzma.open(to, "wb", preset=preset) if to.suffix == ".xz" else gzip.GzipFile(to, "wb", mtime=0)
    with compressed, tarfile.open(fileobj=compressed, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for path in sorted(folder.rglob("*")):
            archive.add(path, f"{top}/{path.relative_to(folder)}", recursive=False, filter=plain)


def oldest_glibc(binary: Path) -> str:
    """Returns the version of the oldest C library with all symbols that the binary uses."""
    symbols = re.findall(r"\(?GLIBC_(2\.\d+)", said("objdump", "-T", str(binary)))
    return max(symbols, key=lambda name: int(name.split(".")[1]))


def debian_package(folder: Path, to: Path, of: str, glibc: str, when: int) -> None:
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) // 1024
    control = folder / "DEBIAN"
    control.mkdir()
    (control / "control").write_text(
        f"Package: misere\nVersion: {of}\nArchitecture: amd64\nSection: math\nPriority: optional\n"
        f"Homepage: {address()}\n"
        f"Maintainer: the misere-census maintainers <maintainers@misere-census.invalid>\n"
        f"Installed-Size: {size}\nDepends: libc6 (>= {glibc}), libstdc++6 (>= 12), libgcc-s1\n"
        "Description: misère quotients of impartial games\n"
        " The command finds the misère quotients of take-and-break games such as Kayles,\n"
        " proves every result with a separate checker, and runs a census of all octal games\n"
        " of some digits on one machine or many.\n"
    )
    environment = dict(os.environ, SOURCE_DATE_EPOCH=str(when))
    said("dpkg-deb", "--root-owner-group", "--build", str(folder), str(to), env=environment)
    shutil.rmtree(control)


def rocksdb() -> str:
    """Returns the record by deploy/rocksdb.sh of the library linked, or says that the crate compiled it."""
    config = ROOT / ".cargo/config.toml"
    found = re.search(r'^ROCKSDB_LIB_DIR = "(.*)"$', config.read_text(), re.M) if config.exists() else None
    if not found:
        return "compiled by the build script of the crate"
    folder = Path(re.sub(r"\\(.)", r"\1", found.group(1)))
    return "; ".join((folder / "about").read_text().splitlines())


def bill_of_materials(of: str) -> dict:
    """Returns every crate that the command is built from, as cargo resolves them."""
    target = "x86_64-unknown-linux-gnu"
    metadata = json.loads(
        said("cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", target, cwd=ROOT)
    )
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    first = next(id for id, package in packages.items() if package["name"] == "misere")
    needed, edges, waiting = set(), {}, [first]
    while waiting:
        at = waiting.pop()
        if at in needed:
            continue
        needed.add(at)
        below = [
            other["pkg"]
            for other in nodes[at]["deps"]
            if any(kind["kind"] != "dev" for kind in other["dep_kinds"])
        ]
        edges[at] = below
        waiting += below

    def reference(id: str) -> str:
        return f"pkg:cargo/{packages[id]['name']}@{packages[id]['version']}"

    def component(id: str) -> dict:
        package = packages[id]
        one = {
            "type": "application" if id == first else "library",
            "bom-ref": reference(id),
            "name": package["name"],
            "version": package["version"],
        }
        if package["license"]:
            one["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
        if package["source"]:
            one["purl"] = reference(id)
        if package["name"] == "librocksdb-sys":
            one["description"] = rocksdb()
        return one

    others = sorted(needed - {first}, key=reference)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": component(first)},
        "components": [component(id) for id in others],
        "dependencies": [
            {"ref": reference(id), "dependsOn": sorted({reference(other) for other in edges[id]})}
            for id in [first] + others
        ],
    }


def zenodo(of: str, title: str = "", description: str = "") -> dict:
    """Returns the metadata for an archive, of the program or of data with this title and description."""
    about = citation()
    return {
        "title": title or about["title"],
        "version": of,
        "upload_type": "dataset" if title else "software",
        "description": description or about["abstract"],
        "creators": [{"name": name} for name in about["authors"]],
        "keywords": about["keywords"],
        "license": "MIT OR Apache-2.0",
        "access_right": "open",
    }


def try_command(command: Path) -> None:
    """Solves a game, and checks its certificate."""
    with tempfile.TemporaryDirectory() as empty:
        certificate = str(Path(empty) / "kayles.json")
        said(str(command), "solve", "0.77", "--out", certificate)
        if not said(str(command), "verify", certificate).startswith("ok"):
            fail(f"{command} does not verify what it solves")


def try_pages(command: Path, browser: Optional[Path]) -> None:
    """Writes the pages of a small census; they have the solver for browsers if the release has it."""
    with tempfile.TemporaryDirectory() as empty:
        data, site = str(Path(empty) / "census"), Path(empty) / "site"
        said(str(command), "census", "run", "--codes", "0.3", "--data", data)
        said(str(command), "page", "--static", str(site), "--data", data)
        if (site / "solve.html").exists() != bool(browser):
            fail(f"{command} does not find the solver for browsers")


def try_wheel(wheel: Path) -> None:
    """Installs a wheel into an empty environment, and tries its command and, if it has one, its module."""
    with zipfile.ZipFile(wheel) as files:
        about = next(name for name in files.namelist() if name.endswith(".dist-info/METADATA"))
        if f", {address()}\n" not in files.read(about).decode():
            fail(f"{wheel} has another address of the project than Cargo.toml")
    with tempfile.TemporaryDirectory() as empty:
        venv.create(empty, with_pip=True)
        python = str(Path(empty) / "bin/python")
        said(python, "-m", "pip", "install", "--quiet", "--no-index", str(wheel))
        command = Path(empty) / "bin/misere"
        if wheel.name.startswith("misere_census-"):
            said(str(command), "census", "run", "--codes", "0.3", "--data", str(Path(empty) / "census"))
        else:
            order = said(python, "-c", "import misere; print(misere.Game('0.77').quotient().order)").strip()
            if order != "40":
                fail(f"{wheel} says that the quotient of Kayles has order {order}")
        try_command(command)


def upgrade(command: Path, previous: Path) -> str:
    """Opens and upgrades a copy of a census of an earlier release; returns its digest, which must be unchanged."""
    with tempfile.TemporaryDirectory() as empty:
        copy = Path(empty) / "census"
        shutil.copytree(previous, copy)
        noted = copy / "db" / "digest"
        before = noted.read_text().split()[4] if noted.exists() else None
        noted.unlink(missing_ok=True)
        after = said(str(command), "census", "digest", "--data", str(copy)).split()[0]
        if before is not None and before != after:
            fail(f"the digest was {before} and is {after}")
        said(str(command), "query", "--data", str(copy), "--count")
        return after


def main() -> None:
    reads = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    reads.add_argument("binary", type=Path)
    reads.add_argument("folder", type=Path)
    reads.add_argument("previous", type=Path, nargs="?")
    reads.add_argument("--wheels", type=Path)
    reads.add_argument("--browser", type=Path)
    asked = reads.parse_intermixed_args()
    binary, folder = asked.binary.resolve(), asked.folder.resolve()
    for program in ("strip", "objdump", "dpkg-deb", "git", "cargo"):
        if shutil.which(program) is None:
            fail(f"{program} is missing; with root: apt-get install binutils dpkg git, and Rust from https://rustup.rs")
    if folder == ROOT or ROOT in folder.parents:
        fail(f"{folder} lies within the clone; name a folder outside")
    of = version()
    if said(str(binary), "--version").split()[1] != of:
        fail(f"{binary} is not version {of}; run `make build`")
    if citation()["version"] != of:
        fail("CITATION.cff has another version than Cargo.toml")
    when = int(said("git", "log", "-1", "--format=%ct", cwd=ROOT))
    to = folder / of
    part = folder / f"{of}.part"
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    glibc = oldest_glibc(binary)
    name = f"misere-{of}-x86_64-linux-gnu"
    with tempfile.TemporaryDirectory() as empty:
        installed = Path(empty) / "tree"
        tree(binary, asked.browser, installed)
        packed(installed / "usr", name, part / f"{name}.tar.gz", when)
        debian_package(installed, part / f"misere_{of}_amd64.deb", of, glibc, when)
        taken = Path(empty) / "taken"
        taken.mkdir()
        said("dpkg-deb", "-x", str(part / f"misere_{of}_amd64.deb"), str(taken / "deb"))
        with tarfile.open(part / f"{name}.tar.gz") as archive:
            archive.extractall(taken / "tar", filter="data")
        commands = [taken / "deb/usr/bin/misere", taken / "tar" / name / "bin/misere"]
        for command in commands:
            try_command(command)
            try_pages(command, asked.browser)
        digest = upgrade(commands[0], asked.previous) if asked.previous else None
    if asked.wheels:
        wheels = []
        for name, target in (("misere", "python"), ("misere_census", "wheel")):
            found = sorted(asked.wheels.glob(f"{name}-{of}-*.whl"))
            if not found:
                fail(f"{asked.wheels} has no wheel {name} of version {of}; run `make {target}`")
            wheels += found
        for wheel in wheels:
            try_wheel(wheel)
            shutil.copy(wheel, part / wheel.name)
    sources = part / f"misere-census-{of}.tar.gz"
    archive = subprocess.run(
        ["git", "archive", "--format=tar", f"--prefix=misere-census-{of}/", "HEAD"],
        cwd=ROOT, capture_output=True, check=True,
    )
    sources.write_bytes(gzip.compress(archive.stdout, mtime=0))
    for file, document in ((f"misere-{of}.cdx.json", bill_of_materials(of)), ("zenodo.json", zenodo(of))):
        (part / file).write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n")
    (part / "CHANGES.md").write_text(changes(of))
    files = sorted(part.iterdir())
    sums = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (part / "SHA256SUMS").write_text("".join(sums))
    shutil.rmtree(to, ignore_errors=True)
    part.rename(to)
    for file in files:
        print(f"{(to / file.name).stat().st_size:>12}  {file.name}")
    print(f"in {to}; the command needs glibc {glibc} or later and libstdc++")
    if digest:
        print(f"a census of an earlier release was opened; its digest is {digest}")
    if said("git", "status", "--porcelain", cwd=ROOT).strip():
        print("note: the clone has changes that are not in the archive of the sources")
    if ".invalid" in address():
        print(f"note: the address of the project is still {address()}; docs/howto/release.md says where it is")


if __name__ == "__main__":
    main()
