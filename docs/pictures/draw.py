#!/usr/bin/env python3
"""Draws the pretending function of a solved game as a strip of rows one period long, from the JSON of `misere solve`.

    misere solve 0.77 --json | python3 docs/pictures/draw.py > docs/pictures/kayles.svg

Each cell is a heap, its colour and word the element of the misère quotient that the heap pretends to be. The
black line divides the preperiod from the period.
"""
import colorsys
import json
import re
import sys

CELL, HEIGHT, LEFT, TOP = 52, 26, 56, 62


def colour(rank, faint):
    """Returns colours that are far apart for neighbours in rank: hues by the golden ratio, all light enough for black words."""
    if rank == 0:
        return "#f4f4f4"
    hue = rank * 0.61803398875 % 1
    lightness = (0.76 if rank % 2 else 0.82) + (0.06 if faint else 0)
    red, green, blue = colorsys.hls_to_rgb(hue, lightness, 0.6)
    return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"


def raised(word):
    """Returns the word with its exponents raised."""
    return re.sub(r"\^(\d+)", lambda power: power[1].translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")), word)


def main():
    document = json.load(sys.stdin)
    if document["status"] != "solved":
        sys.exit("error: the game is not solved")
    phi, words, period = document["phi"], document["quotient"]["words"], document["period"]
    preperiod, order = document["preperiod"], document["quotient"]["order"]
    columns = period if period > 4 else period * (8 // period)
    last = preperiod + 2 * period
    heaps = range(1, min(len(phi) - 1, last + (-last) % columns) + 1)
    rank = {}
    for heap in [0, *heaps]:
        rank.setdefault(phi[heap], len(rank))
    rows = (len(heaps) + columns - 1) // columns
    width, height = LEFT + columns * CELL + 12, TOP + rows * HEIGHT + 14
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="Georgia, DejaVu Serif, serif" font-size="13">',
        f'<title>The misère pretending function of {document["code"]}</title>',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="12" y="24" font-size="16">{document["code"]} in misère play: a quotient of order {order}, '
        f'period {period} from heap {preperiod} on</text>',
    ]
    for column in range(columns):
        x = LEFT + column * CELL + CELL / 2
        out.append(f'<text x="{x}" y="{TOP - 8}" text-anchor="middle" fill="#777" font-size="11">{column + 1}</text>')
    for heap in heaps:
        row, column = divmod(heap - 1, columns)
        x, y = LEFT + column * CELL, TOP + row * HEIGHT
        if column == 0:
            out.append(f'<text x="{LEFT - 8}" y="{y + 17}" text-anchor="end" fill="#777" font-size="11">{row * columns}+</text>')
        fill = colour(rank[phi[heap]], heap >= preperiod)
        out.append(f'<rect x="{x}" y="{y}" width="{CELL}" height="{HEIGHT}" fill="{fill}" stroke="white"/>')
        out.append(f'<text x="{x + CELL / 2}" y="{y + 17}" text-anchor="middle" font-style="italic">{raised(words[phi[heap]])}</text>')
    if preperiod in heaps:
        row, column = divmod(preperiod - 1, columns)
        x, y = LEFT + column * CELL, TOP + row * HEIGHT
        out.append(f'<path d="M{LEFT} {y + HEIGHT} H{x} V{y} H{LEFT + columns * CELL}" fill="none" stroke="#222" stroke-width="2"/>')
    out.append("</svg>")
    print("\n".join(out))


main()
