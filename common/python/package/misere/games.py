"""Games: rules, normal play, genera, and the computation of their quotients.

A game has solutions, and a solution has a game, so the two classes are in one module.

>>> import misere
>>> kayles = misere.Game("0.77")
>>> kayles.quotient().order
40
>>> kayles.outcome([3, 4]), kayles.winning_moves([3, 4])
('N', [3 → 1 + 1, 4 → 2 + 1, 4 → 3])
"""

from __future__ import annotations

import json
import warnings
from collections import OrderedDict
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple, Union

from ._misere import Claim, Rules, read_certificate
from .errors import BadCode, BadHeap, Exhausted, Stopped, Unsolved
from .forms import Form, FormSource, Genus
from .limits import FUEL, UNLIMITED, Fuel, Memory, fuel_of, memory_of, seconds_of, whole
from .positions import Move, counted, moves_of
from .pretending import Partial, PretendingFunction
from .quotients import Element, Quotient
from .rules_text import Options, rules_text

__all__ = ["Game", "Heap", "Heaps", "NimValues", "Solution"]

#: A heap: its size, or, of a finite game, a follower or its number.
Heap = Union[int, str, "Game"]

#: A position: one heap, several heaps, or heaps with the number of each.
Heaps = Union[Heap, "Iterable[Heap]", "Mapping[Heap, int]"]

#: The limits of a solution that do not depend on the machine.
Budget = Tuple[int, int, int, bool, int]

#: The last solutions, for all objects that are the same game.
_SHARED: "OrderedDict[Tuple[str, Budget], Solution]" = OrderedDict()

#: The number of solutions that are kept for other objects.
_MOST_SHARED = 100


def _share(code: str, budget: Budget, solution: "Solution") -> None:
    """Keeps a solution for other objects that are the same game."""
    _SHARED[code, budget] = solution
    while len(_SHARED) > _MOST_SHARED:
        _SHARED.popitem(last=False)


def _one_position(heaps: "Tuple[Heaps, ...]") -> Any:
    """Returns the position that the arguments name: one of them, or heaps one by one."""
    return heaps[0] if len(heaps) == 1 else heaps


#: The greatest number of a heap.
LAST_HEAP = 2**32 - 2


class NimValues(List[int]):
    """Nim-values of the heaps from 0 on, with period and preperiod if they are proved."""

    period: Optional[int] = None
    preperiod: Optional[int] = None


