"""The games and classes in a census, and the interface of the sources that have them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple

from .games import Game, Solution
from .pretending import Partial, PretendingFunction
from .quotients import Quotient

__all__ = ["ClassEntry", "Entry", "Source"]


class Entry:
    """A game in a census; all heap numbers are those of `code`."""

    code: str
    #: The code under which the census keeps the game.
    representative: str
    #: The other codes of the game.
    aliases: Tuple[str, ...]
    status: str
    limit: Optional[str]
    tame: Optional[bool]
    order: int
    p_size: int
    class_key: str
    #: The name of the class in the literature.
    name: Optional[str]
    heaps: int
    period: Optional[int]
    preperiod: Optional[int]
    wild_from: Optional[int]
    diverges_at: Optional[int]
    tame_relative_from: Optional[int]
    grows_from: Optional[int]
    reason: Optional[str]
    #: The number of heaps after which the law repeats, if a law solves the game.
    law_period: Optional[int]
    fuel: int

    def __init__(self, source: "Source", facts: Dict[str, Any]) -> None:
        self._source = source
        self._facts = facts
        self._solution: Optional[Solution] = None

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_facts"][name]
        except KeyError:
            raise AttributeError(f"an entry of a census has no {name!r}") from None

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *self._facts]

    @property
    def game(self) -> Game:
        """The game."""
        return Game(self.code)

    @property
    def partials(self) -> Tuple[Partial, ...]:
        """The heaps at which the partial quotient changes."""
        if "partials" not in self._facts:
            self._facts["partials"] = self._source.partials(self.code, self.representative)
        return tuple(self._facts["partials"])

    def solution(self) -> Solution:
        """Returns the solution, from the certificate in the census, proved by the checker here."""
        if self._solution is None:
            self._solution = self._source.solution(self.code, self.representative)
        return self._solution

    @property
    def quotient(self) -> Quotient:
        """The quotient of the heaps 0 to `heaps`; of a solved game, the whole quotient."""
        return self.solution().quotient

    @property
    def phi(self) -> PretendingFunction:
        """The pretending function."""
        return self.solution().phi

    def to_dict(self) -> Dict[str, Any]:
        """Returns the facts as plain data."""
        return dict(self._facts)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Entry):
            return NotImplemented
        return (self.code, self.class_key) == (other.code, other.class_key)

    def __hash__(self) -> int:
        return hash((self.code, self.class_key))

    def __reduce__(self) -> Any:
        raise TypeError("entries belong to an open census; keep entry.to_dict() instead")

    def __repr__(self) -> str:
        said = [self.status]
        if self.period is not None:
            said.append(f"period {self.period} from heap {self.preperiod} on")
        name = f"{self.name}, " if self.name else ""
        said.append(f"quotient {name}order {self.order}")
        return f"<{self.code}: {', '.join(said)}>"


class ClassEntry(NamedTuple):
    """A class of isomorphic quotients in a census."""

    class_key: str
    order: int
    p_size: int
    name: Optional[str]
    #: The least code that has it as a partial quotient, and the first such heap; unknown if the
    #: census is an address.
    first_code: Optional[str]
    first_heap: Optional[int]


class Source(ABC):
    """The source of a census."""

    @abstractmethod
    def facts(self) -> Dict[str, Any]:
        """Returns the facts about the whole census."""

    @abstractmethod
    def entry(self, code: str) -> Entry:
        """Returns the entry of a code."""

    @abstractmethod
    def find(
        self,
        where: Dict[str, Any],
        sort: str,
        descending: bool,
        offset: int,
        limit: Optional[int],
    ) -> Iterator[Entry]:
        """Returns the entries that satisfy the conditions."""

    @abstractmethod
    def count(self, where: Dict[str, Any]) -> int:
        """Returns the number of entries that satisfy the conditions."""

    @abstractmethod
    def partials(self, code: str, representative: str) -> List[Partial]:
        """Returns the heaps at which the partial quotient changes."""

    @abstractmethod
    def solution(self, code: str, representative: str) -> Solution:
        """Returns the solution of a game, proved."""

    @abstractmethod
    def classes(self, order: Optional[int], name: Optional[str]) -> List[ClassEntry]:
        """Returns the classes that occur."""

    @abstractmethod
    def class_entry(self, key: str) -> Optional[ClassEntry]:
        """Returns the class with a key."""

    def close(self) -> None:
        """Closes the files."""
