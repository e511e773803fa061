"""Data packages: a census, or the list of the quotients of small order, as a wheel.

    python -m misere.data_package census --tables DIR --lines DIR --out DIR
    python -m misere.data_package orders --list FILE --out DIR

The first command makes `misere_census_3` from two exports of one census: `misere export --format
sqlite --without-quotients` and `misere export --format jsonl`. The second makes `misere_orders_18`
from the list of `misere classify --order 18 --json`. Every packed certificate is proved first.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import re
import shutil
import sqlite3
import sys
import tempfile
import zipfile
import zlib
from pathlib import Path
from typing import Dict, List, Optional, Sequence

from ._misere import __version__, read_claim
from .errors import BadCertificate, MisereError, NoCensus
from .limits import UNLIMITED
from .small_orders import SmallOrders

__all__ = ["census_wheel", "main", "orders_wheel"]

LICENCE = "MIT OR Apache-2.0"

CENSUS_MODULE = '''\
"""{title}

>>> import {name}
>>> census = {name}.open()
>>> census["0.77"].period
12

The digest of the census is
{digest}
"""

from pathlib import Path

from misere import Census

DIGEST = {digest!r}
LICENCE = {licence!r}
CITATION = {citation!r}

__all__ = ["CITATION", "DIGEST", "LICENCE", "open"]


def open() -> Census:
    """Opens the census for reading."""
    return Census.open(Path(__file__).with_name("census.sqlite"))
'''

ORDERS_MODULE = '''\
"""{title}

>>> import {name}
>>> {name}.open().counts[12]
6

