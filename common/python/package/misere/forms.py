"""Games in simplest form: whether two are equal in misère play, and a game that tells them apart.

>>> import misere
>>> eight = misere.Game("0.123").form(8)
>>> eight, eight.genus, eight.birthday
({{*2},*}, 2^1420 (restless), 4)
>>> eight == misere.Form("2/1")
True
>>> misere.Form("*2") + "*2"
{*3,*2}
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any, NamedTuple, Optional, Tuple, Union

from ._misere import SimplestForm
from .errors import BadCode
from .limits import FUEL, Fuel, fuel_of, seconds_of

__all__ = ["Context", "Comparison", "Form", "FormSource", "Genus", "compare"]


class Genus(NamedTuple):
    """The genus of a game, and its class in Conway's theory."""

    nim_value: int
    #: The genus in the usual notation: `0^02`, `1^031`.
    text: str
    #: `nim-heap`, `tame`, `restive`, `restless` or `wild`.
    kind: str

    def __repr__(self) -> str:
        return f"{self.text} ({self.kind})"

    def _repr_latex_(self) -> str:
        below, _, above = self.text.partition("^")
        return f"${below}^{{{above}}}$"


class Form:
    """A game in simplest form.

    `Form("0.123:8")` is the form of a heap of a code, `Form("0.77:3+5")` the form of a position.
    `Form("{*2,0}")` is the form of a finite game, `Form("2/320")` of a string of the tables, and
    `Form("2/ + 3")` of a sum of games. Two forms are equal exactly if the games are equal in misère
    play, that is, if they have the same outcome in any context.

    Parameters
    ----------
    text : str
        The game.
    fuel, seconds
        The limits, as in `Game.solve`.
    """

    def __init__(self, text: str, *, fuel: Fuel = FUEL, seconds: Optional[float] = None) -> None:
        if not isinstance(text, str):
            raise BadCode(f"a form is given by a text such as '0.123:8', not by {text!r}")
        self._form = SimplestForm.of_text(text, fuel_of(fuel), seconds_of(seconds))

    @classmethod
    def _of(cls, form: SimplestForm) -> "Form":
        made = cls.__new__(cls)
        made._form = form
        return made

    @cached_property
    def text(self) -> Optional[str]:
        """The game in braces; `None` if it has more than 256 followers or 4,096 characters."""
        written = self._form.written()
        return "0" if written == "{}" else written

    @cached_property
    def table_string(self) -> Optional[str]:
        """The string of the tables of Plambeck and Siegel, such as `2/320`, if there is one."""
        return self._form.table_string()

    @cached_property
    def birthday(self) -> int:
        """The number of moves in the longest play."""
        return self._form.birthday()

    @cached_property
    def followers(self) -> int:
        """The number of games that can be reached, including the game itself."""
        return self._form.followers()

    @cached_property
    def genus(self) -> Genus:
        """The genus of the game."""
        return Genus(*self._form.genus())

    @cached_property
    def outcome(self) -> str:
        """The outcome in misère play: `N` if the next player wins, `P` if the previous one does."""
        return self._form.outcome()

    @cached_property
    def options(self) -> Tuple["Form", ...]:
        """The options, each in simplest form."""
        return tuple(Form._of(option) for option in self._form.options())

    def mate(self, *, fuel: Fuel = FUEL, seconds: Optional[float] = None) -> "Form":
        """Returns the mate of the game: the two together are a P-position.

        Parameters
        ----------
        fuel, seconds
            The limits, as in `Game.solve`.
        """
        return Form._of(self._form.mate(fuel_of(fuel), seconds_of(seconds)))

    def is_half_tame(self, *, fuel: Fuel = FUEL, seconds: Optional[float] = None) -> bool:
        """Reports whether the game is not tame, but twice it is tame with both nim-values 0.

        Parameters
        ----------
        fuel, seconds
            The limits, as in `Game.solve`.
        """
        return self._form.is_half_tame(fuel_of(fuel), seconds_of(seconds))

    def parts(
        self, *, fuel: Fuel = FUEL, seconds: Optional[float] = None
    ) -> Tuple[Tuple["Form", "Form"], ...]:
        """Returns nontrivial pairs of games whose sum is the game, or the game with `*`.

        Parameters
        ----------
        fuel, seconds
            The limits, as in `Game.solve`.
        """
        found = self._form.parts(fuel_of(fuel), seconds_of(seconds))
        return tuple((Form._of(one), Form._of(other)) for one, other in found)

    def plus(
        self, other: "Comparable", *, fuel: Fuel = FUEL, seconds: Optional[float] = None
    ) -> "Form":
        """Returns the sum with another game; `form + other` is the same with the usual fuel.

        Parameters
        ----------
        other : Form, str or Game
            The other game.
        fuel, seconds
            The limits, as in `Game.solve`.
        """
        beside = _form_of(other, fuel, seconds)._form
        return Form._of(self._form.sum(beside, fuel_of(fuel), seconds_of(seconds)))

    def __add__(self, other: "Comparable") -> "Form":
        if not _can_be_a_form(other):
            return NotImplemented
        return self.plus(other)

    __radd__ = __add__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Form):
            return NotImplemented
        return self._form.equals(other._form)

    def __hash__(self) -> int:
        return hash((self.birthday, self.genus))

    def __repr__(self) -> str:
        if self.text is not None:
            return self.text
        return f"<a game with {self.followers} followers, born on day {self.birthday}>"

    def __reduce__(self) -> Tuple[Any, ...]:
        if self.text is None:
            raise TypeError(f"{self!r} has no text by which it could be pickled")
        return Form, (self.text,)


