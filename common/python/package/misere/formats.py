"""Quotients in the forms of other programs: LaTeX, GAP, Sage, networkx and pandas."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .quotients import Presentation, Quotient

__all__ = ["gap", "latex_presentation", "latex_word", "networkx", "pandas", "sage"]


def latex_word(word: str) -> str:
    """Writes a word with its exponents in braces: `ab^{12}`."""
    return re.sub(r"\^(\d+)", r"^{\1}", word)


def latex_presentation(presentation: "Presentation") -> str:
    """Writes a presentation with its P-portion, for mathematics in LaTeX."""
    names = presentation.text[1:].split("⟩")[0].split("|")[0].strip()
    relations = ",\\ ".join(
        f"{latex_word(left)}={latex_word(right)}" for left, right in presentation.relations
    )
    inside = f"{names} \\mid {relations}" if relations else names
    p_portion = ",\\ ".join(map(latex_word, presentation.p_portion))
    return (
        f"\\left\\langle {inside} \\right\\rangle,\\quad"
        f" \\mathcal{{P}}=\\left\\{{{p_portion}\\right\\}}"
    )


def gap(quotient: "Quotient") -> str:
    """Returns GAP source, which rebuilds a quotient as transformations.

    GAP counts from 1, so the element x is the point x + 1; the identity is the point 1.
    """
    rows = ",\n  ".join(
        f"Transformation([{', '.join(str(x + 1) for x in row)}])" for row in quotient.action
    )
    generators = f"[\n  {rows}\n]" if rows else "[ ]"
    words = ", ".join(f'"{word}"' for word in quotient.words)
    p_portion = ", ".join(str(x.number + 1) for x in quotient.P)
    monoid = "Monoid(misereGenerators)" if rows else "Monoid([IdentityTransformation])"
    return (
        f"# A misere quotient of order {quotient.order}; the element x is the point x + 1.\n"
        f"misereGenerators := {generators};;\n"
        f"misereWords := [ {words} ];;\n"
        f"misereP := [ {p_portion} ];;\n"
        f"misereMonoid := {monoid};;\n"
        "# A transformation of the monoid is an element: the image of the point 1.\n"
        "misereIsP := t -> 1^t in misereP;;\n"
    )


def sage(quotient: "Quotient") -> str:
    """Returns Sage source, which rebuilds the Cayley graph and the multiplication of a quotient.

    It is Python, too; only the last two lines need Sage.
    """
    heads = {
        "order": quotient.order,
        "generators": list(quotient.generator_names),
        "action": [list(row) for row in quotient.action],
        "words": list(quotient.words),
        "exponents": [list(word) for word in quotient.exponents],
        "P": sorted(x.number for x in quotient.P),
    }
    lines = [f"# A misere quotient of order {quotient.order}; the identity is 0."]
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


def networkx(quotient: "Quotient") -> Any:
    """Returns the Cayley graph: numbers with `word` and `in_P`, edges with `generator`."""
    try:
        import networkx as nx
    except ImportError as error:
        raise ImportError("to_networkx needs networkx: pip install networkx") from error
    graph = nx.MultiDiGraph(name=quotient._title())
    for x in quotient:
        graph.add_node(x.number, word=x.word, in_P=x.in_P)
    for name, row in zip(quotient.generator_names, quotient.action):
        graph.add_edges_from((x, y, name, {"generator": name}) for x, y in enumerate(row))
    return graph


def pandas(quotient: "Quotient") -> Any:
    """Returns a frame with the word, outcome, idempotent and powers of every element."""
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("to_pandas needs pandas: pip install pandas") from error
    component = {
        x: component.idempotent.word
        for component in quotient.components
        for x in component.elements
    }
    return pd.DataFrame(
        {
            "word": [x.word for x in quotient],
            "outcome": [x.outcome for x in quotient],
            "idempotent": [x.is_idempotent for x in quotient],
            "component": [component[x] for x in quotient],
            "index": [x.index for x in quotient],
            "period": [x.period for x in quotient],
        },
        index=pd.RangeIndex(quotient.order, name="element"),
    )
