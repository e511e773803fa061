"""Solutions: published periods, tampered certificates, laws and infinite quotients."""

import copy
import json
import pickle
import xml.etree.ElementTree as ElementTree

import pytest

import misere
from misere import BadCertificate, Game, MisereError, Refuted, Unsolved


@pytest.mark.parametrize(
    "code, order, p_size, period, preperiod",
    [
        # Plambeck and Siegel 2007, Figures 3, 4, 7 and 10; Sibert and Conway 1992 for Kayles.
        ("0.123", 20, 5, 5, 5),
        ("0.77", 40, 9, 12, 71),
        ("0.75", 8, 2, 2, 8),
        ("0.53", 16, 3, 9, 21),
    ],
)
def test_published_quotients(code, order, p_size, period, preperiod):
    solution = Game(code).solve()
    assert (solution.status, solution.period, solution.preperiod) == ("solved", period, preperiod)
    assert (solution.quotient.order, solution.quotient.p_size) == (order, p_size)


def test_phi_goes_on_with_the_period(kayles):
    phi = kayles.solve().phi
    assert phi[0].word == "1" and phi[1].word == "a" and phi.repeats == (12, 71)
    assert phi[10**12] == phi[71 + (10**12 - 71) % 12]
    assert phi[68:80] == [phi[heap] for heap in range(68, 80)]
    assert phi[len(phi) + 3] == phi[len(phi) + 3 - 12] and list(phi) == phi[:]
    assert kayles.phi(10**9) == phi[10**9] and phi(5) == phi[5]
    with pytest.raises((IndexError, ValueError)):
        phi[-1]
    with pytest.raises(IndexError):
        phi[:-1]


def test_values_of_positions_are_products(kayles):
    solution = kayles.solve()
    q = solution.quotient
    assert solution.element([3, 4]) == solution.phi[3] * solution.phi[4]
    assert solution.element({5: 3}) == solution.phi[5] ** 3
    assert q.generator_heaps is not None
    for generator, heap in zip(q.generators, q.generator_heaps):
        assert solution.phi[heap] == generator


def test_certificates_are_proved_again(kayles):
    solution = kayles.solve()
    for form in (
        solution.certificate(),
        json.dumps(solution.certificate()),
        json.dumps(solution.certificate()).encode(),
        solution.certificate_bytes(),
    ):
        assert misere.verify(form) == solution
    assert pickle.loads(pickle.dumps(solution)) == solution
    assert hash(misere.verify(solution.certificate())) == hash(solution)


@pytest.mark.parametrize(
    "module, name",
    [
        ("solutions", "verify"),
        ("solutions", "PretendingFunction"),
        ("solutions", "Partial"),
        ("census", "ClassEntry"),
    ],
)
def test_pickles_of_earlier_versions_find_their_names(module, name):
    assert pickle.loads(f"cmisere.{module}\n{name}\n.".encode()).__name__ == name


def test_no_tampered_certificate_passes():
    honest = Game("0.123").solve().certificate()
    refused = 0
    for heap, value in enumerate(honest["phi"]):
        for other in {0, 1, (value + 1) % 20} - {value}:
            false = copy.deepcopy(honest)
            false["phi"][heap] = other
            with pytest.raises((Refuted, BadCertificate)):
                misere.verify(false)
            refused += 1
    for name, other in [
        ("period", 10),
        ("preperiod", 4),
        ("period", 1),
        ("code", "0.77"),
        ("heaps", 3),
    ]:
        with pytest.raises((Refuted, BadCertificate)):
            misere.verify({**honest, name: other})
    false = copy.deepcopy(honest)
    false["quotient"]["p_portion"].append(0)
    with pytest.raises((Refuted, BadCertificate)):
        misere.verify(false)
    assert refused > 20


@pytest.mark.parametrize(
    "bad",
    ["", "{}", "[1]", "null", b"", b"abc", b"\xff{", "{" * 100_000, {"a": {1}}, 5, None, b"{\xff"],
)
def test_what_is_no_certificate_is_refused(bad):
    with pytest.raises(BadCertificate):
        misere.verify(bad)


