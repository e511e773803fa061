"""Games: positions by the quotient agree with a second definition here in Python."""

import pickle
from functools import lru_cache
from itertools import combinations_with_replacement

import pytest

import misere
from misere import BadCode, BadHeap, Game


def definition(game, normal=False):
    """Returns the outcome by the definition, from the options of heaps alone."""

    @lru_cache(maxsize=None)
    def outcome(position):
        options = [
            tuple(sorted(position[:at] + position[at + 1 :] + left))
            for at, heap in enumerate(position)
            for left in game.options(heap)
        ]
        if not options:
            return "P" if normal else "N"
        return "N" if any(outcome(option) == "P" for option in options) else "P"

    return outcome


@pytest.mark.parametrize(
    "code", ["0.77", "0.123", "0.07", "4.7", "0.26", "0.31011", "0.[3]", "grundy"]
)
def test_outcomes_are_those_of_the_definition(code):
    game = Game(code)
    outcome = definition(game)
    for size in range(4):
        for position in combinations_with_replacement(range(1, 8), size):
            assert game.outcome(position) == outcome(position), position
            assert game.outcome(position, by_definition=True) == outcome(position)
            winning = {
                (heap, left)
                for at, heap in enumerate(position)
                for left in game.options(heap)
                if outcome(tuple(sorted(position[:at] + position[at + 1 :] + left))) == "P"
            }
            assert set(game.winning_moves(position)) == winning, position


def test_normal_play_is_that_of_the_nim_values():
    game = Game("0.77")
    values = game.nim_values(7)
    outcome = definition(game, normal=True)
    for position in combinations_with_replacement(range(1, 8), 3):
        total = values[position[0]] ^ values[position[1]] ^ values[position[2]]
        assert game.outcome(position, normal=True) == outcome(position) == "NP"[total == 0]


def test_nim_values_go_on_with_their_period(kayles):
    values = kayles.nim_values(1_000)
    assert (values.period, values.preperiod, len(values)) == (12, 71, 1_001)
    assert values[:12] == [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6]
    assert values[500] == values[500 + 12] and values[70] != values[70 + 12]


def test_positions_are_written_in_several_ways(kayles):
    assert kayles.outcome(3) == kayles.outcome([3]) == kayles.outcome({3: 1})
    assert kayles.outcome([3, 3]) == kayles.outcome({3: 2}) == kayles.outcome(iter([3, 3]))
    assert kayles.outcome([]) == kayles.outcome({5: 0}) == "N"
    # By the period and by powers in the quotient.
    assert kayles.outcome({10**9: 10**18, 3: 1}) == kayles.outcome({10**9: 10**18 + 2, 3: 1})


def test_finite_games_have_followers_for_heaps():
    game = Game("{*2,0}")
    assert game.is_finite and game.followers == ("0", "*", "*2", "{*2,0}")
    assert game.options("*2") == game.options(2) == [(), (1,)]
    assert game.outcome("*2 + *2") == game.outcome("*2", "*2") == "P"
    assert game.outcome(["*2", "*2"]) == game.outcome({Game("*2"): 2}) == "P"
    with pytest.raises(BadHeap, match=r"has no follower `\*3`"):
        game.outcome("*3")
    with pytest.raises(BadHeap, match=r"\*3 is not a heap of"):
        game.outcome(["*3"])
    with pytest.raises(BadHeap, match="has no heap 4"):
        game.outcome(4)
    assert Game("*2").quotient().name == "T_2"


def test_names_and_equality():
    assert Game("kayles") == Game(".77") == Game("0.77") and Game("kayles").name == "Kayles"
    assert len({Game("kayles"), Game("0.77")}) == 1
    assert Game("0.07") != Game("0.4") and Game("0.07").is_same_game(Game("0.4"))
    assert not Game("0.77").is_same_game(Game("0.7"))
    assert repr(Game("0.77")) == "Game('0.77')  # Kayles"
    assert pickle.loads(pickle.dumps(Game("0.77"))) == Game("0.77")


def test_a_list_of_options_is_a_game(tmp_path):
    file = tmp_path / "game.txt"
    file.write_text("1: 0\n2: 0, 1\n3: 1, 2\n")
    game = Game.from_list(file)
    assert game.options(3) == [(1,), (2,)]
    assert game.outcome([3]) == definition(game)((3,))


