"""Notebooks, executed as a user opens them: in a separate kernel, without the user's settings."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

#: Code of a separate process, so that Jupyter leaves no warnings and no state in the process of the tests.
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
#: Folders in which Jupyter and IPython look for settings and keep files.
_FOLDERS = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")


def executed(path: Path, folder: Path) -> Any:
    """Return the notebook with its outputs; a failing cell fails the test.

    Args:
        path: The notebook.
        folder: The working folder of its cells.
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
    """Write a notebook with these cells."""
    nbformat = pytest.importorskip("nbformat", reason="notebooks need nbformat: pip install 'sledsim[test]'")
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    path = folder / "made.ipynb"
    nbformat.write(made, path)
    return path
