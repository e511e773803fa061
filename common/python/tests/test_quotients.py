"""Quotients: their properties are computed again here, from the tables alone."""

import pickle
import subprocess
import shutil
import xml.etree.ElementTree as ElementTree

import pytest

import misere
from misere import BadQuotient, Game, Quotient

NAMES = ["T_0", "T_1", "T_2", "T_3", "T_4", "R_8", "R_12", "S_12", "S'_12", "R_14"]


@pytest.fixture(params=["0.123", "0.77", *NAMES])
def quotient(request):
    name = request.param
    return Game(name).quotient() if name[0] == "0" else Quotient(name)


def test_the_tables_are_a_reduced_bipartite_monoid(quotient):
    table = quotient.multiplication_table()
    n = quotient.order
    assert [table[0][x] for x in range(n)] == list(range(n))
    for x in range(n):
        for y in range(n):
            assert table[x][y] == table[y][x] == (quotient[x] * quotient[y]).number
            for z in (g.number for g in quotient.generators):
                assert table[table[x][y]][z] == table[x][table[y][z]]
    in_p = {x.number for x in quotient.P}
    translates = {tuple(table[x][z] in in_p for z in range(n)) for x in range(n)}
    assert len(translates) == n and quotient.is_reduced
    assert quotient.p_size == len(in_p)


def test_structure_is_that_of_the_table(quotient):
    table = quotient.multiplication_table()
    idempotents = {x for x in range(quotient.order) if table[x][x] == x}
    assert {x.number for x in quotient.idempotents} == idempotents
    assert all(x.is_idempotent for x in quotient.idempotents)
    # The kernel is the least ideal: the multiples of the product of all elements.
    product = 0
    for x in range(quotient.order):
        product = table[product][x]
    kernel = {table[product][x] for x in range(quotient.order)}
    assert {x.number for x in quotient.kernel.elements} == kernel
    order = 1
    for factor in quotient.kernel.invariants:
        order *= factor
    assert order == len(kernel)
    in_p = [x for x in quotient.kernel.elements if x.in_P]
    assert quotient.is_regular == (len(in_p) == 1)
    assert quotient.is_normal == (in_p == [quotient.kernel.identity])
    assert sum(len(part.elements) for part in quotient.components) == quotient.order
    for part in quotient.components:
        for x in part.elements:
            powers = [x**k for k in range(1, quotient.order + 1)]
            assert part.idempotent in powers
    for x in quotient:
        assert x ** (x.index + x.period) == x**x.index
        assert x.index == 0 or x ** (x.index - 1 + x.period) != x ** (x.index - 1)
    classes = quotient.principal_series()
    assert sum(len(factor.elements) for factor in classes) == quotient.order
    factors = quotient.direct_factors()
    order = 1
    for factor in factors:
        order *= len(factor)
    assert order == quotient.order


def test_words_and_relations_hold(quotient):
    for x in quotient:
        assert quotient[x.word] == x and quotient[x.number] == x
    for left, right in quotient.relations:
        assert quotient[left] == quotient[right]
    if quotient.order > 1:
        assert Quotient(quotient.presentation.text) == quotient


def test_automorphisms_preserve_products_and_p(quotient):
    group = quotient.automorphisms()
    for image in group.generators:
        assert sorted(image) == list(range(quotient.order))
        for x in quotient:
            assert quotient[image[x.number]].in_P == x.in_P
            for g in quotient.generators:
                assert (
                    image[(x * g).number]
                    == (quotient[image[x.number]] * quotient[image[g.number]]).number
                )
    assert (group.order == 1) == (not group.generators)


def test_isomorphism_is_equality():
    other = Game("0.75").quotient()
    r_8 = Quotient("R_8")
    assert other == r_8 and hash(other) == hash(r_8) and other.name == "R_8"
    assert (
        other.class_key == r_8.class_key
        and other.canonical_form().action == r_8.canonical_form().action
    )
    images = other.isomorphism(r_8)
    for x in other:
        assert images[x.number].in_P == x.in_P
        for y in other:
            assert images[(x * y).number] == images[x.number] * images[y.number]
    assert Quotient("T_2") != r_8 and Quotient("S_12") != Quotient("S'_12")
    assert Quotient("S_12").isomorphism(Quotient("S'_12")) is None
    assert r_8 != "R_8"


def test_sequences_and_pickles(quotient):
    assert len(quotient) == len(list(quotient)) == quotient.order
    assert quotient[-1] == quotient.elements[-1] and quotient[:2] == list(quotient)[:2]
    assert quotient.identity in quotient and "a" not in quotient
    again = pickle.loads(pickle.dumps(quotient))
    assert again == quotient and again.same_tables(quotient)
    assert again.generator_heaps == quotient.generator_heaps
    assert pickle.loads(pickle.dumps(quotient[-1])) == quotient[-1]
    with pytest.raises(IndexError):
        quotient[quotient.order]