class Game(FormSource):
    """A game, given by its code, its name or as a finite game.

    `Game("0.77")`, `Game("kayles")`, `Game("4.7")`, `Game("0.[3]")` (Nim), `Game("*2")` and
    `Game("{*2,0}")` are games. `Game.from_list` reads the options of each heap from a file.
    """

    def __init__(self, code: str) -> None:
        if not isinstance(code, str):
            advice = f"; write Game({str(code)!r})" if isinstance(code, (int, float)) else ""
            raise BadCode(f"a game is given by a text, not by {code!r}{advice}")
        self._rules = Rules(code)
        mistaken = Rules.digits_for_letters(code)
        if mistaken is not None:
            letter, meant = mistaken
            warnings.warn(
                f"the letter {letter} of `{code.strip()}` is the digit {int(letter, 36)}; with the"
                f" digits 0 and 1 the code is `{meant}`",
                stacklevel=2,
            )
        self._known: Dict[Budget, "Solution"] = {}

    @classmethod
    def _of_rules(cls, rules: Rules) -> "Game":
        game = cls.__new__(cls)
        game._rules = rules
        game._known = {}
        return game

    @classmethod
    def from_list(cls, file: Union[str, "PathLike[str]"]) -> "Game":
        """Reads a file with the options of each heap, as `misere solve @FILE` does."""
        return cls._of_rules(Rules.of_list(Path(file).read_text(encoding="utf-8")))

    @classmethod
    def from_options(
        cls,
        options: Options,
        last_heap: Optional[int] = None,
    ) -> "Game":
        """Makes a game of your own from the options of each heap from 1 on.

        They are the values of a dictionary, or of a function for the heaps 1 to `last_heap`. An
        option is the heap that is left, or a tuple of the heaps that are left.

        >>> Game.from_options({1: [0], 2: [1, 0], 3: [2, 1, (1, 1)]})
        Game('heaps(0;1,0;2,1+1,1)')
        >>> subtraction = Game.from_options(lambda n: [n - k for k in (1, 4) if k <= n], 20)
        >>> subtraction.outcome(13, 17)
        'P'
        """
        return cls._of_rules(Rules.of_list(rules_text(options, last_heap)))

    # The rules.

    @cached_property
    def code(self) -> str:
        """The code as text."""
        return self._rules.code()

    @property
    def name(self) -> Optional[str]:
        """The name in the literature, such as `Kayles`."""
        return self._rules.name()

    @property
    def rules(self) -> str:
        """The rules in words.

        >>> Game("0.77").rules
        'Take one or two beans, and split what is left into two heaps if you like.'
        """
        return self._rules.in_words()

    @property
    def is_finite(self) -> bool:
        """Whether it is a finite game such as `{*2,0}`, whose heaps are its followers."""
        return self._rules.is_finite_game()

    @property
    def last_heap(self) -> Optional[int]:
        """The number of the last heap, if there are finitely many."""
        return self._rules.last_heap()

    @cached_property
    def _follower_numbers(self) -> Dict[str, int]:
        last = self._rules.last_heap() if self.is_finite else None
        if last is None:
            return {}
        followers = (self._rules.follower(number) for number in range(1, last + 1))
        numbers = {code: number for number, code in enumerate(followers, 1) if code is not None}
        return {"0": 0, **numbers}

    @property
    def followers(self) -> Tuple[str, ...]:
        """The followers of a finite game in the order of their numbers; `0` is the first."""
        return tuple(self._follower_numbers)

    def _heap_number(self, heap: Heap) -> int:
        if heap == "0":
            return 0
        if isinstance(heap, (str, Game)):
            wanted = heap if isinstance(heap, Game) else Game(heap)
            numbers = self._follower_numbers
            if wanted.code not in numbers:
                raise BadHeap(f"{wanted.code} is not a heap of {self.code}")
            return numbers[wanted.code]
        return whole("a heap", heap, 2**32 - 1)

    def _counted(self, heaps: Heaps) -> List[Tuple[int, int]]:
        if isinstance(heaps, str):
            return self._rules.position(heaps)
        return counted(heaps, self._heap_number)

    def options(self, heap: Heap) -> List[Tuple[int, ...]]:
        """Returns the options of a heap, each as the heaps that are left.

        >>> Game("0.77").options(3)
        [(1,), (1, 1), (2,)]
        """
        return [tuple(option) for option in self._rules.options(self._heap_number(heap))]

    def is_live(self, heap: Heap) -> bool:
        """Reports whether a heap has a move."""
        return self._rules.is_live(self._heap_number(heap))

    def is_same_game(self, other: "Game") -> bool:
        """Reports whether two codes are recognized as one game, renumbered: 0.07 and 0.4 are."""
        return self == other or self._rules.signature() == other._rules.signature()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self.code == other.code

    def __hash__(self) -> int:
        return hash(self.code)

    def __str__(self) -> str:
        return self.code

    def __repr__(self) -> str:
        name = f"  # {self.name}" if self.name and self.name != self.code else ""
        return f"Game({self.code!r}){name}"

    def _repr_latex_(self) -> str:
        code = self.code.replace("{", r"\{").replace("}", r"\}").replace("#", r"\#")
        return f"$\\mathbf{{{code}}}$"

    def __reduce__(self) -> Tuple[Any, ...]:
        return Game, (self.code,)

    # Misère play.

    def solve(
        self,
        *,
        max_heap: int = 10_000,
        max_order: int = 65_536,
        evidence: Fuel = 3_000_000,
        strategy: str = "exact",
        fuel: Fuel = FUEL,
        seconds: Optional[float] = None,
        memory: Optional[Memory] = None,
    ) -> "Solution":
        """Solves the game within a budget; the checker proves the result before it is returned.

        `fuel`, `max_heap`, `max_order` and `evidence` (fuel for proofs of infinity) give the same
        answer on every machine. `seconds` and `memory` (bytes) are guards: a result proved before
        they stopped the computation has the status `interrupted`, and `stopped_by` says why.
        """
        if strategy not in ("exact", "classical"):
            raise ValueError(f"strategy is 'exact' or 'classical', not {strategy!r}")
        budget = (
            whole("max_heap", max_heap, LAST_HEAP),
            max(1, whole("max_order", max_order, 2**32 - 1)),
            fuel_of(evidence, "evidence"),
            strategy == "classical",
            fuel_of(fuel),
        )
        guards = seconds_of(seconds), memory_of(memory)
        known = self._known.get(budget) or _SHARED.get((self.code, budget))
        if known is not None:
            self._known[budget] = known
            return known
        claim, stopped_by = self._rules.solve(*budget, *guards)
        solution = Solution(claim, stopped_by)
        if stopped_by is None:
            self._known[budget] = solution
            _share(self.code, budget, solution)
        return solution

    def quotient(self, heaps: Optional[int] = None, **budget: Any) -> Quotient:
        """Returns the misère quotient of the game, or of its heaps 0 to `heaps`.

        Raises `Unsolved` with the solution if it is not found, or not finite.
        """
        if heaps is not None:
            budget["max_heap"] = whole("heaps", heaps, LAST_HEAP)
        solution = self.solve(**budget)
        if solution.is_whole or (heaps is not None and solution.heaps >= heaps):
            return solution.quotient
        raise _no_quotient(solution)

    def _solved(self, fuel: Fuel, seconds: Optional[float]) -> "Solution":
        return self.solve(fuel=fuel, seconds=seconds)

    def phi(self, heap: Heap, **budget: Any) -> Element:
        """Returns the value Φ of a heap in the quotient."""
        number = self._heap_number(heap)
        solution = self.solve(**budget)
        try:
            return solution.phi[number]
        except IndexError:
            raise _no_quotient(solution) from None

    def outcome(
        self,
        *heaps: Heaps,
        by_definition: bool = False,
        normal: bool = False,
        fuel: Fuel = FUEL,
        seconds: Optional[float] = None,
    ) -> str:
        """Returns the outcome of a position: `N` (the next player wins) or `P` (the previous one).

        `by_definition` examines all positions that can be reached and nothing else, with all the
        fuel; so does `normal`, the outcome in normal play. Without it the rules get as much fuel as
        `misere outcome` gives them.

        >>> kayles = Game("0.77")
        >>> kayles.outcome(3, 5, 7), kayles.outcome([3, 5, 7]), kayles.outcome("3+5+7")
        ('N', 'N', 'N')
        >>> kayles.outcome("20·3"), kayles.outcome({3: 20})
        ('P', 'P')
        """
        position = self._counted(_one_position(heaps))
        if by_definition or normal:
            limits = fuel_of(fuel), seconds_of(seconds)
            return self._rules.outcome(position, normal, *limits)
        try:
            solution = self._solved(fuel, seconds)
            return solution.outcome(dict(position), fuel=fuel, seconds=seconds)
        except Unsolved as unsolved:
            raise _undecided(unsolved) from None

    def winning_moves(
        self,
        *heaps: Heaps,
        by_definition: bool = False,
        normal: bool = False,
        fuel: Fuel = FUEL,
        seconds: Optional[float] = None,
    ) -> List[Move]:
        """Returns all moves to P-positions; arguments like those of `outcome`."""
        position = self._counted(_one_position(heaps))
        if by_definition or normal:
            limits = fuel_of(fuel), seconds_of(seconds)
            return moves_of(self._rules.winning_moves(position, normal, *limits))
        try:
            solution = self._solved(fuel, seconds)
            return solution.winning_moves(dict(position), fuel=fuel, seconds=seconds)
        except Unsolved as unsolved:
            raise _undecided(unsolved) from None

    # Normal play and genera.

    def nim_values(
        self, max_heap: int = 100, *, fuel: Fuel = FUEL, seconds: Optional[float] = None
    ) -> NimValues:
        """Returns the nim-values of the heaps 0 to `max_heap`, with the period if it is proved."""
        last = whole("max_heap", max_heap, LAST_HEAP)
        found, repeats = self._rules.nim_values(last, fuel_of(fuel), seconds_of(seconds))
        values = NimValues(found[: last + 1])
        if repeats is not None:
            values.period, values.preperiod = repeats
            while len(values) <= last:
                values.append(values[-values.period])
        return values

    def genus(
        self,
        heaps: Optional[Heaps] = None,
        *,
        fuel: Fuel = FUEL,
        seconds: Optional[float] = None,
    ) -> Genus:
        """Returns the genus of a position, or of a finite game itself."""
        position = self._position("genus", heaps)
        return Genus(*self._rules.genus(position, fuel_of(fuel), seconds_of(seconds)))

    def form(
        self,
        heaps: Optional[Heaps] = None,
        *,
        fuel: Fuel = FUEL,
        seconds: Optional[float] = None,
    ) -> Form:
        """Returns the simplest form of a position, or of a finite game itself.

        >>> Game("0.77").form(5)
        {{*3,*2},*3,*2,*}
        >>> Game("{*2,*}").form()
        0
        """
        position = self._position("form", heaps)
        return Form._of(self._rules.form(position, fuel_of(fuel), seconds_of(seconds)))

    def _position(self, what: str, heaps: Optional[Heaps]) -> List[Tuple[int, int]]:
        """Returns the heaps of a position; of a finite game without heaps, the last follower."""
        if heaps is not None:
            return self._counted(heaps)
        if not self.is_finite:
            raise BadHeap(
                f"each heap of {self.code} has a {what} of its own; name one, as {what}(5), or a"
                f" position, as {what}([3, 5])"
            )
        return [(self._rules.last_heap() or 0, 1)]

    def genera(
        self, max_heap: int = 20, *, fuel: Fuel = FUEL, seconds: Optional[float] = None
    ) -> List[Genus]:
        """Returns the genera of the heaps 0 to `max_heap`."""
        last = whole("max_heap", max_heap, LAST_HEAP)
        found, repeats = self._rules.genera(last, fuel_of(fuel), seconds_of(seconds))
        genera = [Genus(*genus) for genus in found[: last + 1]]
        if repeats is not None:
            while len(genera) <= last:
                genera.append(genera[-repeats[0]])
        return genera


