"""A data set: the results of a long run in a form that can be published, checked and cited.

    python3 deploy/data_set.py BINARY SOURCE FOLDER --name NAME --title TITLE
        [--command COMMAND] [--run TEXT] [--every N]

SOURCE is the directory of a census, or a document that `misere verify` reads (a list of quotients,
nim-values). COMMAND is the command that makes the same data, and TEXT says on which machine the run
took place and how long it took. The script writes into FOLDER/NAME, which it replaces:

    NAME.tar.xz     the data set, an archive of a folder NAME with the files below
    NAME.json       the metadata for an archive that gives a DOI
    SHA256SUMS      the hashes of both

    README.md       what the data are, what is proved, how to check, repeat and cite them
    lines/          for a census: every ruleset with its certificate, and every class (JSON Lines);
                    for one with quotients of small order: their list
    tables/         for a census of games: the same as tables (SQLite), without the certificates
    SOURCE          for a document: the document
    LICENSE-…       the licences
    SHA256SUMS      the hashes of all of these

The command checks certificates before they are written: each of them, or each Nth with
`--every N`; the README.md says how many. The archive is read again and compared with its hashes.
The same source and commit give the same files.
"""

import argparse
import hashlib
import json
import lzma
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import textwrap
from pathlib import Path

from release import LICENCES, ROOT, fail, packed, said, version, zenodo

AT_ONCE = 50
"""The number of certificates that one process checks."""

LARGE = 2**30
"""The size in bytes from which on a data set is packed with the preset `FAST`."""

FAST = 2
"""The preset of xz for large data sets: an hour becomes minutes, and the archive a third larger."""

README = """\
# {title}

{about}

{statement}

## Files

{files}

The digest of the data is

    {digest}

They were made by version {version} of the program misere-census.

## How the data were made

{made}

## How to check them

    sha256sum --check SHA256SUMS
{checks}

{verified}

## Licence and citation

The data may be used under the terms of the MIT licence or of the Apache licence 2.0, as the program
may. To cite them:

> {citation}
"""


def filled(text: str) -> str:
    return textwrap.fill(text, 100, break_long_words=False, break_on_hyphens=False)


