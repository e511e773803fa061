"""A census over HTTP: the API of `misere serve` and of a coordinator (`/api/v1`)."""

from __future__ import annotations

import json
from typing import Any, Dict, Iterator, List, Optional, Tuple
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

from ._misere import read_claim
from .census_conditions import EVENTS, NUMBERS
from .census_entries import ClassEntry, Entry, Source
from .errors import MisereError, NoCensus, NotInCensus
from .games import Solution
from .limits import UNLIMITED
from .pretending import Partial

__all__ = ["Server"]

#: The greatest number of games that the API returns at a time.
PAGE = 1_000

#: The greatest number of bytes of an answer that are read.
MOST_BYTES = 1 << 30


class Server(Source):
    """The API at an address."""

    def __init__(self, address: str, timeout: float) -> None:
        self._address = address.rstrip("/")
        self._timeout = timeout
        found: Dict[str, Any] = self._get("/api/v1/census")
        try:
            self._facts = {**found, "digest": found["completeness"]["digest"]}
        except (KeyError, TypeError) as error:
            raise NoCensus(f"{address} is not a census: it lacks {error}") from error

    def __str__(self) -> str:
        return self._address

    def _get(self, path: str, **query: Any) -> Any:
        address = f"{self._address}{path}"
        if query:
            address += "?" + urlencode(query)
        request = Request(address, headers={"Accept": "application/json"})
        try:
            with urlopen(request, timeout=self._timeout) as answer:
                return json.loads(answer.read(MOST_BYTES))
        except HTTPError as error:
            raise self._fault(address, error) from error
        except (URLError, OSError) as error:
            reason = getattr(error, "reason", error)
            raise NoCensus(f"{address} cannot be reached: {reason}") from error
        except ValueError as error:
            raise NoCensus(f"{address} is not a census: {error}") from error

    @staticmethod
    def _fault(address: str, error: HTTPError) -> MisereError:
        try:
            body = json.loads(error.read(1 << 16))
            said = ". ".join(filter(None, (body["says"], body.get("advice"))))
        except (ValueError, KeyError, TypeError, OSError):
            return NoCensus(f"{address} answers {error.code}, and so no census")
        return NotInCensus(said) if error.code == 404 else MisereError(said)

    def facts(self) -> Dict[str, Any]:
        return dict(self._facts)

    def _entry(self, record: Dict[str, Any]) -> Entry:
        codes = [record["representative"], *record["aliases"]]
        facts = {
            **record,
            "aliases": tuple(dict.fromkeys(code for code in codes if code != record["code"])),
            "class_key": record["class"],
            "tame_relative_from": (record["tame_relative"] or {}).get("heap"),
            "grows_from": (record["growth"] or {}).get("start"),
            "law_period": (record.get("law") or {}).get("period"),
            "partials": [
                Partial(at["heap"], at["order"], at["p_size"], at["class"])
                for at in record["partials"]
            ],
        }
        return Entry(self, facts)

    def entry(self, code: str) -> Entry:
        found = self._get(f"/api/v1/games/{quote(code, safe='')}")
        return self._entry(found.get("game", found) if isinstance(found, dict) else found)

    def _parameters(self, where: Dict[str, Any]) -> List[Tuple[str, str]]:
        found: List[Tuple[str, str]] = []
        for name, value in where.items():
            parameter = name.rstrip("_").replace("_", "-")
            if name in NUMBERS or name in EVENTS:
                low, high = value
                bounds = "..".join("" if bound is None else str(bound) for bound in (low, high))
                found.append((parameter, bounds))
            elif isinstance(value, list):
                found.append((parameter, ",".join(value)))
            else:
                found.append((parameter, value))
        return found

    def _page(self, where: Dict[str, Any], **more: Any) -> Dict[str, Any]:
        query = dict(self._parameters(where))
        query.update({name: str(value) for name, value in more.items()})
        found: Dict[str, Any] = self._get("/api/v1/games", **query)
        return found

    def find(
        self,
        where: Dict[str, Any],
        sort: str,
        descending: bool,
        offset: int,
        limit: Optional[int],
    ) -> Iterator[Entry]:
        order: Dict[str, Any] = {"sort": sort.replace("_", "-")}
        if descending:
            order["descending"] = 1
        while limit is None or limit > 0:
            size = PAGE if limit is None else min(PAGE, limit)
            page = self._page(where, **order, offset=offset, limit=size)
            yield from map(self._entry, page["games"])
            offset += len(page["games"])
            limit = None if limit is None else limit - len(page["games"])
            if page["next"] is None or not page["games"]:
                return

    def count(self, where: Dict[str, Any]) -> int:
        total = self._page(where, limit=0)["total"]
        if total is not None:
            return int(total)
        return sum(1 for _ in self.find(where, "code", False, 0, None))

    def partials(self, code: str, representative: str) -> List[Partial]:
        return list(self.entry(code).partials)

    def solution(self, code: str, representative: str) -> Solution:
        document = self._get(f"/api/v1/games/{quote(code, safe='')}/solution")
        return Solution(read_claim(json.dumps(document), UNLIMITED, None))

    def classes(self, order: Optional[int], name: Optional[str]) -> List[ClassEntry]:
        query = {} if order is None else {"order": order}
        found = self._get("/api/v1/classes", **query)["classes"]
        entries = [self._class(entry) for entry in found]
        return [entry for entry in entries if name is None or entry.name == name]

    @staticmethod
    def _class(found: Dict[str, Any]) -> ClassEntry:
        # The API does not report the first occurrence of a class.
        return ClassEntry(
            found["class"], found["order"], found["p_size"], found["name"], None, None
        )

    def class_entry(self, key: str) -> Optional[ClassEntry]:
        try:
            return self._class(self._get(f"/api/v1/classes/{key}"))
        except NotInCensus:
            return None