The SHA-256 digest of the list is
{digest}
"""

import zlib
from pathlib import Path

from misere import SmallOrders

DIGEST = {digest!r}
LICENCE = {licence!r}
CITATION = {citation!r}

__all__ = ["CITATION", "DIGEST", "LICENCE", "open"]


def open() -> SmallOrders:
    """Reads the list."""
    data = Path(__file__).with_name("quotients.json.z").read_bytes()
    return SmallOrders.from_json(zlib.decompress(data))
'''


def citation(title: str, digest: str) -> str:
    """Returns the citation of the data, by a digest that no later version has."""
    return (
        f"{title} misere-census {__version__}, digest {digest}, "
        "computed with the methods of T. E. Plambeck and A. N. Siegel, Misere quotients for "
        "impartial games, J. Combin. Theory Ser. A 115 (2008) 593-622."
    )


def census_wheel(tables: Path, lines: Path, out: Path, name: Optional[str] = None) -> Path:
    """Makes the wheel of a census, from two exports of it."""
    manifests = [
        json.loads((directory / "manifest.json").read_text(encoding="utf-8"))
        for directory in (tables, lines)
    ]
    digests = {manifest["digest"] for manifest in manifests}
    if len(digests) > 1:
        raise NoCensus(f"{tables} and {lines} are exports of two censuses")
    if any(manifest["selection"] for manifest in manifests):
        raise NoCensus("one of the exports is a selection; export the whole census")
    digest = digests.pop()
    with tempfile.TemporaryDirectory() as directory:
        database = Path(directory, "census.sqlite")
        shutil.copyfile(tables / "census.sqlite", database)
        connection = sqlite3.connect(database)
        try:
            codes = _pack(connection, lines)
            longest = max(len(code.partition(".")[2]) for code in codes)
            name = name or f"misere_census_{longest}"
            title = (
                f"A census of {len(codes)} octal games of at most {longest} digits "
                "in misere play, with certificates."
            )
            cited = citation(title, digest)
            connection.executemany(
                "INSERT INTO meta VALUES (?, ?)", [("licence", LICENCE), ("citation", cited)]
            )
            connection.commit()
            connection.execute("VACUUM")
        finally:
            connection.close()
        files = {
            "census.sqlite": database.read_bytes(),
            "__init__.py": CENSUS_MODULE.format(
                name=name, title=title, digest=digest, licence=LICENCE, citation=cited
            ).encode(),
        }
    return _wheel(out, name, title, files)


def _pack(connection: sqlite3.Connection, lines: Path) -> List[str]:
    connection.execute(
        "CREATE TABLE certificates (code TEXT PRIMARY KEY, certificate BLOB NOT NULL)"
        " STRICT, WITHOUT ROWID"
    )
    codes = [row[0] for row in connection.execute("SELECT code FROM rulesets")]
    with open(lines / "rulesets.jsonl", encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            claim = read_claim(line, UNLIMITED, None)
            certificate = zlib.compress(bytes(claim.certificate()), 9)
            code = claim.rules().code()
            connection.execute("INSERT INTO certificates VALUES (?, ?)", (code, certificate))
            if sys.stderr.isatty():
                print(f"\r{number} certificates proved, {code}  ", end="", file=sys.stderr)
    packed = {row[0] for row in connection.execute("SELECT code FROM certificates")}
    missing = sorted(set(codes) ^ packed)
    if missing:
        raise NoCensus(f"the exports differ in {', '.join(missing[:5])}")
    return codes


def orders_wheel(file: Path, out: Path, name: Optional[str] = None) -> Path:
    """Makes the wheel of a list of `misere classify --json`."""
    text = file.read_bytes()
    orders = SmallOrders.from_json(text)
    document = json.loads(text)
    if document.get("status") != "complete":
        raise BadCertificate(f"{file} is not complete: its status is {document.get('status')!r}")
    for entry in orders:
        entry.verify()
    name = name or f"misere_orders_{orders.max_order}"
    digest = hashlib.sha256(text).hexdigest()
    title = f"The {len(orders)} misere quotients of order 2 to {orders.max_order}, with games."
    files = {
        "quotients.json.z": zlib.compress(text, 9),
        "__init__.py": ORDERS_MODULE.format(
            name=name,
            title=title,
            digest=digest,
            licence=LICENCE,
            citation=citation(title, digest),
        ).encode(),
    }
    return _wheel(out, name, title, files)


def _wheel(out: Path, name: str, title: str, files: Dict[str, bytes]) -> Path:
    """Makes a wheel of one package; equal files give equal bytes."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise ValueError(f"{name!r} is not a name of a package")
    about = f"{name}-{__version__}.dist-info"
    inside = {f"{name}/{file}": data for file, data in files.items()}
    inside[f"{name}/py.typed"] = b""
    inside[f"{about}/METADATA"] = (
        f"Metadata-Version: 2.4\nName: {name}\nVersion: {__version__}\nSummary: {title}\n"
        f"License-Expression: {LICENCE}\nRequires-Python: >=3.9\n"
        f"Requires-Dist: misere>={__version__}\n"
    ).encode()
    inside[f"{about}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: misere {__version__}\n"
        "Root-Is-Purelib: true\nTag: py3-none-any\n"
    ).encode()
    record = f"{about}/RECORD"
    rows = []
    for path, data in inside.items():
        hashed = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.append(f"{path},sha256={hashed},{len(data)}\n")
    inside[record] = "".join([*rows, f"{record},,\n"]).encode()
    out.mkdir(parents=True, exist_ok=True)
    wheel = out / f"{name}-{__version__}-py3-none-any.whl"
    part = wheel.with_suffix(".part")
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in inside.items():
            entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    part.replace(wheel)
    return wheel


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs the command line of this module."""
    parser = argparse.ArgumentParser(
        prog="python -m misere.data_package", description="Make a wheel of data."
    )
    kinds = parser.add_subparsers(dest="kind", required=True)
    census = kinds.add_parser("census", help="a census with certificates")
    census.add_argument("--tables", type=Path, required=True, help="the export of the form sqlite")
    census.add_argument("--lines", type=Path, required=True, help="the export of the form jsonl")
    orders = kinds.add_parser("orders", help="the misère quotients of small order")
    orders.add_argument("--list", type=Path, required=True, help="from misere classify --json")
    for kind in (census, orders):
        kind.add_argument("--out", type=Path, required=True, help="the directory of the wheel")
        kind.add_argument("--name", help="the name of the package, if not the usual one")
    given = parser.parse_args(arguments)
    try:
        if given.kind == "census":
            wheel = census_wheel(given.tables, given.lines, given.out, given.name)
        else:
            wheel = orders_wheel(given.list, given.out, given.name)
        size = wheel.stat().st_size
    except (MisereError, OSError, ValueError, KeyError, sqlite3.Error) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"{wheel} ({size / 1e3:.0f} kB)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
