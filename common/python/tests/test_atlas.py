"""The atlas as a file: its answers, and files that are not an atlas."""

import json

import pytest

import misere
from conftest import DATA

ATLAS = DATA / "atlas.json"


@pytest.fixture(scope="module")
def atlas():
    return misere.Atlas.open(ATLAS)


def test_the_file_says_what_it_covers(atlas):
    assert len(atlas) == 22
    assert repr(atlas) == "<atlas of 22 misère quotients of order 2 to 14>"
    assert atlas.games == ("octal codes of at most 2 digits", "finite games born by day 4")
    assert len(atlas.hash) == 64


def test_a_quotient_is_found_however_it_is_given(atlas):
    restive = misere.Quotient("R_8")
    told = atlas.answers(restive)
    assert [answer.code for answer in told] == ["0.75", "{*3,{*2},*2,0}"]
    for same in ("R_8", restive.class_key, misere.Game("0.75"), str(restive.presentation)):
        assert atlas.answers(same) == told
    # The game in the answer has the quotient.
    assert misere.Game(told[0].code).quotient() == restive


def test_the_answers_are_those_of_the_file(atlas):
    document = json.loads(ATLAS.read_text(encoding="utf-8"))
    kinds = set()
    for entry in document["entries"]:
        told = atlas.answers(entry["class"])
        for census, wanted, answer in zip(document["censuses"], entry["answers"], told):
            kinds.add(wanted["answer"])
            assert answer.digest == census["completeness"]["digest"]
            assert answer.code == wanted.get("code")
            assert answer.heap == wanted.get("heap")
            assert (answer.open == 0) == (wanted["answer"] == "none")
            assert answer.open == (0 if wanted["answer"] == "none" else wanted.get("open"))
    assert kinds == {"whole", "partial", "none", "open"}


def test_what_is_not_listed_is_said(atlas):
    assert atlas.answers("T_4") == ()
    assert atlas.sentences("T_4") == ("the quotient is not listed",)
    (said,) = atlas.sentences("⟨a,b | a^2 = 1, b^2 = 1⟩  P = {a}")
    assert "no games have it" in said


def test_what_is_no_atlas_is_refused(tmp_path):
    with pytest.raises(OSError):
        misere.Atlas.open(tmp_path / "nowhere.json")
    text = ATLAS.read_text(encoding="utf-8")
    false = tmp_path / "false.json"
    for name, wrong in {
        "cut": text[:-20],
        "name": text.replace('"name":"R_8"', '"name":"R_10"').replace(
            '"name": "R_8"', '"name": "R_10"'
        ),
        "order": text.replace('"order":8', '"order":7').replace('"order": 8', '"order": 7'),
    }.items():
        assert wrong != text, name
        false.write_text(wrong, encoding="utf-8")
        with pytest.raises(misere.BadAtlas, match="is not an atlas"):
            misere.Atlas.open(false)
    assert issubclass(misere.BadAtlas, ValueError)
    with pytest.raises(misere.BadQuotient):
        misere.Atlas.open(ATLAS).answers("nothing of the kind")
