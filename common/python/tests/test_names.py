"""The names of the package, loaded with the first of them, and those of the extension module."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import misere
from misere import _misere

PACKAGE = Path(misere.__file__).parent


def said(program):
    """Runs a program in a new interpreter, and returns what it prints."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(
    "program",
    [
        "import misere; print(misere.Game('0.77').name)",
        "import misere; print(misere.games.Game('0.77').name)",
        "from misere import Game; print(Game('0.77').name)",
        "from misere.games import Game; print(Game('0.77').name)",
        "from misere import *; print(Game('0.77').name)",
        "import misere; print('Game' in dir(misere) and 'Kayles')",
        "import misere.errors; print(misere.Game('0.77').name)",
    ],
)
def test_names_are_found_however_they_are_imported(program):
    assert said(program) == "Kayles"


def test_unknown_names_are_no_attributes():
    with pytest.raises(AttributeError, match="'misere' has no attribute 'Kayles'"):
        misere.Kayles
    with pytest.raises(ImportError):
        from misere import Kayles  # noqa: F401


def test_the_command_loads_no_classes():
    assert said("import misere.__main__, sys; print('misere.games' in sys.modules)") == "False"


def members(of):
    """Returns the names of functions, classes and methods of the extension module."""
    return {name for name in vars(of) if not name.startswith("_")}


def test_the_stub_lists_the_extension_module():
    stub = ast.parse((PACKAGE / "_misere.pyi").read_text(encoding="utf-8"))
    kinds = (ast.ClassDef, ast.FunctionDef)
    listed = {node.name: node for node in stub.body if isinstance(node, kinds)}
    assert set(listed) == members(_misere)
    for name, node in listed.items():
        if isinstance(node, ast.ClassDef):
            methods = {method.name for method in node.body if isinstance(method, kinds)}
            methods = {method for method in methods if not method.startswith("_")}
            assert methods == members(getattr(_misere, name)), name
