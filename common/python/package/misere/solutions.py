"""Solutions of games, which the checker has proved, and their certificates.

>>> import misere
>>> kayles = misere.Game("0.77").solve()
>>> kayles.status, kayles.period, kayles.preperiod
('solved', 12, 71)
>>> misere.verify(kayles.certificate()) == kayles
True
"""

from __future__ import annotations

import json
from functools import cached_property
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Tuple, Union, overload

from ._misere import Claim, read_certificate, read_claim, verify_construction
from .errors import BadCertificate, Unsolved
from .limits import FUEL, UNLIMITED, seconds_of, whole
from .positions import Heaps, Move, counted, moves_of
from .quotients import Element, Quotient

if TYPE_CHECKING:
    from .games import Game

__all__ = ["Partial", "PretendingFunction", "Solution", "verify"]


class Partial(NamedTuple):
    """A heap at which the partial quotient changes."""

    heap: int
    order: int
    p_size: int
    class_key: str


class PretendingFunction:
    """The pretending function Φ: the value of each heap in the quotient.

    `phi[8]` is the value of a heap of 8, `phi[:20]` are the values of the heaps 0 to 19. If Φ is
    periodic, every heap has a value; otherwise those to the greatest heap computed.
    """

    def __init__(
        self, quotient: Quotient, values: List[int], repeats: Optional[Tuple[int, int]]
    ) -> None:
        self._quotient = quotient
        self._values = values
        #: The period and the preperiod, if the values are proved to repeat.
        self.repeats = repeats

    def _element(self, heap: int) -> Element:
        if heap < 0:
            raise IndexError("heaps have the numbers 0, 1, 2, …")
        known = len(self._values)
        if heap >= known:
            if self.repeats is None:
                raise IndexError(f"Φ is known to heap {known - 1}; solve with a greater max_heap")
            period = self.repeats[0]
            heap -= -(-(heap - known + 1) // period) * period
        return Element(self._quotient, self._values[heap])

    @overload
    def __getitem__(self, heap: int) -> Element: ...

    @overload
    def __getitem__(self, heap: slice) -> List[Element]: ...

    def __getitem__(self, heap: Union[int, slice]) -> Union[Element, List[Element]]:
        if isinstance(heap, slice):
            stop = len(self._values) if heap.stop is None else heap.stop
            start, step = heap.start or 0, 1 if heap.step is None else heap.step
            if start < 0 or stop < 0 or step < 1:
                raise IndexError("a slice of heaps has bounds from 0 on and goes upward")
            return [self._element(h) for h in range(start, stop, step)]
        return self._element(whole("a heap", heap, 2**63))

    __call__ = _element

    def __len__(self) -> int:
        """Returns the number of heaps listed; a period goes on after them."""
        return len(self._values)

    def __iter__(self) -> Any:
        return (Element(self._quotient, x) for x in self._values)

    def __repr__(self) -> str:
        shown = " ".join(x.word for x in self[: min(len(self), 30)])
        rest = " …" if len(self) > 30 or self.repeats else ""
        said = f", period {self.repeats[0]} from heap {self.repeats[1]} on" if self.repeats else ""
        return f"Φ = {shown}{rest}{said}"


class Solution:
    """The proved facts about the misère play of a game.

    The checker has accepted every solution; there is no way to make one that it refutes.
    """

    def __init__(self, claim: Claim, stopped_by: Optional[str] = None) -> None:
        if not isinstance(claim, Claim):
            raise TypeError("solutions come from Game.solve and from verify")
        self._claim = claim
        #: The guard that stopped the computation, if one did.
        self.stopped_by = stopped_by

    @cached_property
    def game(self) -> "Game":
        """The game."""
        from .games import Game

        return Game._of_rules(self._claim.rules())

    @property
    def status(self) -> str:
        """The end of the computation: `solved`, `tame-relative`, `infinite`, `diverges`, `grows`,
        `exhausted` or `interrupted`."""
        return self._claim.status()[0]

    @property
    def limit(self) -> Optional[str]:
        """The limit that an exhausted computation reached: `fuel`, `max-heap` or `max-order`."""
        return self._claim.status()[1]

    @cached_property
    def _document(self) -> Dict[str, Any]:
        document: Dict[str, Any] = json.loads(self._claim.document())
        return document

    @property
    def period(self) -> Optional[int]:
        """The least period of Φ."""
        value: Optional[int] = self._document["period"]
        return value

    @property
    def preperiod(self) -> Optional[int]:
        """The least heap from which Φ has that period."""
        value: Optional[int] = self._document["preperiod"]
        return value

    @property
    def heaps(self) -> int:
        """The greatest heap to which quotient and Φ are proved."""
        return len(self._claim.phi()) - 1

    @property
    def tame(self) -> Optional[bool]:
        """Whether the game is tame; nothing where that is open."""
        value: Optional[bool] = self._document["tame"]
        return value

    @property
    def is_infinite(self) -> bool:
        """Whether the quotient of the game is proved to be infinite."""
        return self._claim.is_infinite()

    @property
    def diverges_at(self) -> Optional[int]:
        """The heap whose partial quotient is not finite as far as seen."""
        value: Optional[int] = self._document["diverges_at"]
        return value

    @property
    def law(self) -> Optional[Dict[str, Any]]:
        """The threshold law that decides every position, if one is proved."""
        return self._document.get("law")

    @property
    def automaton(self) -> Optional[Dict[str, Any]]:
        """The automaton that decides every position, if one is proved."""
        return self._document.get("automaton")

    @property
    def is_whole(self) -> bool:
        """Whether the quotient here belongs to the whole game."""
        return self.period is not None

    @cached_property
    def quotient(self) -> Quotient:
        """The misère quotient of the heaps 0 to `heaps`; of a solved game, of all heaps."""
        whole_game = "" if self.is_whole else f", heaps to {self.heaps}"
        return Quotient._of_monoid(
            self._claim.quotient(),
            f"{self.game.code}{whole_game}",
            self._claim.generator_heaps(),
        )

    @cached_property
    def phi(self) -> PretendingFunction:
        """The pretending function."""
        repeats = None
        if self.period is not None and self.preperiod is not None:
            repeats = (self.period, self.preperiod)
        return PretendingFunction(self.quotient, self._claim.phi(), repeats)

    @property
    def partials(self) -> Tuple[Partial, ...]:
        """The heaps at which the partial quotient changes."""
        return tuple(
            Partial(at["heap"], at["order"], at["p_size"], at["class"])
            for at in self._document["partials"]
        )

    @property
    def fuel(self) -> int:
        """The fuel that the engine spent."""
        return self._claim.fuel()

    # Positions.

    def element(self, heaps: Heaps) -> Element:
        """Returns the value of a position in the quotient."""
        found = self._claim.element(counted(self.game, heaps))
        if found is None:
            raise Unsolved(f"Φ of {self.game.code} is known to heap {self.heaps}", self)
        return Element(self.quotient, found)

    def outcome(self, heaps: Heaps, *, fuel: int = FUEL, seconds: Optional[float] = None) -> str:
        """Returns the outcome of a position, `P` or `N`, for any heaps where the game is solved.

        It is decided by the quotient, by normal play, by the proof that the quotient is infinite,
        by a law, by an automaton, or with little fuel by the rules alone.
        """
        return self._decided(heaps, fuel, seconds)[0]

    def decided_by(self, heaps: Heaps, *, fuel: int = FUEL, seconds: Optional[float] = None) -> str:
        """Names the ground of an outcome: `quotient`, `law`, `automaton`, `evidence` or
        `normal-play`."""
        return self._decided(heaps, fuel, seconds)[1]

    def _decided(self, heaps: Heaps, fuel: int, seconds: Optional[float]) -> Tuple[str, str]:
        position = counted(self.game, heaps)
        found = self._claim.outcome(position, whole("fuel", fuel), seconds_of(seconds))
        if found is None:
            raise Unsolved(
                f"this solution of {self.game.code} ({self.status}) does not decide the position; "
                f"its quotient is known to heap {self.heaps}",
                self,
            )
        return found

    def winning_moves(
        self, heaps: Heaps, *, fuel: int = FUEL, seconds: Optional[float] = None
    ) -> List[Move]:
        """Returns all moves to P-positions."""
        position = counted(self.game, heaps)
        found = self._claim.winning_moves(position, whole("fuel", fuel), seconds_of(seconds))
        if found is None:
            raise Unsolved(
                f"this solution of {self.game.code} ({self.status}) does not decide every option "
                "of the position",
                self,
            )
        return moves_of(self.game, found)

    # Certificates.

    def certificate(self) -> Dict[str, Any]:
        """Returns the certificate as JSON data, as `misere solve --json` prints it."""
        document: Dict[str, Any] = json.loads(self._claim.document())
        return document

    def certificate_bytes(self) -> bytes:
        """Returns the certificate in its short binary form, as a census keeps it."""
        return bytes(self._claim.certificate())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Solution):
            return NotImplemented
        return self.certificate_bytes() == other.certificate_bytes()

    def __hash__(self) -> int:
        return hash(self.certificate_bytes())

    def __reduce__(self) -> Tuple[Any, ...]:
        return verify, (self.certificate_bytes(),)

    def __repr__(self) -> str:
        said = [self.status]
        if self.limit:
            said[0] += f" ({self.limit})"
        if self.period is not None:
            said.append(f"period {self.period} from heap {self.preperiod} on")
        elif self.law:
            said.append("by a law")
        elif self.automaton:
            said.append("by an automaton")
        elif self.status == "solved" and self.is_infinite:
            said.append("with an infinite quotient")
        if self.diverges_at is not None:
            said.append(f"at heap {self.diverges_at}")
        said.append(
            f"quotient of order {self.quotient.order}, {self.quotient.p_size} in P"
            + ("" if self.is_whole else f", of the heaps to {self.heaps}")
        )
        return f"Solution of {self.game.code}: {', '.join(said)}"

    def picture(self) -> str:
        """Draws the pretending function as SVG."""
        return self.quotient._monoid.strip(self.game.code, self._claim.phi(), self.phi.repeats)

    def _repr_svg_(self) -> str:
        return self.picture()