def test_a_heap_beyond_a_list_is_dead():
    game = Game("heaps(0;1;2;3,2+2;;5,1+1+1)")
    for heap in (5, 7, 1000):
        assert not game.is_live(heap) and game.options(heap) == []
        for rest in ([], [1], [2, 3]):
            assert game.outcome([heap, *rest]) == game.outcome(rest)
            assert game.outcome([heap, *rest], by_definition=True) == game.outcome(rest)
    assert game.winning_moves([7, 4]) == game.winning_moves([4])
    with pytest.raises(misere.BadHeap):
        Game("{*2,0}").outcome([7])


def test_a_letter_that_looks_like_a_digit_is_remarked():
    for code, meant in (("O.77", "0.77"), ("0.7l", "0.71"), ("0.I", "0.1")):
        with pytest.warns(UserWarning, match=f"`{meant}`"):
            assert Game(code) != Game(meant)


def test_genera():
    # Berlekamp, Conway and Guy, Winning Ways, chapter 13: Kayles.
    genera = Game("0.77").genera(5)
    assert [genus.text for genus in genera[:4]] == ["0^120", "1^031", "2^20", "3^31"]
    assert genera[5].kind == "restless"
    assert Game("0.77").genus([1, 1]).nim_value == 0
    assert len(Game("0.123").genera(200)) == 201


@pytest.mark.parametrize("bad", ["", "0.8x", "0.77 ", "nothing", 5, None, 0.77, "9" * 10_000, "\0"])
def test_what_is_no_game_is_refused(bad):
    if bad == "0.77 ":
        assert Game(bad) == Game("0.77")
        return
    with pytest.raises(BadCode):
        Game(bad)


@pytest.mark.parametrize(
    "heaps, error",
    [
        (-1, ValueError),
        (3.5, TypeError),
        ({3: -1}, ValueError),
        (2**40, ValueError),
        ("*9", BadHeap),
        ([None], TypeError),
        ({3: 2**70}, ValueError),
    ],
)
def test_what_is_no_position_is_refused(kayles, heaps, error):
    with pytest.raises(error):
        kayles.outcome(heaps)
    with pytest.raises(error):
        kayles.winning_moves(heaps)


def test_many_options_are_not_listed(kayles):
    with pytest.raises(misere.TooLarge):
        kayles.options(10**9)
    with pytest.raises(misere.MisereError):
        kayles.winning_moves({10**9: 1, 3: 1})


def test_objects_of_one_game_share_their_solutions():
    first, second = Game("kayles"), Game("0.77")
    assert first.solve() is second.solve()
    a, b = first.quotient().generators[0], second.quotient().generators[0]
    assert a * b == a**2
    assert first.solve() is not second.solve(max_heap=5)


def test_the_last_solutions_are_kept():
    first = Game("0.3").solve(max_heap=10)
    for heap in range(11, 111):
        Game("0.3").solve(max_heap=heap)
    assert Game("0.3").solve(max_heap=110) is Game("0.3").solve(max_heap=110)
    again = Game("0.3").solve(max_heap=10)
    assert again == first and again is not first


def test_a_game_is_made_from_options():
    kayles = {heap: Game("0.77").options(heap) for heap in range(1, 8)}
    listed = Game.from_options(kayles)
    by_function = Game.from_options(Game("0.77").options, 7)
    assert listed == by_function and listed.last_heap == 7
    outcome = definition(Game("0.77"))
    for position in combinations_with_replacement(range(1, 8), 2):
        assert listed.outcome(position) == outcome(position)
    # Heaps that are left out have no options.
    assert Game.from_options({2: [(), 1]}).options(2) == [(), (1,)]
    assert Game.from_options({2: [(), 1]}).options(1) == []


@pytest.mark.parametrize(
    "arguments, error",
    [
        (({1: [2]},), BadCode),
        (({1: ["0"]},), TypeError),
        (({0: [0]},), BadCode),
        (({1: [-1]},), ValueError),
        (({10**9: [0]},), ValueError),
        (({1: [0]}, 1), TypeError),
        ((lambda heap: [0],), TypeError),
        ((lambda heap: [0], 10**9), ValueError),
        (({},), BadCode),
    ],
)
def test_wrong_options_are_refused(arguments, error):
    with pytest.raises(error):
        Game.from_options(*arguments)
