"""Writes the tables of the paper from what the program says.

    python3 docs/paper/tables.py MISERE CENSUS DIRECTORY

MISERE is the command and CENSUS the directory of a finished census of octal codes. The files
numbers.tex, infinite.tex, laws.tex and orders.tex are written into DIRECTORY.
"""

import json
import subprocess
import sys
from pathlib import Path

# The greatest order that is counted here. The counts beyond it are in docs/classification.md.
ORDER = 14


def document(*arguments):
    """Returns the JSON document that a command prints."""
    return json.loads(subprocess.run(arguments, check=True, capture_output=True, text=True).stdout)


def joined(numbers):
    return ", ".join(str(number) for number in numbers)


def table(columns, header, rows):
    """Returns a table that may be longer than a page."""
    lines = [rf"\begin{{longtable}}{{{columns}}}", r"\toprule", header + r" \\", r"\midrule \endhead"]
    lines += [" & ".join(map(str, row)) + r" \\" for row in rows]
    return "\n".join([*lines, r"\bottomrule", r"\end{longtable}", ""])


def infinite(report):
    rows = [
        (
            joined([game["code"], *game["aliases"]]),
            game["heap"],
            joined(game["distinct_multiples"]),
            len(game["letters"]),
            game["states"],
        )
        for game in report["infinite"]["games"]
    ]
    header = "codes & heap & multiples of & letters & states"
    return table(r"@{}>{\raggedright}p{0.5\textwidth}rlrr@{}", header, rows)


def laws(report):
    rows = [
        (
            joined([game["code"], *game["aliases"]]),
            game["law"]["period"],
            game["law"]["slope"],
            game["law"]["modulus"],
            game["law"]["bits"],
        )
        for game in report["solved"]
    ]
    return table(
        r"@{}>{\raggedright}p{0.5\textwidth}rrrr@{}", "codes & period & slope & modulus & bits", rows
    )


def orders(list_of_quotients):
    counts = {int(order): count for order, count in list_of_quotients["counts"].items()}
    evens = [order for order in sorted(counts) if order % 2 == 0]
    line = " & ".join(str(order) for order in evens)
    found = " & ".join(str(counts[order]) for order in evens)
    return "\n".join(
        [
            rf"\begin{{tabular}}{{@{{}}l*{{{len(evens)}}}{{r}}@{{}}}}",
            rf"\toprule order & {line} \\ \midrule quotients & {found} \\ \bottomrule",
            r"\end{tabular}",
            "",
        ]
    )


def numbers(infinite_report, law_report):
    found = infinite_report["infinite"]["all"]
    completeness = infinite_report["provenance"]["completeness"]
    values = {
        "InfiniteCodes": found["codes"],
        "InfiniteGames": found["rulesets"],
        "Codes": completeness["codes"],
        "Games": completeness["records"],
        "Laws": len(law_report["solved"]),
        "Automata": len(law_report["automata"]),
        "Digest": completeness["digest"][:16],
    }
    return "".join(rf"\newcommand{{\{name}}}{{{value}}}" + "\n" for name, value in values.items())


def main(misere, census, directory):
    infinite_report = document(misere, "report", "infinite", "--data", census, "--json")
    law_report = document(misere, "report", "laws", "--data", census, "--json")
    quotients = document(misere, "classify", "--order", str(ORDER), "--json")
    out = Path(directory)
    out.mkdir(parents=True, exist_ok=True)
    for name, text in {
        "numbers": numbers(infinite_report, law_report),
        "infinite": infinite(infinite_report),
        "laws": laws(law_report),
        "orders": orders(quotients),
    }.items():
        (out / f"{name}.tex").write_text(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
