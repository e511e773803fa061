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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .names import *
else:

    def __getattr__(name):
        """Loads the public names with the first of them.

        The command `misere` needs none of them, and would take twice as long with them.
        """
        from importlib import import_module

        names = import_module("misere.names")
        public = ["__all__", *names.__all__]
        globals().update((name, getattr(names, name)) for name in public)
        try:
            return globals()[name]
        except KeyError:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None

    def __dir__():
        """Lists the public names."""
        return ["__version__", *__getattr__("__all__")]
