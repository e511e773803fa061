"""The misère quotients of small order, and the names of quotients.

>>> import misere
>>> [len(misere.classify(14).of_order(n)) for n in (8, 10, 12, 14)]
[1, 1, 6, 12]
>>> misere.identify("⟨a,b | a^2 = 1, b^3 = b⟩  P = {a, b^2}").name
'T_2'
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple
from typing import Union

from ._misere import classify as classified
from .errors import BadCertificate
from .games import Game, quotient_of
from .limits import Fuel, Memory, fuel_of, memory_of, seconds_of, whole
from .quotients import Quotient
from .solutions import verify

if TYPE_CHECKING:
    from .census import Census, Query

__all__ = ["Identity", "SmallOrders", "SmallQuotient", "classify", "identify"]

#: The default fuel of a classification, several times the fuel of order 16.
CLASSIFICATION_FUEL = 1_000_000_000


class SmallQuotient:
    """A misère quotient of small order, with games that have it."""

    def __init__(self, document: Dict[str, Any]) -> None:
        try:
            self.order: int = document["order"]
            self.class_key: str = document["class"]
            self.name: Optional[str] = document.get("name")
            self.p_size: int = len(document["p_portion"])
        except (KeyError, TypeError) as error:
            raise BadCertificate(f"this is not an entry of a list of quotients: {error}") from error
        self._document = document

    @property
    def quotient(self) -> Quotient:
        """The quotient; its generators are the values of the games."""
        return Quotient.from_dict(self._document)

    @property
    def games(self) -> Tuple[Tuple[str, Tuple[str, ...]], ...]:
        """The generators with the options of their games, as words in earlier generators."""
        return tuple(
            (generator["name"], tuple(generator["options"]))
            for generator in self._document["generators"]
        )

    def verify(self) -> Quotient:
        """Proves that it is the misère quotient of these games, and that the key is its own."""
        proved = verify(self._document)
        assert isinstance(proved, Quotient)
        if proved.class_key != self.class_key:
            raise BadCertificate(f"the key of this quotient is {proved.class_key}")
        return proved

    def certificate(self) -> Dict[str, Any]:
        """Returns the entry as JSON data."""
        return dict(self._document)

    def __repr__(self) -> str:
        name = f"{self.name}, " if self.name else ""
        return f"<{name}order {self.order}, {self.p_size} in P, class {self.class_key[:12]}…>"


class SmallOrders:
    """The misère quotients to some order, one of each isomorphism class."""

    def __init__(self, entries: Iterable[SmallQuotient], max_order: int) -> None:
        self._entries = tuple(entries)
        self._by_key = {entry.class_key: entry for entry in self._entries}
        #: The greatest order to which the list is complete.
        self.max_order = max_order

    @classmethod
    def from_json(cls, text: Union[str, bytes]) -> "SmallOrders":
        """Reads a list of quotients.

        Parameters
        ----------
        text : str or bytes
            What `misere classify --json` prints.

        Raises
        ------
        BadCertificate
            If it is another document.
        """
        try:
            document = json.loads(text)
            quotients, max_order = document["quotients"], document["max_order"]
        except (ValueError, KeyError, TypeError) as error:
            raise BadCertificate(f"this is not a list of misere classify: {error!r}") from error
        return cls(map(SmallQuotient, quotients), max_order)

    def of_order(self, order: int) -> List[SmallQuotient]:
        """Returns the quotients of one order.

        Parameters
        ----------
        order : int
            The number of elements.
        """
        return [entry for entry in self._entries if entry.order == order]

    @property
    def counts(self) -> Dict[int, int]:
        """The number of quotients of each order."""
        found: Dict[int, int] = {}
        for entry in self._entries:
            found[entry.order] = found.get(entry.order, 0) + 1
        return dict(sorted(found.items()))

    def identify(self, quotient: Quotient) -> Optional[SmallQuotient]:
        """Returns the entry that is isomorphic to a quotient, if there is one.

        Parameters
        ----------
        quotient : Quotient
            The quotient.
        """
        return self._by_key.get(quotient.class_key)

    def __contains__(self, quotient: object) -> bool:
        return isinstance(quotient, Quotient) and self.identify(quotient) is not None

    def __iter__(self) -> Iterator[SmallQuotient]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __getitem__(self, at: Any) -> Any:
        return self._entries[at]

    def __repr__(self) -> str:
        return f"<{len(self)} misère quotients of order at most {self.max_order}>"


def classify(
    order: int,
    *,
    fuel: Fuel = CLASSIFICATION_FUEL,
    seconds: Optional[float] = None,
    memory: Optional[Memory] = None,
) -> SmallOrders:
    """Returns all misère quotients to some order, each checked with its games.

    Order 14 takes under a second and order 16 some seconds; each further one six to twenty times
    as long.

    Parameters
    ----------
    order : int
        The greatest order.
    fuel, seconds, memory
        The limits, as in `Game.solve`.

    Raises
    ------
    Exhausted, Stopped
        If a limit is reached.
    """
    most = whole("order", order, 2**32)
    memory = memory_of(memory)
    found = classified(most, fuel_of(fuel), seconds_of(seconds), memory)
    return SmallOrders((SmallQuotient(json.loads(text)) for text in found), most)


class Identity(NamedTuple):
    """The known facts about the class of a quotient."""

    class_key: str
    order: int
    p_size: int
    name: Optional[str]
    is_tame: bool
    #: The presentation of the class, the same for all its members.
    presentation: str
    #: The games of a census that have it, if a census was given.
    games: "Optional[Query]"
    #: Sentences on what its absence from a census excludes; none if the census has it.
    excluded: Tuple[str, ...] = ()


def identify(what: Union[Quotient, Game, str], census: "Optional[Census]" = None) -> Identity:
    """Identifies the class of a quotient.

    Parameters
    ----------
    what : Quotient, Game or str
        The quotient, its name or presentation, or a game that has it, also by code or name.
    census : Census, optional
        A census, whose games with this quotient are in the answer.

    Examples
    --------
    >>> identify("kayles").order
    40
    """
    quotient = quotient_of(what)
    key, name = quotient.class_key, quotient.name
    written = Quotient(name) if name else quotient.canonical_form()
    return Identity(
        key,
        quotient.order,
        quotient.p_size,
        name,
        quotient.is_tame,
        written.presentation.text,
        None if census is None else census.games_with(quotient),
        () if census is None else census.excluded(quotient),
    )
