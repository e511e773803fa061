"""A strict type checker accepts what the page of the package shows."""

import ast
import doctest
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "python.md"

#: The page imports the package again and again, names results that may be absent, and has examples
#: of data packages that are not installed.
SETTINGS = {
    "typeCheckingMode": "strict",
    "reportDuplicateImport": False,
    "reportOptionalMemberAccess": False,
}


def program(text):
    """Returns the examples of a page as one program, without those that raise an exception."""
    lines = []
    for example in doctest.DocTestParser().get_examples(text):
        if example.exc_msg is not None or "misere_census_3" in example.source:
            continue
        if "misere_orders_18" in example.source or example.source.startswith("census["):
            continue
        tree = ast.parse(example.source)
        is_value = isinstance(tree.body[0], ast.Expr)
        lines.append(f"print({example.source.strip()})" if is_value else example.source)
    return "\n".join(lines)


def complaints(directory, text):
    """Returns what the type checker says of a program."""
    (directory / "examples.py").write_text(text, encoding="utf-8")
    settings = json.dumps({**SETTINGS, "include": ["examples.py"]})
    (directory / "pyrightconfig.json").write_text(settings, encoding="utf-8")
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--outputjson"]
    # Without Node.js, pyright fetches it first.
    ran = subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=300)
    if not ran.stdout.startswith("{"):
        pytest.skip(f"pyright does not run here: {ran.stderr.strip()[-300:]}")
    found = json.loads(ran.stdout)["generalDiagnostics"]
    return [f"{said['range']['start']['line'] + 1}: {said['message']}" for said in found]


@pytest.mark.skipif(importlib.util.find_spec("pyright") is None, reason="pyright is not installed")
def test_the_examples_of_the_page_have_types(tmp_path):
    text = program(PAGE.read_text(encoding="utf-8"))
    assert text.count("\n") > 25
    assert complaints(tmp_path, text) == []
    # The types are those of the package, not unknown ones.
    wrong = complaints(tmp_path, 'import misere\nmisere.Game("0.77").quotient().order + "a"\n')
    assert any("Operator" in said for said in wrong), wrong
