"""The limits of computations, in the form of keyword arguments."""

from __future__ import annotations

import operator
from typing import Optional, SupportsIndex, Union

from ._misere import read_fuel, read_memory

__all__ = ["FUEL", "UNLIMITED", "Fuel", "Memory", "fuel_of", "memory_of", "seconds_of", "whole"]

#: An amount of fuel: a number of units, or a text such as `"10M"`.
Fuel = Union[int, str]

#: An amount of memory: a number of bytes, or a text such as `"2GiB"`.
Memory = Union[int, str]

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


def fuel_of(value: Fuel, name: str = "fuel") -> int:
    """Returns an amount of fuel in units.

    >>> fuel_of("1.5M")
    1500000
    """
    return read_fuel(value) if isinstance(value, str) else whole(name, value)


def memory_of(value: Optional[Memory]) -> Optional[int]:
    """Returns a guard of memory in bytes, if there is one."""
    if value is None:
        return None
    return read_memory(value) if isinstance(value, str) else whole("memory", value)


def seconds_of(value: Optional[float]) -> Optional[float]:
    """Returns the time guard, if there is one."""
    if value is None:
        return None
    seconds = float(value)
    if not seconds >= 0:
        raise ValueError(f"seconds is a number from 0 on, not {value!r}")
    return seconds
