"""Misère quotients of impartial games: solve, verify, classify, and read a census.

>>> import misere
>>> kayles = misere.Game("0.77")
>>> kayles.quotient().order, kayles.solve().period
(40, 12)
>>> kayles.outcome([3, 4]), kayles.winning_moves([3, 4])
('N', [3 → 1 + 1, 4 → 2 + 1, 4 → 3])
>>> misere.Census("http://127.0.0.1:8117")["0.77"].aliases
('4.4', '4.6', ...)

The guide is docs/python.md of the project misere-census.
"""

from ._misere import __version__
from .atlas import Atlas, AtlasAnswer
from .census import Census, ClassEntry, Entry, Query
from .errors import (
    BadAtlas,
    BadCertificate,
    BadCode,
    BadHeap,
    BadQuotient,
    Exhausted,
    MisereError,
    NoCensus,
    NotInCensus,
    Refuted,
    Stopped,
    TooLarge,
    Unsolved,
)
from .forms import Context, Comparison, Form, Genus, compare
from .games import Game, Solution
from .positions import Move
from .pretending import PretendingFunction
from .quotients import Element, Quotient
from .small_orders import SmallOrders, SmallQuotient, classify, identify
from .solutions import verify

__all__ = [
    "Atlas",
    "AtlasAnswer",
    "BadAtlas",
    "BadCertificate",
    "BadCode",
    "BadHeap",
    "BadQuotient",
    "Census",
    "ClassEntry",
    "Context",
    "Comparison",
    "Element",
    "Entry",
    "Exhausted",
    "Form",
    "Game",
    "Genus",
    "MisereError",
    "Move",
    "NoCensus",
    "NotInCensus",
    "PretendingFunction",
    "Quotient",
    "Query",
    "Refuted",
    "SmallOrders",
    "SmallQuotient",
    "Solution",
    "Stopped",
    "TooLarge",
    "Unsolved",
    "__version__",
    "classify",
    "compare",
    "identify",
    "verify",
]
