"""Positions as people write them: `[3, 4]`, `{3: 1_000_000}`, `5`, `["*2", "*"]`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Dict, List, NamedTuple, Tuple, Union

from .errors import BadHeap
from .limits import whole

if TYPE_CHECKING:
    from .games import Game

__all__ = ["Heap", "Heaps", "Move", "counted", "moves_of"]

#: A heap: its size, or, of a finite game, a follower or its number.
Heap = Union[int, str, "Game"]

#: A position: one heap, several heaps, or heaps with the number of each.
Heaps = Union[Heap, "Iterable[Heap]", "Mapping[Heap, int]"]


class Move(NamedTuple):
    """A move: the heap that is taken, and the heaps that replace it."""

    heap: int
    leaves: Tuple[int, ...]

    def __repr__(self) -> str:
        left = " + ".join(map(str, self.leaves)) or "nothing"
        return f"{self.heap} → {left}"


def heap_of(game: "Game", heap: Heap) -> int:
    """Returns the number of a heap of a game."""
    from .games import Game

    if heap == "0":
        return 0
    if isinstance(heap, (str, Game)):
        wanted = heap if isinstance(heap, Game) else Game(heap)
        numbers = game._follower_numbers
        if wanted.code not in numbers:
            raise BadHeap(f"{wanted.code} is not a heap of {game.code}")
        return numbers[wanted.code]
    return whole("a heap", heap, 2**32 - 1)


def counted(game: "Game", heaps: Heaps) -> List[Tuple[int, int]]:
    """Returns the heaps of a position, ascending, with the number of each."""
    from .games import Game

    found: Dict[int, int] = {}
    if isinstance(heaps, Mapping):
        for heap, copies in heaps.items():
            number = heap_of(game, heap)
            found[number] = found.get(number, 0) + whole("the number of heaps", copies)
    elif isinstance(heaps, (str, Game)) or not isinstance(heaps, Iterable):
        found[heap_of(game, heaps)] = 1
    else:
        for heap in heaps:
            number = heap_of(game, heap)
            found[number] = found.get(number, 0) + 1
    return [(heap, whole("the number of heaps", copies)) for heap, copies in sorted(found.items())]


def moves_of(game: "Game", moves: List[Tuple[int, List[int]]]) -> List[Move]:
    """Returns moves in a readable form."""
    return [Move(heap, tuple(leaves)) for heap, leaves in moves]
