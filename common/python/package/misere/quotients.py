"""Misère quotients: finite bipartite monoids, their elements and their structure.

>>> import misere
>>> q = misere.Game("0.123").quotient()
>>> q
Quotient of order 20, 5 in P: ⟨a,b,c,d | a^2 = 1, b^4 = b^2, ...⟩  P = {...}
>>> a, b, c, d = q.generators
>>> a * a == q.identity, b ** 4 == b ** 2
(True, True)
"""

from __future__ import annotations

from functools import cached_property
from typing import (
    TYPE_CHECKING,
    Any,
    Dict,
    Iterable,
    Iterator,
    List,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    Union,
    overload,
)

from ._misere import Monoid
from .errors import BadQuotient
from .formats import (
    gap_source,
    latex_presentation,
    latex_word,
    networkx_graph,
    pandas_frame,
    sage_source,
)
from .limits import FUEL, Fuel, fuel_of, seconds_of, whole

if TYPE_CHECKING:
    import networkx
    import pandas

__all__ = [
    "ArchimedeanComponent",
    "AutomorphismGroup",
    "Element",
    "Kernel",
    "Presentation",
    "PrincipalFactor",
    "Quotient",
]


class Element:
    """An element of a quotient, which is multiplied with `*` and `**`."""

    __slots__ = ("quotient", "number")

    quotient: "Quotient"
    number: int

    def __init__(self, quotient: "Quotient", number: int) -> None:
        self.quotient = quotient
        self.number = number

    def __mul__(self, other: "Element") -> "Element":
        if not isinstance(other, Element):
            return NotImplemented
        if not self.quotient.same_tables(other.quotient):
            raise ValueError(
                "the elements belong to two quotients; move one by quotient.isomorphism"
            )
        times = self.quotient._monoid.times(self.number, other.number)
        return Element(self.quotient, times)

    def __pow__(self, exponent: int) -> "Element":
        left = whole("an exponent", exponent, 2**4096)
        power, square = self.quotient.identity, self
        while left:
            if left & 1:
                power = power * square
            left >>= 1
            if left:
                square = square * square
        return power

    @property
    def word(self) -> str:
        """The lex-least word in the generators, `1` for the identity."""
        return self.quotient.words[self.number]

    @property
    def in_P(self) -> bool:
        """Whether positions with this value are P-positions."""
        return self.quotient._monoid.in_p(self.number)

    @property
    def outcome(self) -> str:
        """The outcome of positions with this value, `P` or `N`."""
        return "P" if self.in_P else "N"

    @property
    def is_idempotent(self) -> bool:
        """Whether the element is its own square."""
        return self * self == self

    @property
    def index(self) -> int:
        """The least k with x^(k+p) = x^k for some p > 0."""
        return self.quotient._powers[0][self.number]

    @property
    def period(self) -> int:
        """The least p > 0 with x^(k+p) = x^k for k = `index`."""
        return self.quotient._powers[1][self.number]

    def __int__(self) -> int:
        return self.number

    __index__ = __int__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Element):
            return NotImplemented
        return self.number == other.number and self.quotient.same_tables(other.quotient)

    def __hash__(self) -> int:
        return hash((self.number, self.quotient.order))

    def __repr__(self) -> str:
        return self.word

    def _repr_latex_(self) -> str:
        return f"${latex_word(self.word)}$"

    def __reduce__(self) -> Tuple[Any, ...]:
        return Element, (self.quotient, self.number)


class Presentation(NamedTuple):
    """A quotient in the notation of the papers."""

    #: The necessary generators, in their order.
    generators: Tuple[Element, ...]
    #: The reduced confluent relations, as pairs of words.
    relations: Tuple[Tuple[str, str], ...]
    #: The words of the elements of the P-portion.
    p_portion: Tuple[str, ...]
    #: The whole presentation as text.
    text: str

    def __repr__(self) -> str:
        return self.text

    def _repr_latex_(self) -> str:
        return f"${latex_presentation(self.text, self.relations, self.p_portion)}$"


