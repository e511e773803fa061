"""A census: the same answers from tables, from JSON Lines and from a server."""

import json
import pickle
import shutil
import sqlite3
from pathlib import Path

import pytest

import misere
from misere import Census, Game, MisereError, NoCensus, NotInCensus, Quotient

DATA = Path(__file__).parent / "data"
EXAMPLES = Path(misere.__file__).parent / "examples"

#: Conditions whose answers do not depend on the numbers of heaps of an alias.
QUERIES = [
    {},
    {"status": "solved"},
    {"status": ["solved", "grows"], "order": (6, 20)},
    {"order": range(2, 7)},
    {"order": (None, 10), "tame": True},
    {"tame": False},
    {"tame": None},
    {"class_": "T_2"},
    {"any_class": Quotient("T_2")},
    {"class_": Quotient("T_1").class_key[:8]},
    {"p_size": 1},
    {"period": (2, None)},
    {"fuel": (10, 100_000)},
    {"order": 7},
]


@pytest.fixture
def censuses(tables, lines):
    return [tables, lines]


def check(census, code):
    assert census.digest[:12] in repr(census)
    entry = census[code]
    assert entry.status == "solved" and entry.order == entry.quotient.order
    assert entry.class_key == entry.quotient.class_key and entry.game == Game(code)
    assert entry.phi.repeats == (entry.period, entry.preperiod)
    assert [part.heap for part in entry.partials] == [
        part.heap for part in entry.solution().partials
    ]
    assert "0.77" not in census and census.get("0.77") is None
    with pytest.raises(NotInCensus, match="0.77"):
        census["0.77"]
    with pytest.raises(misere.BadCode):
        census["0.8x"]


def test_entries_of_lines(lines):
    check(lines, "0.75")
    # A line is about one code of a game.
    assert lines["0.3"] == lines["0.2"] and "0.3" in lines["0.2"].aliases


def test_entries_of_tables(tables):
    entry = tables["0.75"]
    assert (entry.order, entry.name, entry.period, entry.preperiod) == (8, "R_8", 2, 8)
    assert tables["0.3"].preperiod == 0 and tables["0.2"].preperiod == 1
    assert tables["0.3"].representative == "0.2" and "0.2" in tables["0.3"].aliases
    assert [part.heap for part in tables["0.3"].partials] == [1]
    with pytest.raises(AttributeError):
        entry.nothing
    with pytest.raises(TypeError):
        pickle.dumps(entry)


def test_answers_agree(censuses):
    first, second = censuses
    assert len(first) == len(second) > 0
    for where in QUERIES:
        answers = [[entry.code for entry in census.query(**where)] for census in censuses]
        if where:
            answers = [
                sorted({census[code].representative for code in codes})
                for census, codes in zip(censuses, answers)
            ]
        assert answers[0] == answers[1], where


def test_answers_are_what_the_conditions_say(tables):
    everything = list(tables)
    for entry in tables.query(order=(3, 12), status="solved"):
        assert 3 <= entry.order <= 12 and entry.status == "solved"
    wanted = [entry for entry in everything if 3 <= entry.order <= 12 and entry.status == "solved"]
    assert len(wanted) == len(tables.query(order=(3, 12), status="solved"))
    orders = [entry.order for entry in tables.query(sort="order", descending=True)]
    assert orders == sorted(orders, reverse=True)
    with_period = [entry.period for entry in tables.query(sort="period")]
    numbers = [period for period in with_period if period is not None]
    assert with_period == sorted(numbers) + [None] * (len(with_period) - len(numbers))


def test_queries_are_sequences(tables):
    query = tables.query()
    codes = [entry.code for entry in query]
    assert len(query) == len(codes) == query.count() and bool(query)
    assert [entry.code for entry in query[2:5]] == codes[2:5]
    assert [entry.code for entry in query[2:][1:3]] == codes[3:5]
    assert [entry.code for entry in query[-2:]] == codes[-2:]
    assert query[0].code == codes[0] and query[-1].code == codes[-1]
    assert len(query[5:2]) == 0 and list(query[5:2]) == [] and len(query[: 10**12]) == len(codes)
    assert not tables.query(order=7) and tables.query(order=7).first() is None
    with pytest.raises(IndexError):
        query[len(codes)]
    with pytest.raises(ValueError):
        query[::2]
    pandas = pytest.importorskip("pandas")
    frame = query.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and list(frame.index) == codes


def test_the_answers_go_to_parquet_and_back(tables, tmp_path):
    pytest.importorskip("pyarrow")
    import pandas

    frame = tables.query().to_pandas()
    frame.to_parquet(tmp_path / "games.parquet")
    read = pandas.read_parquet(tmp_path / "games.parquet")
    assert list(read.index) == list(frame.index) and list(read.order) == list(frame.order)


def test_classes(tables):
    classes = tables.classes()
    assert classes == sorted(
        classes, key=lambda found: (found.order, found.p_size, found.class_key)
    )
    (t_2,) = tables.classes(name="T_2")
    assert t_2 in tables.classes(order=6) and tables.identify("T_2") == t_2
    assert tables.identify("R_20") is None
    assert tables.identify("0.75") == tables.identify("R_8") is not None
    assert all(entry.name == "T_2" for entry in tables.games_with("T_2"))
    partly = {entry.code for entry in tables.games_with(Quotient("T_2"), partial=True)}
    assert partly >= {entry.code for entry in tables.games_with("T_2")}
    assert tables.excluded("T_2") == () and misere.identify("T_2", tables).excluded == ()
    identity = misere.identify("T_2", tables)
    assert len(identity.games) == len(tables.games_with("T_2"))


