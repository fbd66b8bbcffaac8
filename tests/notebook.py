"""Notebooks, executed as by somebody who opens them: in a kernel of its own, without the user's settings."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

#: In a process of its own, so that nothing of Jupyter's warns or stays in that of the tests.
_EXECUTE = """
import sys
import nbformat
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

source, target = sys.argv[1:]
notebook = nbformat.read(source, as_version=4)
# Sockets of the folder in which both processes are: ports could be taken by others.
kernel = AsyncKernelManager(kernel_name="python3", transport="ipc")
NotebookClient(notebook, timeout=300, km=kernel).execute()
nbformat.write(notebook, target)
"""
#: Where Jupyter and IPython look for settings, and keep what they need.
_FOLDERS = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")


def executed(path: Path, folder: Path) -> Any:
    """The notebook with its outputs; a cell that fails fails the test.

    Args:
        path: The notebook.
        folder: In which it is executed.
    """
    for name in ("nbclient", "nbformat", "ipykernel"):
        pytest.importorskip(name, reason=f"notebooks need {name}: pip install 'sledsim[test]'")
    import nbformat

    target = folder / "executed.ipynb"
    with tempfile.TemporaryDirectory() as own:
        settings = dict.fromkeys(_FOLDERS, own)
        done = subprocess.run(
            [sys.executable, "-c", _EXECUTE, path, target],
            cwd=folder,
            env={**os.environ, **settings},
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
    assert done.returncode == 0, done.stderr
    return nbformat.read(target, as_version=4)


def of_cells(folder: Path, *cells: str) -> Path:
    """A notebook of these cells, as a file."""
    nbformat = pytest.importorskip("nbformat", reason="notebooks need nbformat: pip install 'sledsim[test]'")
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    path = folder / "made.ipynb"
    nbformat.write(made, path)
    return path
