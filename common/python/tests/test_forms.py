"""Simplest forms: equality, sums and contexts, checked against a second definition here."""

import pickle
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

import pytest

import misere
from misere import BadCode, BadHeap, Exhausted, Form, Game

#: The 22 games born by day 4, in the order of `misere form --born-by 4` (docs/forms.md).
BORN_BY_FOUR = (
    "0 1 2 2/ 3 2// 2/0 2/1 2/2 2/20 2/21 2/210 3/ 32 *4 2/3 2/30 2/31 2/32 2/320 2/321 2/3210"
).split()


@lru_cache(maxsize=None)
def is_p(position):
    """Reports by definition whether a sum of games, frozensets of options, is a P-position."""
    moves = [
        tuple(sorted(position[:at] + (option,) + position[at + 1 :], key=repr))
        for at, game in enumerate(position)
        for option in game
    ]
    return bool(moves) and not any(is_p(move) for move in moves)


def sets(form):
    """Returns a form as a frozenset of its options."""
    return frozenset(sets(option) for option in form.options)


@pytest.fixture(scope="module")
def early():
    return [Form(text) for text in BORN_BY_FOUR]


def test_the_games_of_the_table_are_different(early):
    assert len(set(early)) == len(early) == 22
    for at, one in enumerate(early):
        assert [other == one for other in early] == [at == there for there in range(22)]
        assert one == Form(one.text) and one == Form(str(one)) and one.followers >= one.birthday


def test_outcomes_of_sums_are_those_of_the_definition(early):
    for one in early[:14]:
        assert one.outcome == "NP"[is_p((sets(one),))]
        for other in early[:14]:
            pair = tuple(sorted((sets(one), sets(other)), key=repr))
            assert (one + other).outcome == "NP"[is_p(pair)], (one, other)
            assert one + other == other + one


def test_a_game_and_its_mate_are_a_p_position(early):
    for one in early:
        assert (one + one.mate()).outcome == "P"
        assert one.genus.text == Game(one.text if one.text != "0" else "{}").genus().text


def test_heaps_have_forms():
    game = Game("0.123")
    assert repr(game.form(8)) == "{{*2},*}" and game.form(8).table_string == "2/1"
    assert game.form(3) == game.form(4) == Form("*2") == Form("2")
    assert game.form([8, 3]) == game.form(8) + "*2" == "2" + game.form(8)
    assert game.form({8: 2, 3: 0}) == Form("0.123:8+8")
    assert game.genus([8, 3]) == game.form([8, 3]).genus
    assert Game("{*2,*}").form() == Form("0") == Game("{}").form()
    assert Game("{*2,0}").form("*2") == Form("*2")
    assert Game("{*2,0}").genus() == Game("{*2,0}").genus(3) == Form("{*2,0}").genus


def test_half_tame_games_and_parts():
    half = Form("2/0")
    assert half.is_half_tame() and not Form("*2").is_half_tame()
    assert (half + half).genus.kind in ("nim-heap", "tame")
    sum_of_two = Form("2/") + "2/0"
    assert any({Form("2/"), half} <= {one, other, one + "*", other + "*"}
               for one, other in sum_of_two.parts())


def test_what_tells_games_apart():
    # docs/forms.md, from a search by Plambeck (2005, section 11.2).
    found = misere.compare("0.123:6", "0.123:11")
    assert not found.are_equal and found.are_linked
    assert repr(found.told_apart_by.form) == "{{{*2}},*}" and found.told_apart_by.is_least
    assert found.linked_by.form == Form("0")
    for game, sum_ in zip(found.forms, found.told_apart_by.sums):
        assert (game + found.told_apart_by.form).genus == sum_
    one, other = (game + found.told_apart_by.form for game in found.forms)
    assert {one.outcome, other.outcome} == {"N", "P"}
    same = misere.compare("0.123:3", Game("*2"))
    assert same.are_equal and same.told_apart_by is None and same.are_linked
    unlinked = misere.compare("*2", "*")
    assert not unlinked.are_linked and unlinked.linked_by is None


def test_every_pair_of_early_games_is_told_apart(early):
    for one in early[:8]:
        for other in early[:8]:
            found = misere.compare(one, other)
            assert found.are_equal == (one == other)
            if one != other:
                beside = found.told_apart_by.form
                assert (one + beside).outcome != (other + beside).outcome
            if found.linked_by is not None:
                beside = found.linked_by.form
                assert {(one + beside).outcome, (other + beside).outcome} == {"P"}
                assert one not in other.options and other not in one.options


def test_great_forms_are_described():
    great = Game("0.77").form(16)
    assert great.text is None and great.table_string is None
    assert repr(great).startswith("<a game with ") and "born on day" in repr(great)
    with pytest.raises(TypeError, match="no text"):
        pickle.dumps(great)
    assert pickle.loads(pickle.dumps(Form("2/1"))) == Form("2/1")


def test_limits_and_faults():
    with pytest.raises(Exhausted, match="fuel"):
        Form("0.77:40", fuel=1_000)
    with pytest.raises(Exhausted):
        misere.compare("0.123:6", "0.123:11", fuel=10)
    for bad in ["", "0.123:x", "2//x", "((", 5, None]:
        with pytest.raises(BadCode):
            Form(bad)
    with pytest.raises(BadHeap, match=r"each heap of 0\.77 has a form of its own"):
        Game("0.77").form()
    with pytest.raises(BadHeap, match=r"genus\(5\)"):
        Game("0.77").genus()
    with pytest.raises(TypeError):
        Form("*") + 3
    assert Form("*") != "*"


def test_forms_are_compared_by_several_threads_at_once():
    forms = [Form(f"0.123:{heap}") for heap in range(3, 12)]
    pairs = [(one, other) for one in forms for other in forms] * 4
    with ThreadPoolExecutor(8) as threads:
        equal = list(threads.map(lambda pair: pair[0] == pair[1], pairs))
    assert equal == [one.text == other.text for one, other in pairs]
