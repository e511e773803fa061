"""The limits of computations, in the form of keyword arguments."""

from __future__ import annotations

import operator
from typing import Optional, SupportsIndex

__all__ = ["FUEL", "UNLIMITED", "seconds_of", "whole"]

#: The default fuel of a computation: about a minute of one core.
FUEL = 60_000_000

#: The greatest number of units of fuel.
UNLIMITED = 2**64 - 1


def whole(name: str, value: SupportsIndex, most: int = UNLIMITED) -> int:
    """Returns the value of a keyword argument, if it is a whole number in range."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {value!r}") from None
    if not 0 <= number <= most:
        raise ValueError(f"{name} is a whole number from 0 to {most}, not {number}")
    return number


def seconds_of(value: Optional[float]) -> Optional[float]:
    """Returns the time guard, if there is one."""
    if value is None:
        return None
    seconds = float(value)
    if not seconds >= 0:
        raise ValueError(f"seconds is a number from 0 on, not {value!r}")
    return seconds
