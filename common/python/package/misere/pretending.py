"""The pretending function Φ of a game, and the heaps at which the quotient changes.

>>> import misere
>>> phi = misere.Game("0.123").solve().phi
>>> phi[:8], phi[10**9], phi.repeats
([1, a, 1, b, b, a, d^2, 1], a, (5, 5))
"""

from __future__ import annotations

from typing import Any, List, NamedTuple, Optional, Tuple, Union, overload

from .limits import whole
from .quotients import Element, Quotient

__all__ = ["Partial", "PretendingFunction"]


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
