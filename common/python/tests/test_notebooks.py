"""The notebooks run, and print the output that they show.

`MISERE_REFRESH_DOCUMENTS=1` writes the current output into them.
"""

import os
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

NOTEBOOKS = sorted(Path(__file__).parent.parent.glob("notebooks/*.ipynb"))


def shown(notebook):
    """Returns the output of each cell as text; the kernel may send it in several pieces."""
    return [
        "".join(
            output.get("text") or output["data"].get("text/plain", "") for output in cell["outputs"]
        )
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


def test_there_are_eight():
    assert len(NOTEBOOKS) == 8


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_print_what_they_show(path):
    notebook = nbformat.read(path, as_version=4)
    before = shown(notebook)
    resources = {"metadata": {"path": str(path.parent)}}
    client = nbclient.NotebookClient(
        notebook, timeout=900, kernel_name="python3", resources=resources
    )
    client.execute()
    if os.environ.get("MISERE_REFRESH_DOCUMENTS"):
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.metadata = {}
                # Pictures are drawn again when a notebook is opened.
                for output in cell.outputs:
                    if "data" in output:
                        output.data = {"text/plain": output.data["text/plain"]}
        notebook.metadata = {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        }
        nbformat.write(notebook, path)
    else:
        assert shown(notebook) == before
