"""Misère quotients as commutative monoids of Sage.

`Quotient.sage` makes one, in the Python of Sage (`sage -pip install misere`):

    sage: import misere
    sage: q = misere.Game("0.75").quotient()
    sage: Q = q.sage(); Q
    Misere quotient R_8 of order 8 with 2 elements in P
    sage: a, b, c = Q.monoid_generators()
    sage: a * a == Q.one(), b * c, (b * c).outcome()
    (True, ab, 'N')
    sage: Q("ab^2") * Q(q.P[0])
    b^2
    sage: [x for x in Q if x.is_idempotent()]
    [1, b^2]
    sage: sorted(map(len, Q.j_classes()))
    [2, 2, 4]
    sage: Q.cayley_graph(side="right").num_verts()
    8
    sage: latex(a * b ** 2)
    ab^{2}
    sage: TestSuite(Q).run()
"""

from typing import Any, Iterator

# Sage is loaded as a whole first; its parts import each other in no other order.
from sage.all import Family, Integer, Monoids, Parent, UniqueRepresentation
from sage.structure.element_wrapper import ElementWrapper

from .formats import latex_word

__all__ = ["QuotientMonoid"]


class _Tables:
    """A quotient that equals another one if the tables are equal, not if it is isomorphic."""

    def __init__(self, quotient: Any) -> None:
        self.quotient = quotient

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Tables) and self.quotient.same_tables(other.quotient)

    def __hash__(self) -> int:
        return hash((self.quotient.order, self.quotient.action))


class QuotientMonoid(UniqueRepresentation, Parent):
    """A misère quotient as a finite commutative monoid of Sage.

    Equal tables are one parent; isomorphic quotients with other tables are others. Conversion takes
    words (`Q("ab^2")`), elements of a `misere.Quotient` with the same tables, and 1.
    """

    @staticmethod
    def __classcall__(cls: Any, quotient: Any) -> Any:
        return super().__classcall__(cls, _Tables(quotient))

    def __init__(self, tables: "_Tables") -> None:
        #: The same monoid as a `misere.Quotient`.
        self.quotient = tables.quotient
        category = Monoids().Commutative().Finite().FinitelyGenerated()
        Parent.__init__(self, category=category)

    def __reduce__(self) -> Any:
        return QuotientMonoid, (self.quotient,)

    def _repr_(self) -> str:
        name = self.quotient.name
        named = f" {name}" if name else ""
        size = self.quotient.p_size
        in_p = "1 element" if size == 1 else f"{size} elements"
        return f"Misere quotient{named} of order {self.quotient.order} with {in_p} in P"

    def _latex_(self) -> str:
        return self.quotient._repr_latex_().strip("$")

    def _element_constructor_(self, x: Any) -> Any:
        if isinstance(x, type(self.quotient.identity)):
            if not self.quotient.same_tables(x.quotient):
                raise ValueError(f"{x} belongs to another quotient; move it by an isomorphism")
            return self._element(x.number)
        if isinstance(x, str):
            return self._element(self.quotient[x].number)
        if x == 1:
            return self.one()
        raise TypeError(f"an element is given by a word, by an element of a Quotient, or as 1: {x}")

    def _element(self, number: int) -> Any:
        return self.element_class(self, number)

    def _an_element_(self) -> Any:
        return self._element(self.quotient.order - 1)

    def __iter__(self) -> Iterator[Any]:
        return map(self._element, range(self.quotient.order))

    def cardinality(self) -> Any:
        """The order."""
        return Integer(self.quotient.order)

    def one(self) -> Any:
        """The identity, the value of the empty position."""
        return self._element(0)

    def product(self, x: Any, y: Any) -> Any:
        """The product of two elements."""
        return self._element((self.quotient[x.value] * self.quotient[y.value]).number)

    def monoid_generators(self) -> Any:
        """The generators, for a game in the order of the heaps whose values they are."""
        return Family([self._element(x.number) for x in self.quotient.generators])

    def semigroup_generators(self) -> Any:
        """The identity and the generators."""
        return Family([self.one(), *self.monoid_generators()])

    def p_portion(self) -> Any:
        """The values of P-positions."""
        return [self._element(x.number) for x in self.quotient.P]

    class Element(ElementWrapper):
        """An element of a misère quotient, written as its lex-least word."""

        def _repr_(self) -> str:
            return self.parent().quotient.words[self.value]

        def _latex_(self) -> str:
            return latex_word(self._repr_())

        def __hash__(self) -> int:
            return hash(self.value)

        def in_p(self) -> bool:
            """Whether positions with this value are P-positions."""
            return self.parent().quotient[self.value].in_P

        def outcome(self) -> str:
            """The outcome of positions with this value, `P` or `N`."""
            return self.parent().quotient[self.value].outcome
