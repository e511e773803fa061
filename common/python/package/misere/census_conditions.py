"""The conditions by which the games of a census are found, and the keys that sort them."""

from __future__ import annotations

from typing import Any, Dict, Optional, Tuple

from .games import Game
from .quotients import Quotient

__all__ = ["EVENTS", "NUMBERS", "SORTED_BY", "WORDS", "conditions"]

#: The conditions on numbers.
NUMBERS = ("order", "p_size", "period", "preperiod", "heaps", "fuel", "law")
#: The conditions on heaps at which something happens.
EVENTS = ("changes_at", "wild_from", "diverges_at", "tame_relative_from", "grows_from")
#: The other conditions.
WORDS = ("code", "status", "tame", "class_", "any_class", "reason")
#: The keys by which answers can be sorted.
SORTED_BY = (
    "code",
    "order",
    "p_size",
    "period",
    "preperiod",
    "heaps",
    "fuel",
    "wild_from",
    "diverges_at",
)


def _bounds(name: str, value: Any) -> Tuple[Optional[int], Optional[int]]:
    if isinstance(value, bool):
        raise TypeError(f"{name} is a number or a pair of bounds, not {value!r}")
    if isinstance(value, int):
        return value, value
    if isinstance(value, range):
        if value.step != 1:
            raise ValueError(f"{name}: a range of step 1 is expected")
        return value.start, value.stop - 1
    try:
        low, high = value
    except (TypeError, ValueError):
        raise TypeError(
            f"{name} is a number, a range or a pair of bounds, such as (6, 20) or (6, None), "
            f"not {value!r}"
        ) from None
    for bound in (low, high):
        if bound is not None and (isinstance(bound, bool) or not isinstance(bound, int)):
            raise TypeError(f"{name}: {bound!r} is not a number")
    return low, high


def conditions(given: Dict[str, Any]) -> Dict[str, Any]:
    """Returns the conditions in one form: pairs of bounds, lists of words."""
    found: Dict[str, Any] = {}
    for name, value in given.items():
        if name not in NUMBERS + EVENTS + WORDS:
            known = ", ".join(sorted(NUMBERS + EVENTS + WORDS))
            raise TypeError(f"a census is not searched by {name!r}; conditions are {known}")
        if name == "tame":
            meant = {True: "tame", False: "wild", None: "open"}
            word = meant.get(value, value) if not isinstance(value, str) else value
            if word not in meant.values():
                raise ValueError(f"tame is True, False or None (open), not {value!r}")
            found[name] = word
        elif value is None:
            continue
        elif name in NUMBERS or name in EVENTS:
            found[name] = _bounds(name, value)
        elif name in ("status", "reason"):
            found[name] = [value] if isinstance(value, str) else list(value)
        elif name in ("class_", "any_class") and isinstance(value, Quotient):
            found[name] = value.class_key
        elif isinstance(value, str):
            found[name] = value
        elif name == "code" and isinstance(value, Game):
            found[name] = value.code
        else:
            raise TypeError(f"{name} is a text, not {value!r}")
    return found
