"""Shared data and fixtures of the tests.

`data/small-…` are exports of the 131 games of the census of three digits whose quotient has at most
24 elements, proved to at most heap 60. `data/census-1-…` are exports of the whole census of one
digit, for comparison with a server. After a change of the engine's records make them again:
`misere census run --digits 1 --data one`, `misere export --data one --format jsonl`, and
`misere export --data one --format sqlite --without-quotients`.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest

import misere

DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="session")
def kayles():
    return misere.Game("0.77")


@pytest.fixture
def tables():
    with misere.Census.example() as census:
        yield census


@pytest.fixture
def one_digit():
    with misere.Census.open(DATA / "census-1-sqlite") as census:
        yield census


@pytest.fixture
def lines():
    with misere.Census.example("jsonl") as census:
        yield census


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """Returns the address of a server of the census of one digit; see `make test-python`."""
    command = os.environ.get("MISERE")
    if not command:
        pytest.skip("MISERE names no command to serve a census with")
    data = tmp_path_factory.mktemp("served") / "census-1"
    subprocess.run(
        [command, "census", "run", "--digits", "1", "--data", data], check=True, capture_output=True
    )
    serving = subprocess.Popen(
        [command, "serve", "--data", data, "--listen", "127.0.0.1:0", "--normal-heaps", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        for line in serving.stdout:
            found = re.search(r"http://[0-9.:]+", line)
            if found:
                yield found[0]
                break
        else:
            pytest.fail("the server did not say its address")
    finally:
        serving.terminate()
        serving.wait(60)
