"""The exports of a census, read with Python's own sqlite3.

A directory of `misere export --format sqlite` is read as it is. A directory of `--format jsonl` is
read once into a database in memory. A data package's database also has a table of certificates.
"""

from __future__ import annotations

import json
import re
import sqlite3
import zlib
from os.path import abspath, basename, exists, isdir, join
from pathlib import Path
from typing import Any, BinaryIO, Dict, Iterator, List, Optional, Tuple

from ._misere import Rules, read_certificate, read_claim
from .census_entries import ClassEntry, Entry, Source
from .errors import MisereError, NoCensus, NotInCensus
from .games import Solution
from .limits import UNLIMITED
from .pretending import Partial
from .quotients import Quotient

__all__ = ["Database", "JsonLines", "Source", "opened"]


def opened(path: str) -> Source:
    """Returns the source at a path."""
    if not exists(path):
        raise NoCensus(f"there is no {path}")
    if not isdir(path):
        return Database(path)
    if exists(join(path, "census.sqlite")):
        return Database(join(path, "census.sqlite"))
    if exists(join(path, "rulesets.jsonl")):
        return JsonLines(path)
    advice = (
        f"{path} has neither census.sqlite nor rulesets.jsonl; export the census first: "
        f"misere export --format sqlite --data {path} --out DIR"
    )
    raise NoCensus(advice)


def code_key(code: str) -> str:
    """Returns a text that sorts codes as the census does: short codes first."""
    found = re.fullmatch(r"([0-9a-fA-F])(?:\.([0-9a-fA-F]+))?", code)
    if found is None:
        return f"~{len(code):06d}{code}"
    digits = found[2] or ""
    return f"{found[1]}{len(digits):06d}{digits}"


def pattern(glob: str) -> str:
    """Returns a pattern of codes in the form of sqlite's GLOB; `.77` is `0.77`."""
    return f"0{glob}" if glob.startswith(".") else glob


#: The facts of the codes under which the census keeps its games.
RULESETS = """
SELECT r.code AS code, r.code AS representative, r.status, r.stopped_by, r.tame, r.quotient_order,
  r.p_size, r.class, r.heaps, r.period, r.preperiod, r.wild_from, r.diverges_at, r.tame_from,
  r.growth_start, r.fuel, {reason} AS reason, {law} AS law_period
FROM rulesets r
"""

#: The facts of a code, one row for each, aliases included.
GAMES = f"""
{RULESETS}
UNION ALL
SELECT a.alias, a.code, r.status, r.stopped_by, r.tame, r.quotient_order,
  r.p_size, r.class, a.heaps, a.period, a.preperiod, a.wild_from, a.diverges_at, a.tame_from,
  a.growth_start, r.fuel, {{reason}}, {{law}}
FROM aliases a JOIN rulesets r ON r.code = a.code
"""

#: The column of each condition on a number.
COLUMNS = {
    "order": "quotient_order",
    "p_size": "p_size",
    "period": "period",
    "preperiod": "preperiod",
    "heaps": "heaps",
    "fuel": "fuel",
    "law": "law_period",
    "wild_from": "wild_from",
    "diverges_at": "diverges_at",
    "tame_relative_from": "tame_from",
    "grows_from": "growth_start",
    "code": "code_key(code)",
}


