"""The preprocessor of the book that sets formulas.

The sources write a formula as code, `w_h ∈ N^A`, which every viewer of the pages shows as it is. In
the chapters on mathematics the book sets such code, and letters with an index, as formulas: letters
in italics, `_` as an index, `^` as an exponent. Names, commands, files and fields stay code.
"""

import json
import re
import sys

PART = "Mathematics"

# A fenced or indented block, which is left alone; a code span; a letter with an index in the text.
CODE = re.compile(
    r"^```.*?^```$|^(?: {4}|\t)[^\n]*$|(?<!`)`([^`]+)`(?!`)"
    r"|(?<![\w`])([A-Za-z]'?_(?:[0-9]+|[a-z]\b|\{[^}]*\}|\([^)]*\)))",
    re.MULTILINE | re.DOTALL,
)

# The words of a formula that are set upright; two or three other letters are a product.
UPRIGHT = {"and", "for", "gcd", "has", "lcm", "log", "max", "mex", "min", "mod", "no", "odd"}
WORD = re.compile(r"[A-Za-z]{2,}")

# What no formula has: options, paths, texts, decimal points, names in several words, keys, types.
OTHER = re.compile(r"--|::|\w/\w\w|\.\w|[\"$]|\w_\w{3}|^[0-9a-f]{8,}$|[A-Z][a-z]{2}")
# What only a formula has, even one with a word in it.
SURE = re.compile(r"[∅∈∉⊆⊂∪∩≤≥≡≠→↦⇔⌊⌋⌈⌉⟨⟩∘∞∑⊕·−Φ]")
# What makes a formula of single letters and products.
MARK = re.compile(r"[Α-Ωα-ω×_^]|[\w)}'] [-+=<>] [\w({]")
# Letters alone, pairs, sets and values of functions.
PLAIN = re.compile(r"[0-9]?[A-Za-z][0-9]?\*?'*|[A-Za-z][A-Za-z]|(?=.*[A-Za-z])[\w'²³⁺⁻¹(){}|,:… ]*[(){}|,²³⁺₀-₉][\w'²³⁺⁻¹(){}|,:… ]*")

# An index or exponent: braces, parentheses, or one number or letter; also digits behind a letter.
RAISED = re.compile(r"([_^])(?:\{([^}]*)\}|\(([^)]*)\)|([0-9]+|[A-Za-zΑ-Ωα-ω∞]'*))|(?<=[A-Za-z])([0-9]+)")


def is_formula(text: str) -> bool:
    """Reports whether a code span is a formula.

    >>> formulas = "w_h", "Φ(X) ∈ N^A", "n - 1", "(Q, P)", "xz ∉ P", "max(i, j) ≥ 6", "n0"
    >>> all(map(is_formula, formulas))
    True
    >>> others = "misere solve", "0.35", "*2", "{*2,0}", "p_size", "Heap", "6867dbc4", "1..=N"
    >>> any(map(is_formula, others))
    False
    """
    text = " ".join(text.split())
    if OTHER.search(text):
        return False
    if SURE.search(text):
        return True
    words = [word for word in WORD.findall(text) if word not in UPRIGHT]
    if any(len(word) > 3 for word in words):
        return False
    return bool(MARK.search(text) or PLAIN.fullmatch(text))


def plain(text: str) -> str:
    """Returns text whose letters are set in italics, with nothing that Markdown would read."""
    tokens = []
    for token in re.findall(r"[A-Za-z]+|\\\||[^A-Za-z]", text):
        token = token.replace("-", "−")
        is_word = len(token) > 3 or token in UPRIGHT
        if token.isascii() and token.isalpha() and not is_word:
            token = f"<i>{token}</i>"
        elif len(token) == 1 and token.isascii() and not token.isalnum() and not token.isspace():
            token = f"&#{ord(token)};"
        tokens.append(token)
    return "".join(tokens)


def raised(text: str) -> str:
    """Returns text with its indices and exponents, which may have some of their own."""
    parts, at = [], 0
    for found in RAISED.finditer(text):
        mark, *inner = found.groups()
        tag = "sup" if mark == "^" else "sub"
        inner = next(part for part in inner if part is not None)
        parts += [plain(text[at : found.start()]), f"<{tag}>{raised(inner)}</{tag}>"]
        at = found.end()
    return "".join(parts) + plain(text[at:])


def formula(text: str) -> str:
    """Returns the HTML of a formula.

    >>> formula("w_h - n0")
    '<span class="formula"><i>w</i><sub><i>h</i></sub> − <i>n</i><sub>0</sub></span>'
    """
    return f'<span class="formula">{raised(text)}</span>'


def with_formulas(page: str) -> str:
    """Returns a page with its formulas set.

    >>> with_formulas("in R_8 and\\n\\n    $ misere solve a_b\\n")
    'in <span class="formula"><i>R</i><sub>8</sub></span> and\\n\\n    $ misere solve a_b\\n'
    """

    def shown(found: re.Match) -> str:
        code, indexed = found.groups()
        if indexed or code and is_formula(code):
            return formula(indexed or code)
        return found.group(0)

    return CODE.sub(shown, page)


def walk(items: list, within: bool) -> None:
    for item in items:
        if isinstance(item, dict) and "PartTitle" in item:
            within = item["PartTitle"] == PART
        chapter = item.get("Chapter") if isinstance(item, dict) else None
        if chapter is not None:
            if within:
                chapter["content"] = with_formulas(chapter["content"])
            walk(chapter["sub_items"], within)


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] == "supports":
        sys.exit(0)
    _, book = json.load(sys.stdin)
    walk(book.get("items") or book.get("sections") or [], False)
    json.dump(book, sys.stdout)
