"""Quotients in the forms of other programs: LaTeX, GAP, Sage, networkx and pandas.

The functions take plain data: words, rows of the action, and numbers of elements. The identity has
the number 0.
"""

from __future__ import annotations

import re
from typing import Any, Dict, Iterable, List, Sequence, Tuple

__all__ = [
    "gap_source",
    "latex_presentation",
    "latex_word",
    "networkx_graph",
    "pandas_frame",
    "sage_source",
]

#: The rows `x ↦ x·g` of the generators.
Action = Sequence[Sequence[int]]


def latex_word(word: str) -> str:
    """Writes a word with its exponents in braces: `ab^{12}`."""
    return re.sub(r"\^(\d+)", r"^{\1}", word)


def latex_presentation(
    text: str, relations: Iterable[Tuple[str, str]], p_portion: Iterable[str]
) -> str:
    """Writes a presentation with its P-portion, for mathematics in LaTeX.

    `text` is the whole presentation, from which the names of the generators are taken.
    """
    names = text[1:].split("⟩")[0].split("|")[0].strip()
    equations = ",\\ ".join(f"{latex_word(left)}={latex_word(right)}" for left, right in relations)
    inside = f"{names} \\mid {equations}" if equations else names
    members = ",\\ ".join(map(latex_word, p_portion))
    return (
        f"\\left\\langle {inside} \\right\\rangle,\\quad"
        f" \\mathcal{{P}}=\\left\\{{{members}\\right\\}}"
    )


def gap_source(words: Sequence[str], action: Action, p_portion: Iterable[int]) -> str:
    """Returns GAP source, which rebuilds a quotient as transformations.

    GAP counts from 1, so the element x is the point x + 1; the identity is the point 1.
    """
    rows = ",\n  ".join(
        f"Transformation([{', '.join(str(x + 1) for x in row)}])" for row in action
    )
    generators = f"[\n  {rows}\n]" if rows else "[ ]"
    written = ", ".join(f'"{word}"' for word in words)
    points = ", ".join(str(x + 1) for x in p_portion)
    monoid = "Monoid(misereGenerators)" if rows else "Monoid([IdentityTransformation])"
    return (
        f"# A misere quotient of order {len(words)}; the element x is the point x + 1.\n"
        f"misereGenerators := {generators};;\n"
        f"misereWords := [ {written} ];;\n"
        f"misereP := [ {points} ];;\n"
        f"misereMonoid := {monoid};;\n"
        "# A transformation of the monoid is an element: the image of the point 1.\n"
        "misereIsP := t -> 1^t in misereP;;\n"
    )


def sage_source(
    generators: Sequence[str],
    words: Sequence[str],
    exponents: Sequence[Sequence[int]],
    action: Action,
    p_portion: Iterable[int],
) -> str:
    """Returns Sage source, which rebuilds the Cayley graph and the multiplication of a quotient.

    It is Python, too; only the last two lines need Sage.
    """
    heads = {
        "order": len(words),
        "generators": list(generators),
        "action": [list(row) for row in action],
        "words": list(words),
        "exponents": [list(word) for word in exponents],
        "P": sorted(p_portion),
    }
    lines = [f"# A misere quotient of order {len(words)}; the identity is 0."]
    lines += [f"{name} = {value!r}" for name, value in heads.items()]
    lines += [
        "",
        "def times(x, y):",
        "    for row, count in zip(action, exponents[y]):",
        "        for _ in range(count):",
        "            x = row[x]",
        "    return x",
        "",
        "edges = [(words[x], words[y], g) for g, row in zip(generators, action)"
        " for x, y in enumerate(row)]",
        "from sage.all import DiGraph",
        "cayley_graph = DiGraph(edges, multiedges=True, loops=True)",
        "",
    ]
    return "\n".join(lines)


def networkx_graph(
    title: str,
    generators: Sequence[str],
    words: Sequence[str],
    action: Action,
    p_portion: Iterable[int],
) -> Any:
    """Returns the Cayley graph: numbers with `word` and `in_P`, edges with `generator`."""
    try:
        import networkx as nx
    except ImportError as error:
        raise ImportError("to_networkx needs networkx: pip install networkx") from error
    graph = nx.MultiDiGraph(name=title)
    in_p = set(p_portion)
    for x, word in enumerate(words):
        graph.add_node(x, word=word, in_P=x in in_p)
    for name, row in zip(generators, action):
        graph.add_edges_from((x, y, name, {"generator": name}) for x, y in enumerate(row))
    return graph


def pandas_frame(columns: Dict[str, List[Any]]) -> Any:
    """Returns a frame with a row for each element; its number is the index."""
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("to_pandas needs pandas: pip install pandas") from error
    return pd.DataFrame(columns).rename_axis("element")