def test_powers_of_great_exponent():
    q = Game("0.77").quotient()
    for g in q.generators:
        assert g ** (10**30 + 2) == g ** (10**30)
        assert g**0 == q.identity
    assert q["a^1000000"] == q.identity


def test_elements_of_two_quotients_are_not_multiplied():
    with pytest.raises(ValueError, match="two quotients"):
        Quotient("T_2")[1] * Quotient("T_3")[1]
    with pytest.raises(TypeError):
        Quotient("T_2")[1] * 3


def test_pictures_are_xml(quotient):
    for kind in ("cayley", "classes", "idempotents"):
        assert ElementTree.fromstring(quotient.picture(kind)).tag.endswith("svg")
    assert quotient._repr_svg_().startswith("<svg") and quotient._repr_latex_().startswith("$")
    with pytest.raises(BadQuotient, match="no picture"):
        quotient.picture("other")


def test_gap_rebuilds_the_quotient(quotient):
    if not shutil.which("gap"):
        pytest.skip("GAP is not installed")
    source = quotient.to_gap() + (
        'Print(Size(misereMonoid), " ", Number(misereMonoid, misereIsP), " ",'
        ' Number(misereMonoid, IsIdempotent), "\\n"); QUIT;\n'
    )
    ran = subprocess.run(
        ["gap", "-q", "-b"], input=source, capture_output=True, text=True, timeout=120
    )
    found = [int(word) for word in ran.stdout.split()]
    assert found == [quotient.order, quotient.p_size, len(quotient.idempotents)], ran.stderr


def test_networkx_and_pandas(quotient):
    networkx, pandas = pytest.importorskip("networkx"), pytest.importorskip("pandas")
    graph = quotient.to_networkx()
    assert graph.number_of_nodes() == quotient.order
    assert graph.number_of_edges() == quotient.order * len(quotient.generators)
    assert all(graph.nodes[x.number]["in_P"] == x.in_P for x in quotient)
    # Classes of mutually divisible elements are the strongly connected components.
    components = list(networkx.strongly_connected_components(graph))
    assert {frozenset(part) for part in components} == {
        frozenset(x.number for x in part.elements) for part in quotient.principal_series()
    }
    frame = quotient.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == quotient.order
    assert list(frame["word"]) == list(quotient.words)


def test_sage_source_is_python(quotient):
    source = quotient.to_sage().replace("from sage.all import DiGraph", "DiGraph = dict")
    source = source.replace("DiGraph(edges, multiedges=True, loops=True)", "edges")
    space = {}
    exec(source, space)
    table = quotient.multiplication_table()
    for x in range(quotient.order):
        for y in range(quotient.order):
            assert space["times"](x, y) == table[x][y]


@pytest.mark.parametrize(
    "text",
    ["", "R_10", "T_99999", "⟨a | ⟩  P = {a}", "⟨a | a^2 = 1⟩", "⟨a | b = 1⟩ P = {a}", "hello"],
)
def test_what_is_no_quotient_is_refused(text):
    with pytest.raises(BadQuotient):
        Quotient(text)


def test_tables_that_are_no_monoid_are_refused():
    with pytest.raises(BadQuotient, match="commute"):
        Quotient.from_tables([[1, 2, 0], [1, 0, 2]], [1])
    for rows, p in [([[1, 9]], []), ([[1, 0]], [7]), ([[0, 0]], []), ([[1, 0], [1]], [])]:
        with pytest.raises(BadQuotient):
            Quotient.from_tables(rows, p)
    with pytest.raises(BadQuotient):
        Quotient.from_dict({"action": 3, "p_portion": []})
    with pytest.raises(ValueError):
        Quotient.from_tables([[-1]], [])
    with pytest.raises(TypeError):
        Quotient(5)


def test_a_quotient_that_is_not_reduced_says_so():
    assert not Quotient.from_tables([[1, 2, 0]], []).is_reduced


def test_classification_and_identity():
    orders = misere.classify(12)
    # Siegel, The structure and classification of misère quotients, Table 1.
    assert orders.counts == {2: 1, 6: 1, 8: 1, 10: 1, 12: 6}
    assert all(entry.verify().class_key == entry.class_key for entry in orders)
    assert orders.identify(Game("0.75").quotient()).name == "R_8"
    assert Quotient("R_20") not in orders and len(orders) == 10
    tampered = orders[2].certificate()
    tampered["p_portion"] = [1]
    with pytest.raises(misere.MisereError):
        misere.verify(tampered)
    identity = misere.identify("0.75")
    assert (identity.name, identity.order, identity.is_tame) == ("R_8", 8, False)
    assert identity == misere.identify(Quotient("R_8")) == misere.identify("r8")
    with pytest.raises(misere.Exhausted):
        misere.classify(18, fuel=1_000)
