"""The rules of a game: its code, its heaps and their options.

>>> import misere
>>> misere.Game("0.77").options(3)
[(1,), (1, 1), (2,)]
"""

from __future__ import annotations

import warnings
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple, TypeVar, Union

from ._misere import Rules
from .errors import BadCode, BadHeap
from .forms import FormSource
from .limits import whole
from .positions import counted
from .rules_text import Options, rules_text

__all__ = ["LAST_HEAP", "GameRules", "Heap", "Heaps"]

#: A heap: its size, or, of a finite game, a follower or its number.
Heap = Union[int, str, "GameRules"]

#: A position: one heap, several heaps, or heaps with the number of each.
Heaps = Union[Heap, "Iterable[Heap]", "Mapping[Heap, int]"]

#: The greatest number of a heap.
LAST_HEAP = 2**32 - 2

#: The class of a game whose rules are read.
Made = TypeVar("Made", bound="GameRules")


class GameRules(FormSource):
    """The rules of a game, given by its code, its name or as a finite game.

    Parameters
    ----------
    code : str
        A code such as `0.77`, a name such as `kayles`, or a finite game such as `{*2,0}`.
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

    @classmethod
    def _of_rules(cls: "type[Made]", rules: Rules) -> "Made":
        game = cls.__new__(cls)
        game._rules = rules
        return game

    @classmethod
    def from_list(cls: "type[Made]", file: Union[str, "PathLike[str]"]) -> "Made":
        """Reads a file with the options of each heap, as `misere solve @FILE` does.

        Parameters
        ----------
        file : str or path
            A text file with a line `HEAP: OPTION, OPTION, …` for each heap.

        Raises
        ------
        BadCode
            If a line is none of options; it is named.
        """
        return cls._of_rules(Rules.of_list(Path(file).read_text(encoding="utf-8")))

    @classmethod
    def from_options(
        cls: "type[Made]",
        options: Options,
        last_heap: Optional[int] = None,
    ) -> "Made":
        """Makes a game of your own from the options of each heap from 1 on.

        Parameters
        ----------
        options : dict or function
            The options of each heap. An option is the heap that is left, or a tuple of the heaps
            that are left.
        last_heap : int, optional
            The greatest heap for which a function is called.

        Examples
        --------
        >>> from misere import Game
        >>> Game.from_options({1: [0], 2: [1, 0], 3: [2, 1, (1, 1)]})
        Game('heaps(0;1,0;2,1+1,1)')
        >>> subtraction = Game.from_options(lambda n: [n - k for k in (1, 4) if k <= n], 20)
        >>> subtraction.outcome(13, 17)
        'P'
        """
        return cls._of_rules(Rules.of_list(rules_text(options, last_heap)))

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

        >>> import misere
        >>> misere.Game("0.77").rules
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
        if isinstance(heap, (str, GameRules)):
            wanted = heap if isinstance(heap, GameRules) else type(self)(heap)
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

        Parameters
        ----------
        heap : int, str or Game
            The heap; of a finite game also a follower.
        """
        return [tuple(option) for option in self._rules.options(self._heap_number(heap))]

    def is_live(self, heap: Heap) -> bool:
        """Reports whether a heap has a move.

        Parameters
        ----------
        heap : int, str or Game
            The heap; of a finite game also a follower.
        """
        return self._rules.is_live(self._heap_number(heap))

    def is_same_game(self, other: "GameRules") -> bool:
        """Reports whether two codes are recognized as one game, renumbered: 0.07 and 0.4 are.

        Parameters
        ----------
        other : Game
            The other game. Two games may be the same although that is not recognized.
        """
        return self == other or self._rules.signature() == other._rules.signature()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GameRules):
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
        return type(self), (self.code,)
