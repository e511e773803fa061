"""The public names of the package, which `misere` has as its own."""

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
    "classify",
    "compare",
    "identify",
    "verify",
]
