"""A census: the results of many games, from an export, a data package or a server.

>>> from misere import Census
>>> census = Census.example()
>>> census["0.123"].order
20
>>> [entry.code for entry in census.query(status="solved", order=(6, 20))][:3]
['0.22', '0.31', '0.32']

`Census.open("census-sqlite")` opens a directory of `misere export`, and
`Census("http://127.0.0.1:8117")` reads from `misere serve` or a coordinator.
"""

from __future__ import annotations

import re
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Tuple, Union, overload

from .census_conditions import SORTED_BY, conditions
from .census_entries import ClassEntry, Entry, Source
from .errors import MisereError, NotInCensus
from .games import Game, quotient_of
from .quotients import Quotient

if TYPE_CHECKING:
    import pandas

__all__ = ["Census", "ClassEntry", "Entry", "Query"]


class Query:
    """The games of a census that satisfy given conditions: an iterator, a sequence, a slice."""

    def __init__(
        self,
        source: Source,
        where: Dict[str, Any],
        sort: str = "code",
        descending: bool = False,
        window: Tuple[int, Optional[int]] = (0, None),
    ) -> None:
        if sort not in SORTED_BY:
            raise ValueError(f"answers are sorted by {', '.join(SORTED_BY)}, not by {sort!r}")
        self._source = source
        self._where = where
        self._sort = sort
        self._descending = descending
        self._window = window

    def _part(self, start: int, stop: Optional[int]) -> Iterator[Entry]:
        offset, end = self._window
        first = offset + start
        last = end if stop is None else offset + stop
        last = last if end is None or last is None else min(last, end)
        if last is not None and first >= last:
            return iter(())
        limit = None if last is None else last - first
        return self._source.find(self._where, self._sort, self._descending, first, limit)

    def __iter__(self) -> Iterator[Entry]:
        return self._part(0, None)

    def __len__(self) -> int:
        offset, end = self._window
        total = self._source.count(self._where)
        return max(0, (total if end is None else min(total, end)) - offset)

    count = __len__

    def __bool__(self) -> bool:
        return next(self._part(0, 1), None) is not None

    @overload
    def __getitem__(self, at: int) -> Entry: ...

    @overload
    def __getitem__(self, at: slice) -> "Query": ...

    def __getitem__(self, at: Union[int, slice]) -> Union[Entry, "Query"]:
        if isinstance(at, slice):
            if at.step not in (None, 1):
                raise ValueError("a slice of a query has step 1; use list(query)[::step]")
            start, stop = at.start or 0, at.stop
            if start < 0 or (stop is not None and stop < 0):
                start, stop, _ = at.indices(len(self))
            offset, end = self._window
            last = end if stop is None else offset + stop
            last = last if end is None or last is None else min(last, end)
            window = (offset + start, last)
            return Query(self._source, self._where, self._sort, self._descending, window)
        place = at + len(self) if at < 0 else at
        found = next(self._part(place, place + 1), None) if place >= 0 else None
        if found is None:
            raise IndexError(f"there is no answer {at}; there are {len(self)}")
        return found

    def first(self) -> Optional[Entry]:
        """Returns the first answer, if there is one."""
        return next(self._part(0, 1), None)

    def to_pandas(self) -> "pandas.DataFrame":
        """Returns the answers, one row each, as a `pandas.DataFrame`; needs pandas."""
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError("to_pandas needs pandas: pip install pandas") from error
        left_out = ("partials", "renumberings", "distinct_multiples")
        rows = [
            {name: value for name, value in entry.to_dict().items() if name not in left_out}
            for entry in self
        ]
        return pd.DataFrame(rows).set_index("code") if rows else pd.DataFrame()

    def __repr__(self) -> str:
        asked = ", ".join(f"{name}={value!r}" for name, value in self._where.items())
        return f"<{len(self)} games: {asked or 'all'}>"