def test_every_byte_of_a_certificate_counts(kayles):
    honest = kayles.solve().certificate_bytes()
    for at in range(0, len(honest), 7):
        false = bytearray(honest)
        false[at] ^= 0x55
        try:
            proved = misere.verify(bytes(false))
        except MisereError:
            continue
        # A certificate that was not refuted is another true claim, such as another amount of fuel.
        assert proved.quotient == kayles.quotient()
    for end in range(0, len(honest), 50):
        with pytest.raises(MisereError):
            misere.verify(honest[:end])


def test_an_infinite_quotient_decides_positions():
    game = Game("0.31011")
    solution = game.solve()
    assert solution.status == "solved" and solution.is_infinite and solution.diverges_at == 5
    assert solution.infinite_to == 5
    assert "solved, with an infinite quotient, at heap 5" in repr(solution)
    with pytest.raises(Unsolved, match="proved to be infinite") as raised:
        game.quotient()
    assert raised.value.solution.quotient.order == 14
    assert solution.outcome({5: 10**12}) in "NP" and solution.decided_by({5: 9}) == "evidence"
    for copies in range(1, 12):
        assert game.outcome({5: copies}) == game.outcome({5: copies}, by_definition=True)
    assert misere.verify(solution.certificate_bytes()) == solution


def test_the_status_is_that_of_the_document():
    for code in ("0.31011", "0.1210002", "0.77", "0.26", "0.005", "0.[3]"):
        solution = Game(code).solve(max_heap=60)
        document = solution.certificate()
        assert solution.status == document["status"], code
        assert solution.limit == document.get("limit"), code


def test_a_law_decides_positions():
    game = Game("0.26")
    solution = game.solve()
    assert (solution.status, solution.period) == ("solved", None)
    assert solution.law is not None and "by a law" in repr(solution)
    assert solution.decided_by([10**6, 7]) == "law"
    assert solution.outcome([10**9, 10**9 + 1]) in "NP"
    for heap in range(1, 14):
        assert game.outcome([heap, 5]) == game.outcome([heap, 5], by_definition=True)


def test_what_is_not_known_is_said():
    game = Game("0.123")
    solution = game.solve(max_heap=6)
    assert (solution.status, solution.limit, solution.heaps) == ("exhausted", "max-heap", 6)
    with pytest.raises(Unsolved, match="heap 6"):
        solution.outcome([4000, 3000])
    with pytest.raises(IndexError, match="heap 6"):
        solution.phi[7]
    with pytest.raises(misere.Exhausted, match="max_heap"):
        game.quotient(max_heap=6)
    assert game.quotient(6).order == solution.quotient.order
    assert Game("0.123").quotient(200) == Game("0.123").quotient()


def test_repr_and_pictures(kayles):
    solution = kayles.solve()
    assert repr(solution) == (
        "Solution of 0.77: solved, period 12 from heap 71 on, quotient of order 40, 9 in P"
    )
    assert ElementTree.fromstring(solution._repr_svg_()).tag.endswith("svg")
    assert [(part.heap, part.order) for part in solution.partials][:2] == [(1, 2), (2, 6)]


def test_a_certificate_may_be_a_file(kayles, tmp_path):
    solution = kayles.solve()
    for name, content in [
        ("kayles.json", json.dumps(solution.certificate()).encode()),
        ("kayles", solution.certificate_bytes()),
    ]:
        file = tmp_path / name
        file.write_bytes(content)
        assert misere.verify(file) == misere.verify(str(file)) == solution
    with pytest.raises(FileNotFoundError):
        misere.verify(tmp_path / "none")
    for missing in ("none.json", str(tmp_path), "x" * 10_000, "\0"):
        with pytest.raises(BadCertificate, match="neither"):
            misere.verify(missing)


@pytest.mark.parametrize("code", ["0.77", "0.26", "0.31011", "0.142"])
def test_a_proof_is_explained(code):
    solution = Game(code).solve(fuel="2M")
    text, wide = solution.explain(width=60), solution.explain()
    assert text.startswith(code)
    # Sentences are broken; the tables are longer than a line.
    assert len(text.splitlines()) > len(wide.splitlines())
    for heading in ("Theorem", "Proof", "Sources"):
        assert heading in text
    assert "\\subsection*{Theorem}" in solution.explain(latex=True)
