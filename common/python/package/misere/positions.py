"""Positions as people write them: `[3, 4]`, `{3: 1_000_000}`, `5`, `["*2", "*"]`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Callable, Dict, List, NamedTuple, Tuple

from .limits import whole

__all__ = ["Move", "counted", "moves_of"]


class Move(NamedTuple):
    """A move: the heap that is taken, and the heaps that replace it."""

    heap: int
    leaves: Tuple[int, ...]

    def __repr__(self) -> str:
        left = " + ".join(map(str, self.leaves)) or "nothing"
        return f"{self.heap} → {left}"


def counted(heaps: Any, number_of: Callable[[Any], int]) -> List[Tuple[int, int]]:
    """Returns the heaps of a position, ascending, with the number of each.

    `number_of` returns the number of one heap as people write it.
    """
    found: Dict[int, int] = {}
    if isinstance(heaps, Mapping):
        for heap, copies in heaps.items():
            number = number_of(heap)
            found[number] = found.get(number, 0) + whole("the number of heaps", copies)
    elif isinstance(heaps, str) or not isinstance(heaps, Iterable):
        found[number_of(heaps)] = 1
    else:
        for heap in heaps:
            number = number_of(heap)
            found[number] = found.get(number, 0) + 1
    return [(heap, whole("the number of heaps", copies)) for heap, copies in sorted(found.items())]


def moves_of(moves: List[Tuple[int, List[int]]]) -> List[Move]:
    """Returns moves in a readable form."""
    return [Move(heap, tuple(leaves)) for heap, leaves in moves]