class Census:
    """A census, for reading.

    `Census.open(path)` opens an export (`misere export --format jsonl` or `sqlite`) or the file of
    a data package, `Census(url)` the pages of `misere serve`.

    Parameters
    ----------
    at : str or path
        The address, or the path of an export.
    timeout : float
        The most seconds for an answer from an address.

    Raises
    ------
    NoCensus
        If the address or the path does not have one.
    """

    def __init__(self, at: Union[str, "PathLike[str]", Source], *, timeout: float = 60.0) -> None:
        self._source = at if isinstance(at, Source) else _source(fspath(at), timeout)

    @classmethod
    def open(cls, path: Union[str, "PathLike[str]"]) -> "Census":
        """Opens the census of an export or of a data package.

        Parameters
        ----------
        path : str or path
            The directory of the export, or the file `census.sqlite` in it.

        Raises
        ------
        NoCensus
            If the path does not have one.
        """
        return cls(_export(fspath(path)))

    @classmethod
    def example(cls, form: str = "sqlite") -> "Census":
        """Opens a small census in the package, for examples and notebooks.

        It has the games of the census of three digits whose quotient has at most 24 elements.

        Parameters
        ----------
        form : str
            The form of the export: `sqlite` or `jsonl`.
        """
        if form not in ("sqlite", "jsonl"):
            raise ValueError(f"form is 'sqlite' or 'jsonl', not {form!r}")
        return cls.open(Path(__file__).parent / "examples" / f"small-{form}")

    # The census as a whole.

    @property
    def facts(self) -> Dict[str, Any]:
        """The facts about the census: `digest`, `plan`, `engine`, `complete`, `statement`, …."""
        return self._source.facts()

    @property
    def digest(self) -> str:
        """The digest of all records."""
        return str(self.facts["digest"])

    @property
    def licence(self) -> Optional[str]:
        """The licence of the data, in a data package."""
        return self.facts.get("licence")

    @property
    def citation(self) -> Optional[str]:
        """The citation of the data, in a data package."""
        return self.facts.get("citation")

    # Games.

    def __getitem__(self, code: Union[str, Game]) -> Entry:
        game = code if isinstance(code, Game) else Game(code)
        return self._source.entry(game.code)

    def get(self, code: Union[str, Game], default: Optional[Entry] = None) -> Optional[Entry]:
        """Returns the entry of a game, or a default if the census does not have it.

        Parameters
        ----------
        code : str or Game
            The game.
        default : Entry, optional
            The default.
        """
        try:
            return self[code]
        except NotInCensus:
            return default

    def __contains__(self, code: object) -> bool:
        if not isinstance(code, (str, Game)):
            return False
        try:
            self[code]
        except MisereError:
            return False
        return True

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.query())

    def __len__(self) -> int:
        """Returns the number of games; several codes of one game count once."""
        return len(self.query())

    def query(self, *, sort: str = "code", descending: bool = False, **where: Any) -> Query:
        """Returns the games that satisfy all conditions, as `misere query` finds them.

        Parameters
        ----------
        sort : str
            The fact by which the games are sorted.
        descending : bool
            Whether the greatest comes first.
        **where
            The conditions. `code` is a pattern (`0.[0-4]?`), `status` a word or a list of words,
            `tame` is True, False or None (open), `class_` and `any_class` are names, keys or
            quotients. `order`, `p_size`, `period`, `preperiod`, `heaps`, `fuel`, `law`,
            `changes_at`, `wild_from`, `diverges_at`, `tame_relative_from` and `grows_from` are
            numbers, ranges or pairs of bounds.

        Examples
        --------
        >>> with Census.example() as census:
        ...     [entry.code for entry in census.query(order=(6, 20), period=5)][:3]
        ['0.022', '0.122', '0.123']
        """
        return Query(self._source, conditions(where), sort, descending)

    # Classes.

    def classes(self, order: Optional[int] = None, name: Optional[str] = None) -> List[ClassEntry]:
        """Returns the classes of isomorphic quotients that occur, by order.

        Parameters
        ----------
        order : int, optional
            The number of elements.
        name : str, optional
            The name of the class.
        """
        return self._source.classes(order, name)

    def identify(self, quotient: Union[Quotient, str, Game]) -> Optional[ClassEntry]:
        """Returns the class of a quotient, if it occurs here.

        Parameters
        ----------
        quotient : Quotient, str or Game
            The quotient, its name or presentation, or a game that has it.
        """
        key = class_key_of(quotient)
        return self._source.class_entry(key)

    def excluded(self, quotient: Union[Quotient, str, Game]) -> Tuple[str, ...]:
        """Returns what the lack of a quotient excludes, as sentences; none if the census has it.

        Parameters
        ----------
        quotient : Quotient, str or Game
            The quotient, as in `Census.identify`.
        """
        if self.identify(quotient) is not None:
            return ()
        facts = self.facts
        about = facts["completeness"]
        # The rulesets of the plan; batches of quotients do not count.
        tasks = about["tasks"]
        ended = tasks - about["pending"] - about["quarantined"] - about["dropped"]
        if facts.get("selection"):
            said = "not excluded: this export has a part of the census only"
        elif tasks == ended:
            said = (
                f"excluded by that: all {tasks} rulesets of the census ended, each as far as its"
                " budget went"
            )
        else:
            said = (
                f"not excluded: {ended} of the {tasks} rulesets of the census ended, so a game may"
                " still have it"
            )
        to = _quotients_to(about["orders"])
        if to is None:
            return (said,)
        order = order_of(quotient)
        if order is None:
            return (said, f"the census has all misère quotients to order {to}")
        then = (
            "this is none of them: no games have it" if order <= to else "its order is greater"
        )
        return (said, f"the census has all misère quotients to order {to}, and {then}")

    def games_with(self, quotient: Union[Quotient, str, Game], *, partial: bool = False) -> Query:
        """Returns the games with a quotient.

        Parameters
        ----------
        quotient : Quotient, str or Game
            The quotient, as in `Census.identify`.
        partial : bool
            Whether games that have it as a partial quotient count, too.
        """
        key = class_key_of(quotient)
        return self.query(any_class=key) if partial else self.query(class_=key)

    def close(self) -> None:
        """Closes the files of the census."""
        self._source.close()

    def __enter__(self) -> "Census":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<census of {len(self)} games, digest {self.digest[:12]}…, {self._source}>"


def _source(place: str, timeout: float) -> Source:
    """Returns the source at an address or a path."""
    if not place.startswith(("http://", "https://")):
        return _export(place)
    # The import of urllib takes a while, and most censuses are files.
    from .census_server import Server

    return Server(place, timeout)


def _export(path: str) -> Source:
    """Returns the source at a path."""
    # Some builds of Python have no sqlite3; `import misere` works without it.
    from .census_sources import opened

    return opened(path)


def _quotients_to(orders: List[Dict[str, Any]]) -> Optional[int]:
    """Returns the greatest order to which the census has all misère quotients."""
    to = None
    for level in orders:
        if not level["complete"]:
            break
        to = int(level["order"])
    return to


def order_of(quotient: Union[Quotient, str, Game]) -> Optional[int]:
    """Returns the order of a quotient; `None` where only its key is given."""
    return None if _is_key(quotient) else quotient_of(quotient).order


def class_key_of(quotient: Union[Quotient, str, Game]) -> str:
    """Returns the key of the class of a quotient, a name, a presentation, a key or a game."""
    return str(quotient) if _is_key(quotient) else quotient_of(quotient).class_key


def _is_key(quotient: Union[Quotient, str, Game]) -> bool:
    return isinstance(quotient, str) and re.fullmatch("[0-9a-f]{64}", quotient) is not None
