"""The examples of the two pages and of the documentation strings give what they show."""

import doctest
import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

import misere
from misere import names

try:
    from numpydoc.validate import validate
except ImportError:
    validate = None

HERE = Path(__file__).parent
PAGES = {HERE.parents[2] / "docs" / "python.md": 25, HERE.parent / "README.md": 4}

#: Modules whose examples need files, or Sage, which are not here; `make test-sage` runs the last.
NOT_RUN = {"misere.atlas", "misere.data_package", "misere.sage"}


#: Faults of numpydoc: a section that it does not know or that is out of place, a parameter without a
#: line, a line for none or out of place.
FAULTS = {"GL06", "GL07", "PR01", "PR02", "PR03"}


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


#: The classes that people make objects of by name.
MADE = ("Census", "Form", "Game", "Quotient")


def public_functions():
    """Returns the public functions of the package, and its classes with their methods."""
    for name in MADE:
        yield f"misere.{name}", getattr(names, name)
    for name in names.__all__:
        public = getattr(names, name)
        if inspect.isfunction(public):
            yield f"misere.{name}", public
        for owner in inspect.getmro(public) if inspect.isclass(public) else ():
            if not owner.__module__.startswith("misere."):
                continue
            for method, value in vars(owner).items():
                function = getattr(value, "__func__", value)
                if not method.startswith("_") and inspect.isfunction(function):
                    yield f"{owner.__module__}.{owner.__qualname__}.{method}", function


def undocumented(path, function):
    """Returns the faults of the sections of a documentation string, as numpydoc names them."""
    parameters = [name for name in inspect.signature(function).parameters if name != "self"]
    faults = validate(path)["errors"]
    return [f"{path}: {code} {said}" for code, said in faults if code in FAULTS and parameters]


@pytest.mark.skipif(validate is None, reason="numpydoc is not installed")
def test_every_parameter_of_a_public_function_is_documented():
    functions = dict(public_functions())
    assert {"misere.verify", "misere.normal_play.NormalPlay.form"} <= set(functions)
    assert [fault for item in sorted(functions.items()) for fault in undocumented(*item)] == []


@pytest.mark.skipif(validate is None, reason="numpydoc is not installed")
def test_a_parameter_without_a_line_is_found(monkeypatch):
    text = misere.verify.__doc__.replace("    fuel, seconds\n", "    fuel\n")
    monkeypatch.setattr(misere.verify, "__doc__", text)
    assert "'seconds'" in "".join(undocumented("misere.verify", misere.verify))
