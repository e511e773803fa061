"""Games: rules, normal play, genera, and the computation of their quotients.

>>> import misere
>>> kayles = misere.Game("0.77")
>>> kayles.quotient().order
40
>>> kayles.outcome([3, 4]), kayles.winning_moves([3, 4])
('N', [3 → 1 + 1, 4 → 2 + 1, 4 → 3])
"""

from __future__ import annotations

import warnings
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple, Union

from ._misere import Rules
from .errors import BadCode, BadHeap, Exhausted, Stopped, Unsolved
from .forms import Form, Genus
from .limits import FUEL, seconds_of, whole
from .positions import Heap, Heaps, Move, counted, heap_of, moves_of
from .quotients import Element, Quotient
from .solutions import Solution

__all__ = ["Game", "NimValues"]


#: The greatest number of a heap.
LAST_HEAP = 2**32 - 2


class NimValues(List[int]):
    """Nim-values of the heaps from 0 on, with period and preperiod if they are proved."""

    period: Optional[int] = None
    preperiod: Optional[int] = None


class Game:
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
        self._known: Dict[Any, Solution] = {}

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

    def options(self, heap: Heap) -> List[Tuple[int, ...]]:
        """Returns the options of a heap, each as the heaps that are left.

        >>> Game("0.77").options(3)
        [(1,), (1, 1), (2,)]
        """
        return [tuple(option) for option in self._rules.options(heap_of(self, heap))]

    def is_live(self, heap: Heap) -> bool:
        """Reports whether a heap has a move."""
        return self._rules.is_live(heap_of(self, heap))

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
        evidence: int = 3_000_000,
        strategy: str = "exact",
        fuel: int = FUEL,
        seconds: Optional[float] = None,
        memory: Optional[int] = None,
    ) -> Solution:
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
            whole("evidence", evidence),
            strategy == "classical",
            whole("fuel", fuel),
        )
        known = self._known.get(budget)
        if known is not None:
            return known
        memory = None if memory is None else whole("memory", memory)
        claim, stopped_by = self._rules.solve(*budget, seconds_of(seconds), memory)
        solution = Solution(claim, stopped_by)
        if stopped_by is None:
            self._known[budget] = solution
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

    def _solved(self, fuel: int, seconds: Optional[float]) -> Solution:
        return self.solve(fuel=fuel, seconds=seconds)

    def phi(self, heap: Heap, **budget: Any) -> Element:
        """Returns the value Φ of a heap in the quotient."""
        number = heap_of(self, heap)
        solution = self.solve(**budget)
        try:
            return solution.phi[number]
        except IndexError:
            raise _no_quotient(solution) from None

    def outcome(
        self,
        heaps: Heaps,
        *,
        by_definition: bool = False,
        normal: bool = False,
        fuel: int = FUEL,
        seconds: Optional[float] = None,
    ) -> str:
        """Returns the outcome of a position: `N` (the next player wins) or `P` (the previous one).

        `by_definition` examines all positions that can be reached and nothing else, with all the
        fuel; so does `normal`, the outcome in normal play. Without it the rules get as much fuel as
        `misere outcome` gives them.
        """
        position = counted(self, heaps)
        if by_definition or normal:
            limits = whole("fuel", fuel), seconds_of(seconds)
            return self._rules.outcome(position, normal, *limits)
        try:
            solution = self._solved(fuel, seconds)
            return solution.outcome(dict(position), fuel=fuel, seconds=seconds)
        except Unsolved as unsolved:
            raise _undecided(unsolved) from None

    def winning_moves(
        self,
        heaps: Heaps,
        *,
        by_definition: bool = False,
        normal: bool = False,
        fuel: int = FUEL,
        seconds: Optional[float] = None,
    ) -> List[Move]:
        """Returns all moves to P-positions; arguments like those of `outcome`."""
        position = counted(self, heaps)
        if by_definition or normal:
            limits = whole("fuel", fuel), seconds_of(seconds)
            return moves_of(self, self._rules.winning_moves(position, normal, *limits))
        try:
            solution = self._solved(fuel, seconds)
            return solution.winning_moves(dict(position), fuel=fuel, seconds=seconds)
        except Unsolved as unsolved:
            raise _undecided(unsolved) from None

    # Normal play and genera.

    def nim_values(
        self, max_heap: int = 100, *, fuel: int = FUEL, seconds: Optional[float] = None
    ) -> NimValues:
        """Returns the nim-values of the heaps 0 to `max_heap`, with the period if it is proved."""
        last = whole("max_heap", max_heap, LAST_HEAP)
        found, repeats = self._rules.nim_values(last, whole("fuel", fuel), seconds_of(seconds))
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
        fuel: int = FUEL,
        seconds: Optional[float] = None,
    ) -> Genus:
        """Returns the genus of a position, or of a finite game itself."""
        position = self._position("genus", heaps)
        return Genus(*self._rules.genus(position, whole("fuel", fuel), seconds_of(seconds)))

    def form(
        self,
        heaps: Optional[Heaps] = None,
        *,
        fuel: int = FUEL,
        seconds: Optional[float] = None,
    ) -> Form:
        """Returns the simplest form of a position, or of a finite game itself.

        >>> Game("0.77").form(5)
        {{*3,*2},*3,*2,*}
        >>> Game("{*2,*}").form()
        0
        """
        position = self._position("form", heaps)
        return Form._of(self._rules.form(position, whole("fuel", fuel), seconds_of(seconds)))

    def _position(self, what: str, heaps: Optional[Heaps]) -> List[Tuple[int, int]]:
        """Returns the heaps of a position; of a finite game without heaps, the last follower."""
        if heaps is not None:
            return counted(self, heaps)
        if not self.is_finite:
            raise BadHeap(
                f"each heap of {self.code} has a {what} of its own; name one, as {what}(5), or a"
                f" position, as {what}([3, 5])"
            )
        return [(self._rules.last_heap() or 0, 1)]

    def genera(
        self, max_heap: int = 20, *, fuel: int = FUEL, seconds: Optional[float] = None
    ) -> List[Genus]:
        """Returns the genera of the heaps 0 to `max_heap`."""
        last = whole("max_heap", max_heap, LAST_HEAP)
        found, repeats = self._rules.genera(last, whole("fuel", fuel), seconds_of(seconds))
        genera = [Genus(*genus) for genus in found[: last + 1]]
        if repeats is not None:
            while len(genera) <= last:
                genera.append(genera[-repeats[0]])
        return genera


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
