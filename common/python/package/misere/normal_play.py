"""What is known of a game without its misère quotient: nim-values, genera, simplest forms.

>>> import misere
>>> values = misere.Game("0.77").nim_values(200)
>>> values[:12], values.period, values.preperiod
([0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6], 12, 71)
"""

from __future__ import annotations

from typing import List, Optional, Tuple

from .errors import BadHeap
from .forms import Form, Genus
from .game_rules import LAST_HEAP, GameRules, Heaps
from .limits import FUEL, Fuel, fuel_of, seconds_of, whole

__all__ = ["NimValues", "NormalPlay"]


class NimValues(List[int]):
    """Nim-values of the heaps from 0 on, with period and preperiod if they are proved."""

    period: Optional[int] = None
    preperiod: Optional[int] = None


class NormalPlay(GameRules):
    """A game whose heaps have nim-values, genera and simplest forms."""

    def nim_values(
        self, max_heap: int = 100, *, fuel: Fuel = FUEL, seconds: Optional[float] = None
    ) -> NimValues:
        """Returns the nim-values of the heaps, with the period if it is proved.

        Parameters
        ----------
        max_heap : int
            The last heap.
        fuel, seconds
            The limits, as in `Game.solve`.
        """
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
        """Returns the genus of a position, or of a finite game itself.

        Parameters
        ----------
        heaps : position, optional
            The position, as in `Game.outcome`. Only a finite game has a genus without it.
        fuel, seconds
            The limits, as in `Game.solve`.
        """
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

        Parameters
        ----------
        heaps : position, optional
            The position, as in `Game.outcome`. Only a finite game has a form without it.
        fuel, seconds
            The limits, as in `Game.solve`.

        Examples
        --------
        >>> from misere import Game
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
        """Returns the genera of the heaps.

        Parameters
        ----------
        max_heap : int
            The last heap.
        fuel, seconds
            The limits, as in `Game.solve`.
        """
        last = whole("max_heap", max_heap, LAST_HEAP)
        found, repeats = self._rules.genera(last, fuel_of(fuel), seconds_of(seconds))
        genera = [Genus(*genus) for genus in found[: last + 1]]
        if repeats is not None:
            while len(genera) <= last:
                genera.append(genera[-repeats[0]])
        return genera
