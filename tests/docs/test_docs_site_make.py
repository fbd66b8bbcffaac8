"""`make site` with and without the tools of the live sled, which is left out with a message."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .test_docs_links import ROOT

needs_make = pytest.mark.skipif(shutil.which("make") is None, reason="not installed: make")


def stands_for(folder: Path, name: str, text: str) -> None:
    """Write a program of that name that runs a shell script."""
    (folder / name).write_text(f"#!/bin/sh\n{text}\n")
    (folder / name).chmod(0o755)


def asked_of_make(folder: Path, *, node: bool, target: bool) -> list[str]:
    """Return the steps of `make site`, with or without Node and the target."""
    programs, libraries = folder / "programs", folder / "libraries"
    programs.mkdir()
    for name in ("awk", "bash", "find", "make", "sh", "test", "touch"):
        if found := shutil.which(name):
            (programs / name).symlink_to(found)
    if target:
        libraries.mkdir()
    stands_for(programs, "rustc", f'echo "{libraries}"')
    if node:
        stands_for(programs, "npm", "true")
    done = subprocess.run(
        ["make", "-n", "site"],
        cwd=ROOT,
        env={"PATH": str(programs)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


@pytest.mark.dear("a part of the site is built", every_change=True)
@needs_make
@pytest.mark.parametrize(("node", "target"), [(True, True), (False, True), (True, False), (False, False)])
def test_the_live_sled_is_made_only_where_it_can_be(tmp_path: Path, node: bool, target: bool) -> None:
    lines = asked_of_make(tmp_path, node=node, target=target)
    live = [line for line in lines if "sledsim-wasm" in line or "npm" in line or line.startswith("node ")]
    assert bool(live) == (node and target)
    assert lines[-1].endswith("-m docs.site --live live/dist/live.html"), "the site is made in any case"


@pytest.mark.dear("a part of the site is built")
def test_the_build_says_what_is_missing(tmp_path: Path) -> None:
    """The build names the package to install if Sphinx is missing, and leaves nothing behind."""
    blocked = (
        "import sys; sys.modules.update(sphinx=None, furo=None); from docs.site.__main__ import main; main()"
    )
    words = [sys.executable, "-c", f"{blocked.removesuffix('main()')}sys.exit(main())"]
    away = {"PYTHONPATH": os.pathsep.join([str(ROOT / "python"), str(ROOT)])}
    done = subprocess.run(
        [*words, "--out", str(tmp_path / "site"), "--work", str(tmp_path / "work")],
        capture_output=True,
        text=True,
        env={**os.environ, **away},
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 1
    assert not (tmp_path / "site").exists() and not (tmp_path / "work").exists()
    assert "missing: pip install" in done.stderr