class Database(Source):
    """A database in the form of the export."""

    _facts_of_games = GAMES

    def __init__(self, path: str) -> None:
        self._path = abspath(path)
        address = Path(self._path).as_uri() + "?mode=ro&immutable=1"
        try:
            # Threads of Python share it; sqlite locks for itself.
            self._connect(sqlite3.connect(address, uri=True, check_same_thread=False))
        except sqlite3.DatabaseError as error:
            raise NoCensus(f"{path} is not a database of an export: {error}") from error

    def _connect(self, connection: sqlite3.Connection) -> None:
        connection.row_factory = sqlite3.Row
        connection.create_function("code_key", 1, code_key, deterministic=True)
        self._connection = connection
        self._meta = dict(connection.execute("SELECT name, value FROM meta").fetchall())
        names = {row["name"] for row in connection.execute("PRAGMA table_info(rulesets)")}
        # Exports of earlier programs lack the last columns.
        reason = "r.reason" if "reason" in names else "NULL"
        law = "r.law_period" if "law_period" in names else "NULL"
        self._games = self._facts_of_games.format(reason=reason, law=law)
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        self._tables = {row["name"] for row in tables}

    def __str__(self) -> str:
        return basename(self._path)

    def facts(self) -> Dict[str, Any]:
        found: Dict[str, Any] = dict(self._meta)
        for name in ("completeness", "selection"):
            if name in found:
                found[name] = json.loads(found[name])
        return found

    def _entry(self, row: sqlite3.Row) -> Entry:
        code, representative = row["code"], row["representative"]
        others = self._connection.execute(
            "SELECT alias FROM aliases WHERE code = ? ORDER BY code_key(alias)", (representative,)
        )
        codes = [representative, *(other["alias"] for other in others)]
        names = self._connection.execute(
            "SELECT name FROM classes WHERE class = ?", (row["class"],)
        ).fetchone()
        return Entry(
            self,
            {
                "code": code,
                "representative": representative,
                "aliases": tuple(other for other in codes if other != code),
                "status": row["status"],
                "limit": row["stopped_by"],
                "tame": None if row["tame"] is None else bool(row["tame"]),
                "order": row["quotient_order"],
                "p_size": row["p_size"],
                "class_key": row["class"],
                "name": names["name"] if names else None,
                "heaps": row["heaps"],
                "period": row["period"],
                "preperiod": row["preperiod"],
                "wild_from": row["wild_from"],
                "diverges_at": row["diverges_at"],
                "tame_relative_from": row["tame_from"],
                "grows_from": row["growth_start"],
                "reason": row["reason"],
                "law_period": row["law_period"],
                "fuel": row["fuel"],
            },
        )

    def entry(self, code: str) -> Entry:
        row = self._connection.execute(
            f"SELECT * FROM ({self._games}) WHERE code = ?", (code,)
        ).fetchone()
        if row is None:
            raise NotInCensus(f"{code} is not in this census")
        return self._entry(row)

    def _conditions(self, where: Dict[str, Any]) -> Tuple[str, List[Any]]:
        terms: List[str] = []
        values: List[Any] = []
        for name, value in where.items():
            if name == "code":
                terms.append("code GLOB ?")
                values.append(pattern(value))
            elif name in ("status", "reason"):
                terms.append(f"{name} IN ({', '.join('?' * len(value))})")
                values += value
            elif name == "tame":
                terms.append(
                    {"tame": "tame = 1", "wild": "tame = 0", "open": "tame IS NULL"}[value]
                )
            elif name == "class_":
                terms.append("class GLOB ?")
                values.append(self._class_pattern(value))
            elif name == "any_class":
                terms.append(
                    "representative IN (SELECT code FROM partials WHERE class GLOB ?"
                    " UNION SELECT code FROM rulesets WHERE class GLOB ?)"
                )
                values += [self._class_pattern(value)] * 2
            elif name == "changes_at":
                low, high = self._bounds(value)
                terms.append(
                    "code IN (SELECT code FROM partials WHERE heap BETWEEN ? AND ?"
                    " UNION SELECT alias FROM alias_partials WHERE heap BETWEEN ? AND ?)"
                )
                values += [low, high, low, high]
            else:
                terms.append(f"{COLUMNS[name]} BETWEEN ? AND ?")
                values += self._bounds(value)
        return " AND ".join(terms) or "1", values

    @staticmethod
    def _bounds(value: Tuple[Optional[int], Optional[int]]) -> List[int]:
        greatest = 2**63 - 1
        low, high = value
        return [
            max(-greatest, min(0 if low is None else low, greatest)),
            max(-greatest, min(greatest if high is None else high, greatest)),
        ]

    @staticmethod
    def _class_pattern(text: str) -> str:
        if re.fullmatch(r"[0-9a-f]{4,64}", text):
            return text if len(text) == 64 else f"{text}*"
        return Quotient(text).class_key

    def _selected(self, where: Dict[str, Any]) -> Tuple[str, List[Any]]:
        """Returns the SQL for the least code of each game that satisfies the conditions."""
        terms, values = self._conditions(where)
        return (
            f"SELECT *, min(code_key(code)) FROM ({self._games}) WHERE {terms}"
            " GROUP BY representative",
            values,
        )

    def find(
        self,
        where: Dict[str, Any],
        sort: str,
        descending: bool,
        offset: int,
        limit: Optional[int],
    ) -> Iterator[Entry]:
        selected, values = self._selected(where)
        column = COLUMNS[sort]
        direction = " DESC" if descending else ""
        rows = self._connection.execute(
            f"SELECT * FROM ({selected}) ORDER BY {column} IS NULL, {column}{direction},"
            f" code_key(code){direction} LIMIT ? OFFSET ?",
            [*values, -1 if limit is None else limit, offset],
        )
        return (self._entry(row) for row in rows)

    def count(self, where: Dict[str, Any]) -> int:
        selected, values = self._selected(where)
        found = self._connection.execute(f"SELECT count(*) FROM ({selected})", values).fetchone()
        return int(found[0])

    def partials(self, code: str, representative: str) -> List[Partial]:
        table, column = (
            ("partials", "code") if code == representative else ("alias_partials", "alias")
        )
        rows = self._connection.execute(
            f"SELECT heap, quotient_order, p_size, class FROM {table} WHERE {column} = ?"
            " ORDER BY heap",
            (code,),
        )
        return [Partial(*row) for row in rows]

    def solution(self, code: str, representative: str) -> Solution:
        return renumbered(self._proved(representative), code, representative)

    def _proved(self, representative: str) -> Solution:
        if "certificates" not in self._tables:
            raise NoCensus(
                f"this export has no certificates; Game({representative!r}).solve() computes one,"
                " and exports of the form jsonl and data packages have them"
            )
        row = self._connection.execute(
            "SELECT certificate FROM certificates WHERE code = ?", (representative,)
        ).fetchone()
        if row is None:
            raise NotInCensus(f"there is no certificate of {representative}")
        try:
            data = zlib.decompress(row["certificate"])
        except zlib.error as error:
            raise NoCensus(f"the certificate of {representative} is damaged: {error}") from error
        return Solution(read_certificate(data, UNLIMITED, None))

    def classes(self, order: Optional[int], name: Optional[str]) -> List[ClassEntry]:
        rows = self._connection.execute(
            "SELECT class, quotient_order, p_size, name, first_code, first_heap FROM classes"
            " WHERE (?1 IS NULL OR quotient_order = ?1) AND (?2 IS NULL OR name = ?2)"
            " ORDER BY quotient_order, p_size, class",
            (order, name),
        )
        return [ClassEntry(*row) for row in rows]

    def class_entry(self, key: str) -> Optional[ClassEntry]:
        row = self._connection.execute(
            "SELECT class, quotient_order, p_size, name, first_code, first_heap FROM classes"
            " WHERE class = ?",
            (key,),
        ).fetchone()
        return None if row is None else ClassEntry(*row)

    def close(self) -> None:
        self._connection.close()


