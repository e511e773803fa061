"""Positions decided by the package and by the command: the same outcome, by the same ground.

`tests/truth/decisions.rs` compares the command, the pages and the library in the same way.
"""

import json
import os
import random
import subprocess
from collections import Counter

import pytest

import misere

# Games of every kind of conclusion.
GAMES = """
0.77 0.7 0.07 0.137 0.123 0.75 0.72 4.7 4.4 0.5 0.05 0.115 0.153 0.644 0.53 4.2
0.26 0.4 0.54 0.31011 0.005 0.0037 0.26 0.104 0.106 0.114 0.16 0.35 0.36 0.37
0.164 0.44 0.45 0.47 0.51 0.52 0.55 0.56 0.57 0.6
""".split()
POSITIONS = 8
FUEL = 200_000
# Some heaps are beyond those that a law or an automaton is found from.
HEAPS = [*range(1, 60), *range(500, 520)]


@pytest.fixture(scope="module")
def command():
    found = os.environ.get("MISERE")
    if not found:
        pytest.skip("MISERE names no command to compare with")
    return found


def run(*args):
    return subprocess.run(args, capture_output=True, text=True, timeout=120)


def positions(game, seed):
    """Returns positions of one to three live heaps, the same in every run."""
    chosen = random.Random(seed)
    live = [heap for heap in HEAPS if game.is_live(heap)]
    for number in range(POSITIONS):
        yield [
            chosen.choice(live if (number + at) % 4 == 0 else live[:12])
            for at in range(number % 3 + 1)
        ]


def test_the_package_decides_as_the_command_does(command, tmp_path):
    compared = Counter()
    for number, code in enumerate(dict.fromkeys(GAMES)):
        file = tmp_path / f"{number}.json"
        solved = run(command, "solve", code, "--fuel", str(FUEL), "--out", str(file))
        assert solved.returncode in (0, 3), solved.stderr
        solution = misere.verify(file.read_bytes())
        # The command adds whether the game is tame, and which budget would go on.
        # It has a line for each part of the sentence.
        assert solution.sentence.replace("; ", " ") in " ".join(solved.stdout.split()), code
        for heaps in positions(solution.game, code):
            args = [command, "outcome", code, "--certificate", str(file), "--json"]
            said = run(*args, *map(str, heaps))
            if said.returncode != 0:
                # The command needs the winning moves within its fuel, too, and ends with 3 without.
                if said.returncode == 1:
                    with pytest.raises(misere.MisereError):
                        solution.outcome(heaps)
                compared["undecided"] += 1
                continue
            said = json.loads(said.stdout)
            assert solution.outcome(heaps) == said["outcome"], (code, heaps)
            assert solution.decided_by(heaps) == said["method"], (code, heaps)
            compared[said["method"]] += 1
    print(dict(compared))
    assert sum(compared.values()) >= 300, compared
    assert len(compared) >= 6, compared