def test_a_census_without_a_quotient_says_what_that_excludes(tables, one_digit):
    part = "not excluded: this export has a part of the census only"
    assert misere.identify("R_20", tables).excluded == (part,)
    whole = "excluded by that: all 7 rulesets of the census ended, each as far as its budget went"
    assert misere.identify("R_20", one_digit).excluded == (whole,)
    assert one_digit.excluded(Quotient("R_20")) == one_digit.excluded("f" * 64) == (whole,)
    about = one_digit.facts["completeness"]
    assert about["tasks"] == about["records"] == 7


def test_a_census_of_quotients_says_to_which_order_it_has_all(one_digit, monkeypatch):
    facts = json.loads(json.dumps(one_digit.facts))
    levels = [(8, True), (10, True), (12, False), (14, False)]
    facts["completeness"].update(
        pending=2, orders=[{"order": order, "complete": done} for order, done in levels]
    )
    monkeypatch.setattr(type(one_digit), "facts", property(lambda _: facts))
    games, quotients = one_digit.excluded("R_20")
    assert games.startswith("not excluded: 5 of the 7 rulesets of the census ended")
    assert quotients == "the census has all misère quotients to order 10, and its order is greater"
    none_of_them = "to order 10, and this is none of them: no games have it"
    assert one_digit.excluded("⟨a | a^2 = a⟩ P = {a}")[1].endswith(none_of_them)
    assert one_digit.excluded("f" * 64)[1] == "the census has all misère quotients to order 10"


def test_wrong_questions_are_refused(tables):
    for wrong in [
        {"orders": 3},
        {"order": "6..20"},
        {"order": (1, 2, 3)},
        {"order": True},
        {"code": 3},
    ]:
        with pytest.raises((TypeError, ValueError)):
            tables.query(**wrong)
    with pytest.raises(ValueError):
        tables.query(sort="name")
    with pytest.raises(ValueError):
        tables.query(tame="unclear")
    with pytest.raises(misere.BadQuotient):
        len(tables.query(class_="R_10"))
    # A value never becomes a part of the query.
    assert len(tables.query(code="' OR 1 --")) == 0
    assert len(tables.query(order=(-(10**30), 10**30))) == len(tables)


def test_tables_have_no_certificates(tables):
    with pytest.raises(NoCensus, match="certificates"):
        tables["0.75"].solution()


def test_what_is_no_census_is_refused(tmp_path):
    with pytest.raises(NoCensus):
        Census.open(tmp_path / "missing")
    with pytest.raises(NoCensus, match="misere export"):
        Census.open(tmp_path)
    file = tmp_path / "file.sqlite"
    file.write_bytes(b"no database at all" * 100)
    with pytest.raises(NoCensus):
        Census.open(file)
    sqlite3.connect(tmp_path / "empty.sqlite").close()
    with pytest.raises(NoCensus):
        Census.open(tmp_path / "empty.sqlite")
    with pytest.raises(NoCensus, match="cannot be reached"):
        Census("http://127.0.0.1:1")


def test_damaged_lines_are_refused(tmp_path):
    cut = tmp_path / "cut"
    shutil.copytree(EXAMPLES / "small-jsonl", cut)
    whole = (cut / "rulesets.jsonl").read_bytes()
    (cut / "rulesets.jsonl").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(NoCensus):
        Census.open(cut)
    # A false line is read, and its certificate refuted.
    lines = whole.splitlines(keepends=True)
    false = json.loads(lines[3])
    false["phi"][1] ^= 1
    lines[3] = (json.dumps(false) + "\n").encode()
    (cut / "rulesets.jsonl").write_bytes(b"".join(lines))
    with Census.open(cut) as census:
        with pytest.raises(MisereError):
            census[false["code"]].solution()


def test_a_server_gives_the_same_answers(server, one_digit):
    with Census(server) as census:
        check(census, "0.7")
        for where in QUERIES + [{"code": "0.?"}, {"changes_at": (1, 3)}, {"preperiod": (1, None)}]:
            ours = [entry.code for entry in one_digit.query(**where)]
            assert [entry.code for entry in census.query(**where)] == ours, where
            assert len(census.query(**where)) == len(ours)
        for sort in ("order", "period", "preperiod", "heaps", "p_size"):
            found = census.query(sort=sort, descending=True)[:20]
            ours = one_digit.query(sort=sort, descending=True)[:20]
            assert [entry.code for entry in found] == [entry.code for entry in ours]
        for entry in one_digit:
            there = census[entry.code]
            facts = entry.to_dict()
            del facts["limit"]
            assert {name: getattr(there, name) for name in facts} == facts
        assert {found.class_key for found in census.classes()} == {
            found.class_key for found in one_digit.classes()
        }
        assert census.identify("T_1").order == 2 and census.identify("R_20") is None
        with pytest.raises(NoCensus):
            Census(f"{server}/nothing")
