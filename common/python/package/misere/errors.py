"""The exceptions of this package.

>>> import misere
>>> misere.Game("0.8x")
Traceback (most recent call last):
    ...
misere.errors.BadCode: ...

All of them are `MisereError`. Ctrl-C is not an exception of this package: it raises
`KeyboardInterrupt`, as everywhere in Python.
"""

from __future__ import annotations

from typing import Any, Optional

__all__ = [
    "BadAtlas",
    "BadCertificate",
    "BadCode",
    "BadHeap",
    "BadQuotient",
    "Exhausted",
    "MisereError",
    "NoCensus",
    "NotInCensus",
    "Refuted",
    "Stopped",
    "TooLarge",
    "Unsolved",
]


class MisereError(Exception):
    """An exception of this package."""


class BadAtlas(MisereError, ValueError):
    """A file that is not an atlas, or one that contradicts itself."""


class BadCode(MisereError, ValueError):
    """A text that is not a game."""


class BadHeap(MisereError, ValueError):
    """A heap that the game does not have."""


class BadQuotient(MisereError, ValueError):
    """Tables, a name or a presentation that do not give a bipartite monoid."""


class BadCertificate(MisereError, ValueError):
    """Data that are not a certificate at all."""


class Refuted(MisereError):
    """A claim that the checker refutes; the text names the first thing that is wrong."""


class TooLarge(MisereError):
    """A query beyond the listed or examined data."""


class NoCensus(MisereError):
    """A directory, file or address at which there is no census."""


class NotInCensus(MisereError, KeyError):
    """A game or a class that a census does not have."""

    def __str__(self) -> str:
        # A KeyError would put quotation marks around it.
        return str(self.args[0]) if self.args else ""


class Unsolved(MisereError):
    """A question that the solution of a game does not answer.

    `solution` is the known part of the solution; its `status` says why there is no more.
    """

    def __init__(self, text: str = "", solution: Optional[Any] = None) -> None:
        super().__init__(text)
        #: The `Solution`; its class raises this exception, so it is not imported here.
        self.solution = solution


class Exhausted(Unsolved):
    """A computation that reached the limit of its fuel, or another limit of its budget.

    The same call with the same budget ends in the same way on every machine.
    """


class Stopped(Unsolved):
    """A computation that reached a limit of time or memory, which says nothing about the game."""
