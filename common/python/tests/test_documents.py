"""The examples of the two pages and of the documentation strings give what they show."""

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import misere

HERE = Path(__file__).parent
PAGES = {HERE.parents[2] / "docs" / "python.md": 25, HERE.parent / "README.md": 4}

#: Modules whose examples need files, or Sage, which are not here; `make test-sage` runs the last.
NOT_RUN = {"misere.atlas", "misere.census", "misere.data_package", "misere.sage"}


class Dots(doctest.OutputChecker):
    """Compares printed text, where `…` and `...` match anything."""

    def check_output(self, want, got, optionflags):
        return super().check_output(want.replace("…", "..."), got, optionflags)


def run(test):
    runner = doctest.DocTestRunner(
        Dots(),
        optionflags=doctest.ELLIPSIS
        | doctest.NORMALIZE_WHITESPACE
        | doctest.IGNORE_EXCEPTION_DETAIL,
    )
    said = []
    runner.run(test, out=said.append)
    assert runner.failures == 0, "".join(said)


@pytest.mark.parametrize("page, least", PAGES.items(), ids=[page.name for page in PAGES])
def test_a_page_shows_what_is_printed(page, least, monkeypatch):
    # The end of a block of code is not a part of what is printed.
    text = page.read_text(encoding="utf-8").replace("```", "")
    # The examples of the data packages need these packages.
    text = re.sub(r"<!-- run: never: needs the data packages -->\n\n(    .*\n)+", "", text)
    monkeypatch.chdir(HERE.parent)
    parsed = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    assert len(parsed.examples) > least
    run(parsed)


@pytest.mark.parametrize(
    "name", sorted({"misere", *(f"misere.{m.name}" for m in pkgutil.iter_modules(misere.__path__))})
)
def test_documentation_strings_show_what_is_printed(name):
    if name in NOT_RUN or name.endswith("_misere"):
        return
    module = importlib.import_module(name)
    finder = doctest.DocTestFinder(exclude_empty=True)
    for test in finder.find(module, name):
        # The package's text contains the address of a server.
        test.examples = [example for example in test.examples if "http://" not in example.source]
        run(test)