class FormSource(ABC):
    """A description of a game that has a form: the base of `Game`."""

    @abstractmethod
    def form(self, *, fuel: Fuel = FUEL, seconds: Optional[float] = None) -> Form:
        """Returns the simplest form of the game.

        Parameters
        ----------
        fuel, seconds
            The limits, as in `Game.solve`.
        """


#: Any description of a game: a form, its text, or a finite game.
Comparable = Union[Form, str, FormSource]


class Context(NamedTuple):
    """A game that is added to both of two compared games."""

    form: Form
    #: Whether no earlier game does the same.
    is_least: bool
    #: The genera of the sums of each of the two games with it.
    sums: Tuple[Genus, Genus]


class Comparison(NamedTuple):
    """The comparison of two games."""

    forms: Tuple[Form, Form]
    #: Whether they have the same outcome in any context.
    are_equal: bool
    #: A game with which they have different outcomes, if they are not equal and one was found.
    told_apart_by: Optional[Context]
    #: Whether there is a game with which both are P-positions.
    are_linked: bool
    #: Such a game, if one was found.
    linked_by: Optional[Context]


def compare(
    one: Comparable,
    other: Comparable,
    *,
    fuel: Fuel = FUEL,
    seconds: Optional[float] = None,
) -> Comparison:
    """Compares two games: whether they are equal in misère play, and what tells them apart.

    Parameters
    ----------
    one, other : Form, str or Game
        The two games.
    fuel, seconds
        The limits, as in `Game.solve`.

    Examples
    --------
    >>> import misere
    >>> found = misere.compare("0.123:6", "0.123:11")
    >>> found.are_equal, found.told_apart_by.form, found.linked_by.form
    (False, {{{*2}},*}, 0)
    """
    forms = _form_of(one, fuel, seconds), _form_of(other, fuel, seconds)
    first, second = forms[0]._form, forms[1]._form
    limits = fuel_of(fuel), seconds_of(seconds)
    are_linked, apart, link = first.compared(second, *limits)
    return Comparison(forms, forms[0] == forms[1], _context(apart), are_linked, _context(link))


def _context(found: Optional[Tuple[SimplestForm, bool, Any, Any]]) -> Optional[Context]:
    if found is None:
        return None
    form, is_least, one, other = found
    return Context(Form._of(form), is_least, (Genus(*one), Genus(*other)))


def _can_be_a_form(what: object) -> bool:
    return isinstance(what, (Form, str, FormSource))


def _form_of(what: Comparable, fuel: Fuel, seconds: Optional[float]) -> Form:
    if isinstance(what, Form):
        return what
    if isinstance(what, FormSource):
        return what.form(fuel=fuel, seconds=seconds)
    return Form(what, fuel=fuel, seconds=seconds)