class Solution:
    """The proved facts about the misère play of a game.

    The checker has accepted every solution; one that it refutes cannot be made.
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
        return Game._of_rules(self._claim.rules())

    @property
    def status(self) -> str:
        """The end of the computation: `solved`, `tame-relative`, `infinite`, `diverges`, `grows`,
        `exhausted` or `interrupted`."""
        return self._claim.status()[0]

    @property
    def sentence(self) -> str:
        """How the game ended, in the words of every other surface.

        >>> Game("0.77").solve().sentence
        'solved: period 12 from heap 71 on'
        """
        return self._claim.sentence()

    def explain(self, *, latex: bool = False, width: int = 100) -> str:
        """Returns the proof of what is known, to be read, as `misere explain` prints it.

        `latex` returns it for a paper, otherwise it is a text with lines of `width` columns.
        """
        return self._claim.explained(latex, max(40, whole("width", width, 2**16)))

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
    def infinite_to(self) -> Optional[int]:
        """The heap to which the quotient is proved to be infinite: `diverges_at` or a greater one.

        Nothing where that is not proved, or proved by a law or an automaton.
        """
        value: Optional[int] = self._document.get("infinite_to")
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
        found = self._claim.element(self.game._counted(heaps))
        if found is None:
            raise Unsolved(f"Φ of {self.game.code} is known to heap {self.heaps}", self)
        return Element(self.quotient, found)

    def outcome(self, *heaps: Heaps, fuel: Fuel = FUEL, seconds: Optional[float] = None) -> str:
        """Returns the outcome of a position, `P` or `N`, for any heaps where the game is solved.

        It is decided by the quotient, by normal play, by the proof that the quotient is infinite,
        by a law, by an automaton, or with little fuel by the rules alone.
        """
        return self._decided(_one_position(heaps), fuel, seconds)[0]

    def decided_by(self, *heaps: Heaps, fuel: Fuel = FUEL, seconds: Optional[float] = None) -> str:
        """Names the ground of an outcome: `quotient`, `law`, `automaton`, `evidence` or
        `normal-play`."""
        return self._decided(_one_position(heaps), fuel, seconds)[1]

    def _decided(self, heaps: Heaps, fuel: Fuel, seconds: Optional[float]) -> Tuple[str, str]:
        position = self.game._counted(heaps)
        found = self._claim.outcome(position, fuel_of(fuel), seconds_of(seconds))
        if found is None:
            raise Unsolved(
                f"this solution of {self.game.code} ({self.status}) does not decide the position; "
                f"its quotient is known to heap {self.heaps}",
                self,
            )
        return found

    def winning_moves(
        self, *heaps: Heaps, fuel: Fuel = FUEL, seconds: Optional[float] = None
    ) -> List[Move]:
        """Returns all moves to P-positions."""
        position = self.game._counted(_one_position(heaps))
        found = self._claim.winning_moves(position, fuel_of(fuel), seconds_of(seconds))
        if found is None:
            raise Unsolved(
                f"this solution of {self.game.code} ({self.status}) does not decide every option "
                "of the position",
                self,
            )
        return moves_of(found)

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
        return _unpickled, (self.certificate_bytes(),)

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
            said.append(f"at heap {self.infinite_to or self.diverges_at}")
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


def _unpickled(certificate: bytes) -> Solution:
    return Solution(read_certificate(certificate, UNLIMITED, None))


def _undecided(unsolved: Unsolved) -> Unsolved:
    """The error with what may help; a computation that was stopped needs more time instead."""
    if isinstance(unsolved, Stopped):
        return unsolved
    return Unsolved(f"{unsolved}; by_definition=True may decide it", unsolved.solution)


def _no_quotient(solution: Solution) -> Unsolved:
    code = solution.game.code
    known = f"the quotient of the heaps 0 to {solution.heaps} is solution.quotient"
    if solution.status == "interrupted":
        return Stopped(f"{code}: {solution.stopped_by}; {known}", solution)
    if solution.is_infinite:
        return Unsolved(f"the quotient of {code} is proved to be infinite; {known}", solution)
    if solution.status == "exhausted":
        advice = {
            "fuel": "give more fuel",
            "max-heap": "give a greater max_heap",
            "max-order": "give a greater max_order",
        }.get(solution.limit or "", "")
        return Exhausted(
            f"{code} is not solved within this budget ({solution.limit}); {advice}; {known}",
            solution,
        )
    if solution.status == "diverges":
        return Unsolved(
            f"the quotient of {code} seems infinite from heap {solution.diverges_at} on; {known}",
            solution,
        )
    if solution.status == "tame-relative":
        return Unsolved(
            f"{code} is played like normal play from some heap on, and its quotient is not known to"
            f" be finite; {known}",
            solution,
        )
    return Unsolved(f"the quotients of {code} grow; {known}", solution)
