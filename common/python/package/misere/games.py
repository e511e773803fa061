"""Games and their solutions: the computation of misère quotients.

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
from collections import OrderedDict
from functools import cached_property
from typing import Any, Dict, List, Optional, Tuple, Union

from ._misere import Claim, read_certificate
from .errors import BadCode, BadQuotient, Exhausted, Stopped, Unsolved
from .game_rules import LAST_HEAP, Heap, Heaps
from .limits import FUEL, UNLIMITED, Fuel, Memory, fuel_of, memory_of, seconds_of, whole
from .normal_play import NormalPlay
from .positions import Move, moves_of
from .pretending import Partial, PretendingFunction
from .quotients import Element, Quotient

__all__ = ["Game", "Solution", "quotient_of"]

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


class Game(NormalPlay):
    """A game, given by its code, its name or as a finite game.

    `Game("0.77")`, `Game("kayles")`, `Game("4.7")`, `Game("0.[3]")` (Nim), `Game("*2")` and
    `Game("{*2,0}")` are games. `Game.from_list` reads the options of each heap from a file,
    `Game.from_options` takes them from a dictionary or a function.

    Parameters
    ----------
    code : str
        The code, the name, or the finite game in braces.

    Raises
    ------
    BadCode
        If it is not a game.
    """

    @cached_property
    def _known(self) -> Dict[Budget, "Solution"]:
        return {}

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

        Budgets give the same answer on every machine. `seconds` and `memory` are guards: a result
        proved before they stopped the computation has the status `interrupted`, and `stopped_by`
        says why.

        Parameters
        ----------
        max_heap, max_order : int
            The greatest heap, and the greatest order of a quotient.
        evidence : int or str
            The part of the fuel for proofs that the quotient is infinite.
        strategy : str
            `exact`, or `classical` for the method of the literature, which is slower.
        fuel : int or str
            The most units of fuel, such as `"10M"`; the default is about a minute of one core.
        seconds : float, optional
            The most seconds.
        memory : int or str, optional
            The most memory, in bytes or as `"2GiB"`.

        Examples
        --------
        >>> Game("0.26").solve(fuel="10M").law["period"]
        4
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
        """Returns the misère quotient of the game, or of its first heaps.

        Parameters
        ----------
        heaps : int, optional
            The last heap; without it the quotient is that of all heaps.
        **budget
            The limits, as in `Game.solve`.

        Raises
        ------
        Unsolved
            If the quotient is not found, or not finite. `solution` is what is known.
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
        """Returns the value Φ of a heap in the quotient.

        Parameters
        ----------
        heap : int, str or Game
            The heap; of a finite game also a follower.
        **budget
            The limits, as in `Game.solve`.

        Raises
        ------
        Unsolved
            If Φ is not known as far as to this heap.
        """
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

        Parameters
        ----------
        *heaps : position
            Heaps one by one, a list of them, a sum as text, or a dictionary with the number of
            each.
        by_definition : bool
            Whether to examine all positions that can be reached, and nothing else.
        normal : bool
            Whether to do that for normal play.
        fuel, seconds
            The limits, as in `Game.solve`. All the fuel is for examining positions where that is
            asked for; otherwise a small part of it is.

        Raises
        ------
        Unsolved
            If the solution and the rules do not decide the position within the limits.

        Examples
        --------
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
        """Returns all moves to P-positions.

        Parameters
        ----------
        *heaps : position
            The position, as in `Game.outcome`.
        by_definition, normal : bool
            What to examine, as in `Game.outcome`.
        fuel, seconds
            The limits, as in `Game.solve`.

        Raises
        ------
        Unsolved
            If an option of the position is not decided within the limits.
        """
        position = self._counted(_one_position(heaps))
        if by_definition or normal:
            limits = fuel_of(fuel), seconds_of(seconds)
            return moves_of(self._rules.winning_moves(position, normal, *limits))
        try:
            solution = self._solved(fuel, seconds)
            return solution.winning_moves(dict(position), fuel=fuel, seconds=seconds)
        except Unsolved as unsolved:
            raise _undecided(unsolved) from None


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

        Parameters
        ----------
        latex : bool
            Whether it is LaTeX, for a paper.
        width : int
            The columns of a line, if it is plain text.
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
        """Returns the value of a position in the quotient.

        Parameters
        ----------
        heaps : position
            The position, as in `Game.outcome`.

        Raises
        ------
        Unsolved
            If Φ is not known as far as to these heaps.
        """
        found = self._claim.element(self.game._counted(heaps))
        if found is None:
            raise Unsolved(f"Φ of {self.game.code} is known to heap {self.heaps}", self)
        return Element(self.quotient, found)

    def outcome(self, *heaps: Heaps, fuel: Fuel = FUEL, seconds: Optional[float] = None) -> str:
        """Returns the outcome of a position, `P` or `N`, for any heaps where the game is solved.

        It is decided by the quotient, by normal play, by the proof that the quotient is infinite,
        by a law, by an automaton, or with little fuel by the rules alone.

        Parameters
        ----------
        *heaps : position
            The position, as in `Game.outcome`.
        fuel, seconds
            The limits, as in `Game.solve`.

        Raises
        ------
        Unsolved
            If nothing of this decides the position.
        """
        return self._decided(_one_position(heaps), fuel, seconds)[0]

    def decided_by(self, *heaps: Heaps, fuel: Fuel = FUEL, seconds: Optional[float] = None) -> str:
        """Names the ground of an outcome: `quotient`, `law`, `automaton`, `evidence`, ….

        Parameters
        ----------
        *heaps : position
            The position, as in `Game.outcome`.
        fuel, seconds
            The limits, as in `Game.solve`.
        """
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
        """Returns all moves to P-positions.

        Parameters
        ----------
        *heaps : position
            The position, as in `Game.outcome`.
        fuel, seconds
            The limits, as in `Game.solve`.

        Raises
        ------
        Unsolved
            If an option of the position is not decided.
        """
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


def quotient_of(what: Union[Quotient, Game, str]) -> Quotient:
    """Returns a quotient: itself, by its name or presentation, or the quotient of a game.

    >>> quotient_of("kayles").order, quotient_of("0.75") == quotient_of("R_8")
    (40, True)
    """
    if isinstance(what, Quotient):
        return what
    if isinstance(what, Game):
        return what.quotient()
    if what[:1] in "0123456789.*{" and "=" not in what:
        return Game(what).quotient()
    try:
        return Quotient(what)
    except BadQuotient:
        # Games have names, too.
        try:
            game = Game(what)
        except BadCode:
            pass
        else:
            return game.quotient()
        raise


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