class Kernel(NamedTuple):
    """The kernel of a quotient: its least ideal, which is a group."""

    identity: Element
    elements: Tuple[Element, ...]
    #: The orders of cyclic groups whose product is the kernel.
    invariants: Tuple[int, ...]


class ArchimedeanComponent(NamedTuple):
    """The elements that have one idempotent among their powers."""

    idempotent: Element
    elements: Tuple[Element, ...]
    #: The maximal subgroup around the idempotent.
    group: Tuple[Element, ...]
    #: The orders of cyclic groups whose product is that subgroup.
    invariants: Tuple[int, ...]


class PrincipalFactor(NamedTuple):
    """A class of mutually divisible elements, with the kind of its Rees factor."""

    elements: Tuple[Element, ...]
    depth: int
    idempotent: Optional[Element]
    #: `group`, `group with zero` or `null`.
    kind: str


class AutomorphismGroup(NamedTuple):
    """The automorphisms of a quotient as a bipartite monoid."""

    order: int
    #: Automorphisms that generate the group, each as the image of every element.
    generators: Tuple[Tuple[int, ...], ...]
    #: The sets of more than one element that automorphisms exchange.
    orbits: Tuple[Tuple[Element, ...], ...]


class Quotient:
    """A finite bipartite monoid, such as the misère quotient of a game.

    `Quotient("R_8")` and `Quotient("⟨a,b | a^2 = 1, b^3 = b⟩  P = {a, b^2}")` make one from a name
    of the literature or from a presentation, `Quotient.from_tables` from tables.

    Two quotients are equal (`==`) if they are isomorphic as bipartite monoids.

    Parameters
    ----------
    text : str
        The name or the presentation.

    Raises
    ------
    BadQuotient
        If it is neither.
    """

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise TypeError(
                "a quotient is given by a name or a presentation; tables go to Quotient.from_tables"
            )
        is_presentation = any(sign in text for sign in "=|⟨<")
        self._monoid = Monoid.presented(text) if is_presentation else Monoid.by_name(text)
        self._of: Optional[str] = None
        self._heaps: Optional[Tuple[int, ...]] = None

    @classmethod
    def _of_monoid(
        cls,
        monoid: Monoid,
        of: Optional[str] = None,
        heaps: Optional[Iterable[int]] = None,
    ) -> "Quotient":
        quotient = cls.__new__(cls)
        quotient._monoid = monoid
        quotient._of = of
        quotient._heaps = None if heaps is None else tuple(heaps)
        return quotient

    @classmethod
    def from_tables(
        cls, action: Sequence[Sequence[int]], p_portion: Iterable[int], order: Optional[int] = None
    ) -> "Quotient":
        """Makes a bipartite monoid from tables.

        Parameters
        ----------
        action : sequence of sequences of int
            The row `x ↦ x·g` of each generator; 0 is the identity.
        p_portion : iterable of int
            The elements of the P-portion.
        order : int, optional
            The number of elements, which is the length of a row.

        Raises
        ------
        BadQuotient
            If the tables are not those of a bipartite monoid.

        Examples
        --------
        >>> Quotient.from_tables([[1, 0]], [1]).name
        'T_1'
        """
        rows = [[whole("an element", x, 2**32 - 1) for x in row] for row in action]
        marked = [whole("an element", x, 2**32 - 1) for x in p_portion]
        size = len(rows[0]) if rows else 1
        size = size if order is None else whole("order", order, 2**32 - 1)
        return cls._of_monoid(Monoid(size, rows, marked))

    @classmethod
    def from_dict(cls, document: Dict[str, Any]) -> "Quotient":
        """Reads a bipartite monoid from JSON data.

        Parameters
        ----------
        document : dict
            An object with `action` and `p_portion`, such as `Quotient.to_dict` returns.

        Raises
        ------
        BadQuotient
            If it has no tables of a bipartite monoid.
        """
        try:
            return cls.from_tables(document["action"], document["p_portion"], document.get("order"))
        except (KeyError, TypeError) as error:
            raise BadQuotient(f"the object has no tables of a quotient: {error}") from error

    # Elements.

    @property
    def order(self) -> int:
        """The number of elements."""
        return self._monoid.order()

    def __len__(self) -> int:
        return self.order

    @property
    def elements(self) -> Tuple[Element, ...]:
        """All elements; the identity is the first."""
        return tuple(Element(self, x) for x in range(self.order))

    def __iter__(self) -> Iterator[Element]:
        return (Element(self, x) for x in range(self.order))

    def __contains__(self, x: object) -> bool:
        return isinstance(x, Element) and self.same_tables(x.quotient)

    @overload
    def __getitem__(self, key: Union[int, str]) -> Element: ...

    @overload
    def __getitem__(self, key: slice) -> List[Element]: ...

    def __getitem__(self, key: Union[int, str, slice]) -> Union[Element, List[Element]]:
        if isinstance(key, slice):
            return [Element(self, x) for x in range(*key.indices(self.order))]
        if isinstance(key, str):
            return Element(self, self._monoid.element(key))
        number = key + self.order if key < 0 else key
        if not 0 <= number < self.order:
            raise IndexError(f"{key} is not an element of a quotient of order {self.order}")
        return Element(self, number)

    @property
    def identity(self) -> Element:
        """The identity, the value of the empty position."""
        return Element(self, 0)

    @property
    def generators(self) -> Tuple[Element, ...]:
        """The generators, for a game in the order of the heaps whose values they are."""
        return tuple(Element(self, row[0]) for row in self.action)

    @property
    def generator_names(self) -> Tuple[str, ...]:
        """The names of the generators in words."""
        return tuple(self._monoid.generator_names())

    @property
    def generator_heaps(self) -> Optional[Tuple[int, ...]]:
        """The heaps whose values the generators are, if the quotient came from a game."""
        return self._heaps

    @cached_property
    def words(self) -> Tuple[str, ...]:
        """The lex-least words of the elements."""
        return tuple(self._monoid.words())

    @cached_property
    def exponents(self) -> Tuple[Tuple[int, ...], ...]:
        """The exponents of the generators in these words."""
        return tuple(map(tuple, self._monoid.exponents()))

    @property
    def P(self) -> Tuple[Element, ...]:
        """The P-portion: the values of P-positions."""
        return tuple(Element(self, x) for x in self._monoid.p_portion())

    @property
    def p_size(self) -> int:
        """The number of elements of the P-portion."""
        return len(self._monoid.p_portion())

    @cached_property
    def action(self) -> Tuple[Tuple[int, ...], ...]:
        """The rows `x ↦ x·g` of the generators, which determine all products."""
        return tuple(map(tuple, self._monoid.action()))

    def multiplication_table(self) -> List[List[int]]:
        """Returns all products of elements, as numbers: row x has x·y at place y."""
        return [self._monoid.row(x) for x in range(self.order)]

    # Names and isomorphism.

    @property
    def name(self) -> Optional[str]:
        """The name in the literature: `T_3`, `R_8`, `S_12`, …."""
        return self._monoid.known_name()

    @property
    def class_key(self) -> str:
        """The key of the isomorphism class, equal exactly for isomorphic quotients."""
        return self._monoid.class_key()

    def canonical_form(self) -> "Quotient":
        """Returns the canonical form: equal tables for isomorphic quotients."""
        return Quotient._of_monoid(self._monoid.canonical_form()[0])

    def isomorphism(self, other: "Quotient") -> Optional[List[Element]]:
        """Returns the images of the elements under an isomorphism to another quotient, if any.

        Parameters
        ----------
        other : Quotient
            The other quotient.
        """
        images = self._monoid.isomorphism(other._monoid)
        return None if images is None else [Element(other, x) for x in images]

    def is_isomorphic(self, other: "Quotient") -> bool:
        """Reports whether an isomorphism preserves products and the P-portion.

        Parameters
        ----------
        other : Quotient
            The other quotient.
        """
        sizes = (self.order, self.p_size) == (other.order, other.p_size)
        return sizes and self.class_key == other.class_key

    def same_tables(self, other: "Quotient") -> bool:
        """Reports whether elements of the same number behave alike, generator by generator.

        Parameters
        ----------
        other : Quotient
            The other quotient.
        """
        return self is other or (
            self.order == other.order
            and self.action == other.action
            and self._monoid.p_portion() == other._monoid.p_portion()
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Quotient):
            return NotImplemented
        return self.is_isomorphic(other)

    def __hash__(self) -> int:
        return hash(self.class_key)

    @property
    def is_tame(self) -> bool:
        """Whether it is one of T_0, T_1, T_2, …, the quotients of Nim."""
        return self._monoid.is_tame()

    @property
    def is_reduced(self) -> bool:
        """Whether any two elements have translates with different outcomes."""
        return self._monoid.reduced_order() == self.order

    # Structure.

    @property
    def presentation(self) -> Presentation:
        """The presentation in the notation of the papers."""
        places, relations, p_portion, text = self._monoid.readable()
        generators = self.generators
        return Presentation(
            tuple(generators[place] for place in places),
            tuple(relations),
            tuple(p_portion),
            text,
        )

    @property
    def relations(self) -> Tuple[Tuple[str, str], ...]:
        """The reduced confluent relations on all generators, as pairs of words."""
        return tuple(self._monoid.relations())

    @cached_property
    def _idempotents(self) -> Dict[str, Any]:
        return self._monoid.idempotents()

    @cached_property
    def _powers(self) -> Tuple[List[int], List[int]]:
        return self._monoid.powers(FUEL, None)

    def _elements(self, numbers: Iterable[int]) -> Tuple[Element, ...]:
        return tuple(Element(self, x) for x in numbers)

    @property
    def idempotents(self) -> Tuple[Element, ...]:
        """The elements that are their own squares; a greater one comes before a smaller one."""
        return self._elements(self._idempotents["elements"])

    @property
    def idempotent_covers(self) -> Tuple[Tuple[Element, Element], ...]:
        """The pairs of idempotents f > e with nothing between."""
        listed = self.idempotents
        return tuple((listed[f], listed[e]) for f, e in self._idempotents["covers"])

    @property
    def components(self) -> Tuple[ArchimedeanComponent, ...]:
        """The archimedean components, in the order of the idempotents."""
        facts = self._idempotents
        members: List[List[int]] = [[] for _ in facts["elements"]]
        for x, place in enumerate(facts["component"]):
            members[place].append(x)
        return tuple(
            ArchimedeanComponent(
                idempotent,
                self._elements(members[place]),
                self._elements(facts["groups"][place]),
                tuple(facts["invariants"][place]),
            )
            for place, idempotent in enumerate(self.idempotents)
        )

    @property
    def kernel(self) -> Kernel:
        """The least ideal."""
        facts = self._idempotents
        return Kernel(
            Element(self, facts["kernel_identity"]),
            self._elements(facts["kernel"]),
            tuple(facts["kernel_invariants"]),
        )

    @property
    def is_regular(self) -> bool:
        """Whether exactly one element of the kernel is in P."""
        return bool(self._idempotents["is_regular"])

    @property
    def is_normal(self) -> bool:
        """Whether the identity of the kernel is the only element of the kernel in P."""
        return bool(self._idempotents["is_normal"])

    def automorphisms(
        self, *, fuel: Fuel = FUEL, seconds: Optional[float] = None
    ) -> AutomorphismGroup:
        """Returns the group of the automorphisms.

        Parameters
        ----------
        fuel, seconds
            The limits, as in `Game.solve`.
        """
        generators, orbits, factors = self._monoid.automorphisms(
            fuel_of(fuel), seconds_of(seconds)
        )
        order = 1
        for factor in factors:
            order *= factor
        return AutomorphismGroup(
            order,
            tuple(map(tuple, generators)),
            tuple(self._elements(orbit) for orbit in orbits),
        )

    def principal_series(
        self, *, fuel: Fuel = FUEL, seconds: Optional[float] = None
    ) -> Tuple[PrincipalFactor, ...]:
        """Returns the classes of mutually divisible elements, from the units to the kernel.

        Parameters
        ----------
        fuel, seconds
            The limits, as in `Game.solve`.
        """
        classes, _ = self._monoid.principal_series(fuel_of(fuel), seconds_of(seconds))
        return tuple(
            PrincipalFactor(
                self._elements(elements),
                depth,
                None if idempotent is None else Element(self, idempotent),
                kind,
            )
            for elements, depth, idempotent, kind in classes
        )

    def direct_factors(
        self, *, fuel: Fuel = FUEL, seconds: Optional[float] = None
    ) -> Tuple[Tuple[Element, ...], ...]:
        """Returns the indecomposable submonoids whose direct product is the monoid.

        Parameters
        ----------
        fuel, seconds
            The limits, as in `Game.solve`.
        """
        found = self._monoid.direct_factors(fuel_of(fuel), seconds_of(seconds))
        return tuple(self._elements(factor) for factor in found)

    # Other programs.

    def to_dict(self) -> Dict[str, Any]:
        """Returns the tables as plain data, which `Quotient.from_dict` reads."""
        return {
            "order": self.order,
            "action": [list(row) for row in self.action],
            "p_portion": self._monoid.p_portion(),
        }

    def to_gap(self) -> str:
        """Returns GAP source: the monoid as a commutative monoid of transformations, with P."""
        return gap_source(self.words, self.action, self._monoid.p_portion())

    def to_sage(self) -> str:
        """Returns Sage source: the Cayley graph, the multiplication and P."""
        return sage_source(
            self.generator_names,
            self.words,
            self.exponents,
            self.action,
            self._monoid.p_portion(),
        )

    def sage(self) -> Any:
        """Returns the quotient as a commutative monoid of Sage; needs the Python of Sage."""
        try:
            from .sage import QuotientMonoid
        except ImportError as error:
            raise ImportError("sage() needs the Python of Sage: sage -pip install misere") from error
        return QuotientMonoid(self)

    def to_networkx(self) -> "networkx.MultiDiGraph[int]":
        """Returns the Cayley graph as a `networkx.MultiDiGraph`; needs networkx."""
        return networkx_graph(
            self._title(),
            self.generator_names,
            self.words,
            self.action,
            self._monoid.p_portion(),
        )

    def to_pandas(self) -> "pandas.DataFrame":
        """Returns the elements, one row each, as a `pandas.DataFrame`; needs pandas."""
        component = {
            x: component.idempotent.word
            for component in self.components
            for x in component.elements
        }
        return pandas_frame(
            {
                "word": [x.word for x in self],
                "outcome": [x.outcome for x in self],
                "idempotent": [x.is_idempotent for x in self],
                "component": [component[x] for x in self],
                "index": [x.index for x in self],
                "period": [x.period for x in self],
            }
        )

    def picture(self, kind: str = "cayley") -> str:
        """Draws a picture as SVG.

        Parameters
        ----------
        kind : str
            `cayley`, `classes` or `idempotents`.
        """
        return self._monoid.picture(kind, self._title())

    def _title(self) -> str:
        return self._of or self.name or f"order {self.order}"

    def _repr_svg_(self) -> str:
        return self.picture()

    def _repr_latex_(self) -> str:
        return self.presentation._repr_latex_()

    def __repr__(self) -> str:
        name = self.name
        named = f" {name}," if name else ""
        text = self.presentation.text
        if len(text) > 400:
            text = text[:399] + "…"
        return f"Quotient{named} of order {self.order}, {self.p_size} in P: {text}"

    def __reduce__(self) -> Tuple[Any, ...]:
        return _unpickled, (self.to_dict(), self._of, self._heaps)


def _unpickled(
    tables: Dict[str, Any], of: Optional[str], heaps: Optional[Tuple[int, ...]]
) -> Quotient:
    quotient = Quotient.from_dict(tables)
    quotient._of, quotient._heaps = of, heaps
    return quotient
