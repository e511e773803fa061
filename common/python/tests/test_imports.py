"""The modules of the package import one another in one direction."""

import ast
from pathlib import Path

import misere

PACKAGE = Path(misere.__file__).parent
FILES = {
    "misere" if file.stem == "__init__" else file.stem: file for file in PACKAGE.glob("*.py")
}


def imported(source):
    """Returns the modules of the package that a text imports, inside functions and for types too.

    `from . import name` is an import of the package itself, besides that of a module `name`.
    """
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            paths = [alias.name.split(".") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            whole = ["misere"] if node.level else []
            whole += node.module.split(".") if node.module else []
            paths = [whole, *([*whole, alias.name] for alias in node.names)]
        else:
            continue
        for path in paths:
            if path == ["misere"]:
                found.add("misere")
            elif path[0] == "misere" and path[1] in FILES:
                found.add(path[1])
    return found


def strong_components(graph):
    """Returns the strongly connected components of a graph that contain a circle."""
    reached = {node: set(after) for node, after in graph.items()}
    for between in graph:
        for after in reached.values():
            if between in after:
                after |= reached[between]
    circles = {
        frozenset(other for other in after if node in reached[other])
        for node, after in reached.items()
        if node in after
    }
    return sorted(map(sorted, circles))


def imports_of_the_package():
    return {module: imported(file.read_text(encoding="utf-8")) for module, file in FILES.items()}


def test_no_modules_import_each_other():
    graph = imports_of_the_package()
    assert {"forms", "quotients", "solutions"} <= graph["names"], "the imports are not seen"
    assert strong_components(graph) == []


def test_errors_and_limits_import_nothing_of_the_package():
    graph = imports_of_the_package()
    assert (graph["errors"], graph["limits"]) == (set(), set())


def test_circles_are_found_wherever_the_import_is():
    graph = {
        "misere": imported("from .errors import MisereError\nfrom .games import Game"),
        "errors": imported("if TYPE_CHECKING:\n    from .solutions import Solution"),
        "solutions": imported("def game():\n    from misere.games import Game"),
        "games": imported("import misere.errors, json\nfrom .limits import FUEL"),
        "limits": imported("from typing import Optional"),
        "atlas": imported("from . import census, _misere"),
        "census": imported("import misere.atlas"),
    }
    assert graph["atlas"] == {"misere", "census"}
    assert strong_components(graph) == [["atlas", "census"], ["errors", "games", "solutions"]]
