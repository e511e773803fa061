"""Data packages: made of the exports, installed, opened without a network."""

import importlib
import shutil
import sys
import time
import zipfile
from pathlib import Path

import pytest

import misere
from misere.data_package import census_wheel, main, orders_wheel

DATA = Path(__file__).parent / "data"
TABLES, LINES = DATA / "census-1-sqlite", DATA / "census-1-jsonl"


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Returns a function that unpacks a wheel and imports its package."""

    def install(wheel):
        place = tmp_path / wheel.stem
        with zipfile.ZipFile(wheel) as archive:
            assert archive.testzip() is None
            archive.extractall(place)
        monkeypatch.syspath_prepend(str(place))
        name = wheel.name.partition("-")[0]
        monkeypatch.delitem(sys.modules, name, raising=False)
        return importlib.import_module(name)

    return install


def test_a_census_is_packed_with_its_certificates(tmp_path, installed):
    wheel = census_wheel(TABLES, LINES, tmp_path)
    package = installed(wheel)
    assert package.__name__ == "misere_census_1"
    started = time.monotonic()
    census = package.open()
    assert time.monotonic() - started < 1
    assert census.digest == package.DIGEST and package.DIGEST in census.citation
    assert census.licence == package.LICENCE == "MIT OR Apache-2.0"
    for entry in census:
        solution = entry.solution()
        assert solution.game.code == entry.code
        assert (solution.quotient.class_key, solution.period) == (entry.class_key, entry.period)
        for alias in entry.aliases:
            other = census[alias]
            assert other.solution().preperiod == other.preperiod
            assert other.solution().heaps == other.heaps
    census.close()


def test_equal_exports_give_equal_wheels(tmp_path):
    first = census_wheel(TABLES, LINES, tmp_path / "1").read_bytes()
    assert first == census_wheel(TABLES, LINES, tmp_path / "2").read_bytes()


def test_orders_are_packed(tmp_path, installed):
    orders = misere.classify(12)
    listed = tmp_path / "list.json"
    quotients = [entry.certificate() for entry in orders]
    text = misere.small_orders.json.dumps(
        {"schema": 1, "max_order": 12, "status": "complete", "quotients": quotients}
    )
    listed.write_text(text)
    package = installed(orders_wheel(listed, tmp_path))
    assert package.__name__ == "misere_orders_12" and len(package.DIGEST) == 64
    assert package.open().counts == orders.counts
    assert [entry.class_key for entry in package.open()] == [entry.class_key for entry in orders]


def test_false_certificates_are_not_packed(tmp_path):
    false = tmp_path / "false"
    shutil.copytree(LINES, false)
    text = (false / "rulesets.jsonl").read_text()
    (false / "rulesets.jsonl").write_text(text.replace('"period":2', '"period":4'))
    with pytest.raises(misere.Refuted):
        census_wheel(TABLES, false, tmp_path)
    assert not list(tmp_path.glob("*.whl"))


def test_the_command_says_what_is_wrong(tmp_path, capsys):
    assert (
        main(["census", "--tables", str(TABLES), "--lines", "missing", "--out", str(tmp_path)]) == 1
    )
    assert capsys.readouterr().err.startswith("error: ")
    (tmp_path / "list.json").write_text("{}")
    assert main(["orders", "--list", str(tmp_path / "list.json"), "--out", str(tmp_path)]) == 1
    assert main(["orders", "--list", str(tmp_path), "--out", str(tmp_path)]) == 1