def digest_of(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def hashes(folder: Path) -> str:
    """Returns the lines of SHA256SUMS for the files of a folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "SHA256SUMS")
    lines = []
    for file in files:
        lines.append(f"{digest_of(file)}  {file.relative_to(folder)}\n")
    return "".join(lines)


def verify(binary: Path, documents: list) -> None:
    """Checks documents with the command, some at a time, and shows the progress."""
    for first in range(0, len(documents), AT_ONCE):
        some = documents[first : first + AT_ONCE]
        done = subprocess.run([binary, "verify", *some], capture_output=True, text=True)
        if done.returncode != 0:
            fail(f"a certificate was refused: {(done.stdout + done.stderr).strip()[-400:]}")
        if sys.stderr.isatty():
            print(f"\r{first + len(some)} of {len(documents)} checked", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print(file=sys.stderr)


def verify_lines(binary: Path, lines: Path, every: int) -> int:
    """Checks every Nth line of a file of certificates, and returns their number."""
    with tempfile.TemporaryDirectory() as empty, lines.open() as all_lines:
        documents = []
        for number, line in enumerate(all_lines):
            if number % every == 0:
                documents.append(Path(empty) / f"{number}.json")
                documents[-1].write_text(line)
        verify(binary, documents)
    return len(documents)


def of_census(binary: Path, data: Path, to: Path, every: int) -> dict:
    """Writes the files of a census, and returns the parts of the README.md about them."""
    said(str(binary), "export", "--format", "jsonl", "--data", str(data), "--out", str(to / "lines"))
    manifest = json.loads((to / "lines/manifest.json").read_text())
    rulesets, quotients = (manifest["counts"].get(of, 0) for of in ("rulesets", "quotients"))
    holds, checks, verified = [], ["misere export --check lines"], []
    if rulesets:
        tables = ["--format", "sqlite", "--without-quotients", "--data", str(data)]
        said(str(binary), "export", *tables, "--out", str(to / "tables"))
        if manifest["digest"] != json.loads((to / "tables/manifest.json").read_text())["digest"]:
            fail(f"{data} is at work: it changed between two exports; wait, or make a backup of it")
        checked = verify_lines(binary, to / "lines/rulesets.jsonl", every)
        holds.append(f"{rulesets} rulesets, with certificates")
        checks += ["misere export --check tables", "sed -n 1p lines/rulesets.jsonl | misere verify -"]
        verified.append(
            f"Each line of `lines/rulesets.jsonl` is a certificate. {checked} of the {rulesets} were "
            "checked from scratch when this data set was made"
            + (f": every {every}th line, from the first on." if every > 1 else ".")
        )
    if quotients:
        verify(binary, [to / "lines/quotients.json"])
        holds.append(f"{quotients} misère quotients of small order, with games")
        checks.append("misere verify lines/quotients.json")
        verified.append("All of `lines/quotients.json` was checked from scratch when this data set was made.")
    if not holds:
        fail(f"{data} has no results yet")
    cited = said(str(binary), "cite", "--format", "text", "--data", str(data)).strip()
    return {
        "about": f"A census of misère quotients of impartial games: {'; '.join(holds)}.",
        "statement": "\n".join(f"- {filled(line)}".replace("\n", "\n  ") for line in manifest["statement"]),
        "digest": manifest["digest"],
        "checks": "\n".join(f"    {check}" for check in checks),
        "verified": filled(" ".join(verified)),
        "citation": filled(cited).replace("\n", "\n> "),
    }


def of_document(binary: Path, document: Path, to: Path, title: str) -> dict:
    """Copies a document that the command can check, and returns the parts of the README.md about it."""
    verify(binary, [document])
    shutil.copy(document, to / document.name)
    digest = digest_of(document)
    cited = f"{title}. misere-census {version()}, SHA-256 {digest}."
    return {
        "about": f"The document `{document.name}` of the program misere-census (docs/certificate.md).",
        "statement": "Every claim of the document has its certificate in the document.",
        "digest": digest,
        "checks": f"    misere verify {document.name}",
        "verified": "The whole document was checked from scratch when this data set was made.",
        "citation": filled(cited).replace("\n", "\n> "),
    }


def table(folder: Path) -> str:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    rows = [f"| `{path.relative_to(folder)}` | {path.stat().st_size} |" for path in files]
    return "\n".join(["| file | bytes |", "|---|---|", *rows])


def pack(folder: Path, to: Path) -> None:
    """Packs the folder reproducibly, independent of user and time, and checks the archive by reading it."""
    when = int(said("git", "log", "-1", "--format=%ct", cwd=ROOT))
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    packed(folder, folder.name, to, when, preset=FAST if size > LARGE else lzma.PRESET_DEFAULT)
    if hashes_in_archive(to, folder.name) != (folder / "SHA256SUMS").read_text():
        fail(f"{to} does not have the files that were packed")


def hashes_in_archive(archive: Path, top: str) -> str:
    """Returns the lines of SHA256SUMS for the files in an archive, which is read once and not unpacked."""
    found = {}
    with tarfile.open(archive, "r|xz") as entries:
        for entry in entries:
            path = Path(entry.name).relative_to(top)
            if entry.isfile() and path.name != "SHA256SUMS":
                found[path] = hashlib.file_digest(entries.extractfile(entry), "sha256").hexdigest()
    return "".join(f"{found[path]}  {path}\n" for path in sorted(found))


def main() -> None:
    reads = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    reads.add_argument("binary", type=Path)
    reads.add_argument("source", type=Path)
    reads.add_argument("folder", type=Path)
    reads.add_argument("--name", required=True)
    reads.add_argument("--title", required=True)
    reads.add_argument("--command", default="")
    reads.add_argument("--run", default="")
    reads.add_argument("--every", type=int, default=1)
    asked = reads.parse_args()
    binary, folder, name = asked.binary.resolve(), asked.folder.resolve(), asked.name
    if not asked.source.exists():
        fail(f"{asked.source} does not exist")
    if asked.every < 1:
        fail("--every takes a number from 1 on")
    if Path(name).name != name or name.startswith("."):
        fail(f"`{name}` is no name of a folder")
    if folder == ROOT or ROOT in folder.parents:
        fail(f"{folder} lies within the clone; name a folder outside")
    part, to = folder / f"{name}.part", folder / name
    shutil.rmtree(part, ignore_errors=True)
    inner = part / name
    inner.mkdir(parents=True)
    if asked.source.is_dir():
        says = of_census(binary, asked.source, inner, asked.every)
    else:
        says = of_document(binary, asked.source, inner, asked.title)
    made = [f"    {asked.command}\n"] if asked.command else []
    made.append(filled(asked.run or "The run has no further description."))
    says |= {"title": asked.title, "version": version(), "made": "\n".join(made)}
    for licence in LICENCES:
        shutil.copy(ROOT / licence, inner)
    (inner / "README.md").write_text(README.format(files=table(inner), **says))
    (inner / "SHA256SUMS").write_text(hashes(inner))
    pack(inner, part / f"{name}.tar.xz")
    shutil.rmtree(inner)
    about = zenodo(version(), asked.title, f"{says['about']} Digest {says['digest']}.")
    (part / f"{name}.json").write_text(json.dumps(about, indent=2, ensure_ascii=False) + "\n")
    (part / "SHA256SUMS").write_text(hashes(part))
    shutil.rmtree(to, ignore_errors=True)
    os.rename(part, to)
    for file in sorted(to.iterdir()):
        print(f"{file.stat().st_size:>12}  {file.name}")
    print(f"in {to}; digest {says['digest']}")


if __name__ == "__main__":
    main()