def renumbered(solution: Solution, code: str, representative: str) -> Solution:
    """Returns a solution under another code of the same game."""
    if code == representative:
        return solution
    claim = solution._claim.renumbered(Rules(code))
    if claim is None:
        raise MisereError(f"{code} and {representative} are not seen to be one game")
    return Solution(claim)


#: The tables of the export that are filled from JSON Lines.
TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE rulesets (code TEXT PRIMARY KEY, status, stopped_by, tame, heaps, quotient_order,
  p_size, class, period, preperiod, diverges_at, tame_from, growth_start, fuel, wild_from, reason,
  law_period, place);
CREATE TABLE aliases (alias TEXT PRIMARY KEY, code);
CREATE TABLE partials (code, heap, quotient_order, p_size, class, PRIMARY KEY (code, heap));
CREATE TABLE alias_partials (alias, heap, quotient_order, p_size, class, PRIMARY KEY (alias, heap));
CREATE TABLE classes (class TEXT PRIMARY KEY, quotient_order, p_size, name, first_code, first_heap);
CREATE INDEX partials_by_class ON partials (class);
CREATE INDEX aliases_by_code ON aliases (code);
"""


class JsonLines(Database):
    """An export of the form jsonl, read into a database in memory.

    Every line is a certificate, and is read again when the solution is requested. A line is about
    one code of a game, so an alias gives the entry of that code, with its heap numbers.
    """

    _facts_of_games = RULESETS

    def __init__(self, directory: str) -> None:
        self._path = abspath(directory)
        connection = sqlite3.connect(":memory:", check_same_thread=False)
        connection.executescript(TABLES)
        self._file: BinaryIO = open(join(directory, "rulesets.jsonl"), "rb")
        try:
            self._read(connection, directory)
        except (ValueError, KeyError, TypeError, OSError, sqlite3.Error) as error:
            self._file.close()
            raise NoCensus(f"{directory} is not an export of the form jsonl: {error!r}") from error
        self._connect(connection)

    def _read(self, connection: sqlite3.Connection, directory: str) -> None:
        manifest = json.loads(Path(directory, "manifest.json").read_text(encoding="utf-8"))
        for name in ("schema", "plan", "digest", "engine", "completeness", "selection"):
            value = manifest[name]
            text = value if isinstance(value, str) else json.dumps(value)
            connection.execute("INSERT INTO meta VALUES (?, ?)", (name, text))
        with open(join(directory, "classes.jsonl"), "rb") as classes:
            for line in classes:
                found = json.loads(line)
                first = found["first"]
                connection.execute(
                    "INSERT INTO classes VALUES (?, ?, ?, ?, ?, ?)",
                    (
                        found["class"],
                        found["order"],
                        found["p_size"],
                        found["name"],
                        first["code"],
                        first["heap"],
                    ),
                )
        names = {
            row[0] for row in connection.execute("SELECT class FROM classes WHERE name LIKE 'T%'")
        }
        place = 0
        for line in self._file:
            self._insert(connection, json.loads(line), names, place)
            place += len(line)

    @staticmethod
    def _insert(
        connection: sqlite3.Connection, line: Dict[str, Any], tame: Any, place: int
    ) -> None:
        quotient, partials = line["quotient"], line["partials"]
        wild_from = next((at["heap"] for at in partials if at["class"] not in tame), None)
        connection.execute(
            "INSERT INTO rulesets VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                line["code"],
                line["status"],
                line.get("limit"),
                line["tame"],
                line["heaps"],
                quotient["order"],
                quotient["p_size"],
                quotient["class"],
                line["period"],
                line["preperiod"],
                line["diverges_at"],
                (line.get("tame_relative") or {}).get("heap"),
                (line.get("growth") or {}).get("start"),
                line["fuel"],
                wild_from,
                line.get("reason"),
                (line.get("law") or {}).get("period"),
                place,
            ),
        )
        insert = "INSERT INTO partials VALUES (?, ?, ?, ?, ?)"
        rows = [(at["heap"], at["order"], at["p_size"], at["class"]) for at in partials]
        connection.executemany(insert, [(line["code"], *row) for row in rows])
        connection.executemany(
            "INSERT INTO aliases VALUES (?, ?)",
            [(other, line["code"]) for other in line["aliases"]],
        )

    def entry(self, code: str) -> Entry:
        row = self._connection.execute(
            "SELECT code FROM aliases WHERE alias = ?", (code,)
        ).fetchone()
        return super().entry(code if row is None else row["code"])

    def _proved(self, representative: str) -> Solution:
        row = self._connection.execute(
            "SELECT place FROM rulesets WHERE code = ?", (representative,)
        ).fetchone()
        if row is None:
            raise NotInCensus(f"{representative} is not in this census")
        self._file.seek(row["place"])
        line = self._file.readline().decode("utf-8")
        return Solution(read_claim(line, UNLIMITED, None))

    def close(self) -> None:
        super().close()
        self._file.close()
