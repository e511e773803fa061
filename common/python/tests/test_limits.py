"""Limits: fuel, time, memory, Ctrl-C, and other threads of Python meanwhile."""

import os
import signal
import sys
import threading
import time

import pytest

import misere
from misere import Exhausted, Game, Stopped

ENDLESS = {"fuel": 10**15}

LONG = [
    lambda: Game("0.142").solve(max_heap=10**6, **ENDLESS),
    lambda: misere.classify(22, **ENDLESS),
    lambda: Game("0.77").outcome([60] * 12, by_definition=True, **ENDLESS),
    lambda: Game("0.77").genus([60] * 12, **ENDLESS),
    lambda: Game("0.06").nim_values(10**7, **ENDLESS),
]


@pytest.fixture
def ctrl_c_counts():
    """Makes Ctrl-C count as in a terminal; a background process of a shell would ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as POSIX does")
@pytest.mark.parametrize("long", LONG)
def test_ctrl_c_ends_a_computation(long, ctrl_c_counts):
    sent = []

    def interrupt():
        time.sleep(0.3)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        long()
    # A tenth of a second on an idle machine; test machines are not idle.
    assert time.monotonic() - sent[0] < 5


def test_other_threads_run_meanwhile():
    counted, over = [0], threading.Event()

    def count():
        while not over.is_set():
            counted[0] += 1
            time.sleep(0.001)

    counting = threading.Thread(target=count)
    counting.start()
    Game("0.142").solve(max_heap=10**6, seconds=0.5, **ENDLESS)
    over.set()
    counting.join()
    assert counted[0] > 5


def test_games_are_solved_in_several_threads():
    found = {}

    def solve(code):
        found[code] = Game(code).solve().quotient.order

    threads = [threading.Thread(target=solve, args=(code,)) for code in ("0.77", "0.123", "0.75")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {"0.77": 40, "0.123": 20, "0.75": 8}


def test_a_guard_of_time_leaves_what_was_proved():
    game = Game("0.142")
    solution = game.solve(max_heap=10**6, seconds=0.3, **ENDLESS)
    assert solution.status == "interrupted" and "0.3 s" in solution.stopped_by
    assert misere.verify(solution.certificate_bytes()) == solution
    with pytest.raises(Stopped) as raised:
        Game("0.142").quotient(max_heap=10**6, seconds=0.2, **ENDLESS)
    assert raised.value.solution.quotient.order > 0
    with pytest.raises(Stopped):
        Game("0.77").outcome([60] * 12, by_definition=True, seconds=0.2, **ENDLESS)


@pytest.mark.skipif(sys.platform != "linux", reason="memory is seen on Linux")
def test_a_guard_of_memory_stops():
    solution = Game("0.142").solve(max_heap=10**6, memory=1, **ENDLESS)
    assert solution.status == "interrupted" and "memory" in solution.stopped_by


def test_fuel_is_a_limit_and_the_same_everywhere():
    first, second = (Game("0.142").solve(fuel=50_000) for _ in range(2))
    assert first == second and (first.status, first.limit) == ("exhausted", "fuel")
    with pytest.raises(Exhausted, match="more fuel"):
        Game("0.142").quotient(fuel=50_000)
    with pytest.raises(Exhausted, match="fuel"):
        Game("0.77").outcome([60] * 12, by_definition=True, fuel=1_000)
    with pytest.raises(Exhausted):
        misere.verify(Game("0.77").solve().certificate_bytes(), fuel=1)


@pytest.mark.parametrize(
    "wrong, error",
    [
        ({"fuel": -1}, ValueError),
        ({"fuel": 2**64}, ValueError),
        ({"fuel": "60 apples"}, ValueError),
        ({"memory": "2 apples"}, ValueError),
        ({"fuel": 1.5}, TypeError),
        ({"max_heap": 2**40}, ValueError),
        ({"seconds": -1}, ValueError),
        ({"seconds": float("nan")}, ValueError),
        ({"memory": -5}, ValueError),
        ({"strategy": "other"}, ValueError),
        ({"unknown": 1}, TypeError),
    ],
)
def test_wrong_limits_are_refused(wrong, error):
    with pytest.raises(error):
        Game("0.77").solve(**wrong)


def test_amounts_may_be_texts():
    game = Game("0.142")
    assert game.solve(fuel="50k") is game.solve(fuel=50_000)
    assert game.solve(fuel="50k", evidence="3M") is game.solve(fuel=50_000)
    assert Game("0.77").outcome(3, 5, by_definition=True, fuel="1M") == "N"
    stopped = Game("0.142").solve(max_heap=10**6, memory="1kB", **ENDLESS)
    assert stopped.status == "interrupted"
    with pytest.raises(Exhausted):
        misere.verify(Game("0.77").solve().certificate_bytes(), fuel="1")


def test_zero_fuel_is_an_answer():
    assert Game("0.77").solve(fuel=0).status == "exhausted"
    assert Game("0.77").solve(seconds=0).status in ("interrupted", "solved")
