"""Draws every panel of a dashboard from what Prometheus has seen: panels.py DASHBOARD PROMETHEUS BEGIN PICTURES.

A panel whose queries have no data is an error, but for those that show failures of calls and of checks.
"""

import json
import sys
import time
import urllib.parse
import urllib.request
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot

# In a month without failed calls and without certificates that wait these have nothing to show.
MAY_BE_EMPTY = {"Failed calls per minute"}


def series(prometheus, query, begin, end):
    """Returns the time series of a query, as (labels, times, values)."""
    # Rates over five minutes would hide what happens in a month of some minutes.
    given = {"query": query.replace("[5m]", "[15s]"), "start": begin, "end": end, "step": max(1, (end - begin) // 600)}
    with urllib.request.urlopen(f"{prometheus}/api/v1/query_range?{urllib.parse.urlencode(given)}") as answer:
        found = json.load(answer)["data"]["result"]
    for one in found:
        labels = {name: text for name, text in one["metric"].items() if name not in ("__name__", "instance", "job")}
        times, values = zip(*((float(at) - begin, float(value)) for at, value in one["values"]))
        yield ", ".join(labels.values()), times, values


def main():
    dashboard, prometheus, begin, pictures = sys.argv[1], sys.argv[2], int(sys.argv[3]), Path(sys.argv[4])
    end = int(time.time())
    panels = [panel for panel in json.loads(Path(dashboard).read_text())["panels"] if panel.get("targets")]
    figure, axes = pyplot.subplots((len(panels) + 2) // 3, 3, figsize=(18, 3 * ((len(panels) + 2) // 3)))
    empty = []
    for panel, axis in zip(panels, axes.flat):
        drawn = 0
        for target in panel["targets"]:
            for label, times, values in series(prometheus, target["expr"], begin, end):
                axis.plot(times, values, label=label, linewidth=1)
                drawn += 1
        axis.set_title(panel["title"], fontsize=9)
        if 1 < drawn < 12 and axis.get_legend_handles_labels()[1]:
            axis.legend(fontsize=6)
        if not drawn and panel["title"] not in MAY_BE_EMPTY:
            empty.append(panel["title"])
    for axis in list(axes.flat)[len(panels):]:
        axis.remove()
    figure.tight_layout()
    pictures.mkdir(parents=True, exist_ok=True)
    figure.savefig(pictures / "panels.png", dpi=80)
    print(f"{len(panels)} panels drawn in {pictures / 'panels.png'}")
    if empty:
        sys.exit(f"error: no data for: {', '.join(empty)}")


if __name__ == "__main__":
    main()