def verify(
    certificate: Union[str, bytes, Dict[str, Any]],
    *,
    fuel: int = UNLIMITED,
    seconds: Optional[float] = None,
) -> Union[Solution, Quotient]:
    """Proves a certificate from scratch, and returns its claim.

    A certificate is the JSON of a solution (an object, or its text), or its binary form. The JSON
    of a quotient of small order with its games, as in the list of `misere classify`, is proved to
    be the misère quotient of these games.

    Raises `Refuted` if anything in it is wrong, and `BadCertificate` if it is not a certificate.
    """
    limits = whole("fuel", fuel), seconds_of(seconds)
    if isinstance(certificate, (bytes, bytearray, memoryview)):
        data = bytes(certificate)
        if not data.lstrip().startswith(b"{"):
            return Solution(read_certificate(data, *limits))
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise BadCertificate(f"the text is not UTF-8: {error}") from error
    elif isinstance(certificate, str):
        text = certificate
    else:
        try:
            text = json.dumps(certificate)
        except (TypeError, ValueError) as error:
            raise BadCertificate(f"the object is not JSON: {error}") from error
    if '"code"' not in text and '"rank"' in text:
        verify_construction(text, *limits)
        return Quotient.from_dict(json.loads(text))
    return Solution(read_claim(text, *limits))
