"""The notebooks of `examples/notebooks` run from top to bottom; their output is small and works offline."""

import re
from pathlib import Path
from typing import Any

import html5lib
import pytest

from ..notebook import executed

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
#: Largest output of a cell: of texts and forms, and of pictures with their scripts.
TEXT_BYTES, PICTURE_BYTES = 30_000, 2_000_000
PICTURES = ("image/svg+xml", "image/png")


def test_all_notebooks_are_here() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["design-a-device", "first-run", "own-policy"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_outputs(path: Path) -> None:
    nbformat: Any = pytest.importorskip("nbformat", reason="pip install 'sledsim[test]'")
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code and all(not cell.outputs and cell.execution_count is None for cell in code)
    links = [link for cell in notebook.cells for link in re.findall(r"\]\(([^)#]+)", cell.source)]
    assert all((path.parent / link).exists() for link in links), links


@pytest.mark.dear("a notebook runs from top to bottom", every_change="own-policy")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_little(path: Path, tmp_path: Path) -> None:
    pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")
    outputs = [
        output
        for cell in executed(path, tmp_path).cells
        if cell.cell_type == "code"
        for output in cell.outputs
    ]
    shown = [output.data for output in outputs if "data" in output]
    charts = [data for data in shown if any("vegalite" in kind for kind in data)]
    assert len(charts) >= 1
    for data in charts:
        assert any(kind in data for kind in PICTURES), "nothing is seen without a network"
    for data in shown:
        pictures = {kind: value for kind, value in data.items() if kind in PICTURES or "vegalite" in kind}
        texts = {kind: value for kind, value in data.items() if kind not in pictures}
        assert len(str(texts)) <= TEXT_BYTES and len(str(pictures)) <= PICTURE_BYTES
        html5lib.HTMLParser(strict=True).parseFragment(texts.get("text/html", ""))
        assert "<script" not in texts.get("text/html", "") and "http" not in texts.get("text/html", "")
    # Unrequested progress bars and warnings of programs come to stderr.
    said = [output.text for output in outputs if output.output_type == "stream" and output.name == "stderr"]
    assert not any("Warning" in text for text in said), said
