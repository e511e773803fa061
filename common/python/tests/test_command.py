"""The command `misere` that the wheel installs: what it says is what the native program says."""

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import sysconfig
import termios
import time
from pathlib import Path

import pytest

COMMAND = str(Path(sysconfig.get_path("scripts")) / "misere")

#: Command lines and their exit codes.
LINES = [
    ("solve kayles", 0),
    ("explain 0.123 --json", 0),
    ("explain kayles --latex", 0),
    ("solve 0.07 --fuel 1k", 3),
    ("solve 0.7x", 2),
    ("solve", 2),
    (f"solve {'7' * 300}", 2),
    ("slove 0.77", 2),
    ("", 2),
    ("outcome kayles 3 5 7", 0),
    ("outcome 3 5 7", 2),
    ("genus 0.77 5", 0),
    ("form 0.123:8", 0),
    ("compare 0.123:6 0.123:11", 0),
    ("classify --order 8", 0),
    ("identify R_8", 0),
    ("identify 1f00a3b2", 1),
    ("analyze 0.123 --tell 3+3 h6", 0),
    ("verify no/such/file", 1),
    ("verify -", 1),
    ("--version", 0),
    ("completions bash --color never", 0),
]


def said(command, *words, **more):
    """Runs a command; returns its exit code and both outputs."""
    done = subprocess.run([command, *words], capture_output=True, timeout=120, **more)
    return done.returncode, timeless(done.stdout), done.stderr


def timeless(output):
    """Returns an output without the time that a computation took."""
    return re.sub(rb"[0-9.]+ s$", b"some s", output, flags=re.MULTILINE)


@pytest.fixture(scope="session")
def native():
    found = os.environ.get("MISERE")
    if not found:
        pytest.skip("MISERE names no native program to compare with")
    return found


@pytest.mark.parametrize("line, code", LINES)
def test_the_command_says_what_the_native_program_says(native, line, code):
    ours, theirs = (said(command, *line.split(), input=b"{}") for command in (COMMAND, native))
    # The whole program has more commands, among which it finds similar ones.
    if line.startswith(("completions", "slove")) or not line:
        ours, theirs = ours[0], theirs[0]
    assert ours == theirs
    assert said(COMMAND, *line.split(), input=b"{}")[0] == code


def test_arguments_need_not_be_unicode(native):
    line = ["verify", b"no\xff"]
    assert said(COMMAND, *line) == said(native, *line)


def test_a_certificate_is_written_and_verified(tmp_path):
    file = tmp_path / "kayles.json"
    assert said(COMMAND, "solve", "0.77", "--out", file)[0] == 0
    code, output, _ = said(COMMAND, "verify", file)
    assert (code, output[:2]) == (0, b"ok")


def test_the_module_is_the_command(tmp_path):
    (tmp_path / "misere.txt").touch()
    done = said(sys.executable, "-m", "misere", "solve", "0.7x", cwd=tmp_path)
    assert done == said(COMMAND, "solve", "0.7x") and done[0] == 2


@pytest.mark.parametrize("subcommand", ["identify", "analyze", "solve"])
def test_the_help_names_no_census(subcommand):
    code, output, errors = said(COMMAND, subcommand, "--help")
    assert (code, errors) == (0, b"") and b"Examples:" in output and b"--data" not in output


@pytest.mark.parametrize("line", ["census run", "serve", "solve 0.77 --data census"])
def test_what_needs_the_census_says_how_to_get_it(line):
    code, output, errors = said(COMMAND, *line.split())
    assert (code, output) == (2, b"") and b"run `make install` in a clone" in errors


def test_a_reader_that_goes_away_is_no_error():
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([COMMAND, "solve", "0.77"], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_full_disk_is_one_line():
    with open("/dev/full", "wb") as full:
        done = subprocess.run([COMMAND, "solve", "0.77"], stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 1 and done.stderr.startswith(b"error: cannot write")
    assert done.stderr.count(b"\n") == 1


def test_a_closed_stream_is_not_replaced_by_a_file(tmp_path):
    file = tmp_path / "kayles.json"
    line = f"exec '{COMMAND}' solve 0.77 --out '{file}' <&- >&- 2>&-"
    assert said("sh", "-c", line) == (0, b"", b"")
    assert said(COMMAND, "verify", file)[0] == 0


def interrupted(*words, after, **more):
    """Starts the command, sends it Ctrl-C, and returns its exit code and both outputs."""
    process = subprocess.Popen(
        [COMMAND, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # A background process of a shell would ignore Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        **more,
    )
    time.sleep(after)
    process.send_signal(signal.SIGINT)
    # Waited for first, since the end of its input would end a game, too.
    code = process.wait(timeout=60)
    return (code, *process.communicate())


def test_ctrl_c_ends_a_computation_with_what_is_known():
    line = ["solve", "0.142", "--max-heap", "1M", "--fuel", "1000T"]
    code, output, errors = interrupted(*line, after=2)
    assert code == 4 and b"interrupted" in output and b"Traceback" not in errors


def test_ctrl_c_ends_a_game_at_once():
    code, _, errors = interrupted("play", "kayles", "3", "5", after=2, stdin=subprocess.PIPE)
    assert (code, errors) == (4, b"interrupted by a signal\n")


def test_ctrl_c_stays_ignored():
    line = f"trap '' INT; exec '{COMMAND}' solve 0.142 --max-heap 1M --fuel 1000T --time-limit 3s"
    process = subprocess.Popen(["sh", "-c", line], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 4 and b"time limit" in output


def on_a_terminal(command, columns):
    """Returns what a command prints on a terminal of this width."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    # The line of progress, which depends on the time, is left out.
    line = [command, "solve", "kayles", "--quiet"]
    process = subprocess.Popen(line, stdin=its, stdout=its, stderr=its)
    os.close(its)
    printed = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        if not piece:
            break
        printed += piece
    os.close(ours)
    return process.wait(60), timeless(printed.replace(b"\r\n", b"\n"))


@pytest.mark.parametrize("columns", [60, 120])
def test_lines_fit_the_terminal(native, columns):
    assert on_a_terminal(COMMAND, columns) == on_a_terminal(native, columns)
