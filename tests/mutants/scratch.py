"""A copy of the checkout outside of it, and the tests built there."""

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from .table import CORE

ROOT = Path(__file__).resolve().parents[2]
#: Files that the tests of the crates need; data are only read.
COPIED, LINKED = ("Cargo.toml", "Cargo.lock", "crates"), ("python",)
#: Low optimisation, as building takes longer than running; dependencies of the core are built as usual.
PROFILE = {"opt-level": "1", "debug": "false"}


@contextmanager
def copied(root: Path = ROOT) -> Iterator[Path]:
    """Yield a copy, which is removed afterwards in any case.

    The copy has the same name each time, so that earlier builds are reused.

    Raises:
        SystemExit: If another run works on this checkout.
    """
    name = "sledsim-mutants-" + hashlib.sha256(str(root).encode()).hexdigest()[:12]
    folder = Path(tempfile.gettempdir()) / name
    with folder.with_suffix(".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SystemExit(f"error: mutants of {root} are being run already, in {folder}") from None
        shutil.rmtree(folder, ignore_errors=True)
        try:
            folder.mkdir()
            for part in COPIED:
                source = root / part
                copy = shutil.copytree if source.is_dir() else shutil.copy2
                copy(source, folder / part)
            for part in LINKED:
                (folder / part).symlink_to(root / part)
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            folder.with_suffix(".lock").unlink(missing_ok=True)


def place() -> dict[str, str]:
    """Return the folder of builds: beside that of the checkout, so that dependencies are built already."""
    return {"CARGO_TARGET_DIR": os.environ.get("CARGO_TARGET_DIR", str(ROOT / "target"))}


def words(crates: Sequence[str], targets: Sequence[str]) -> list[str]:
    """Return the words of cargo for these crates and targets, with ``--lib`` once for all crates."""
    libraries = ["--lib"] if any(name.startswith("lib") for name in targets) else []
    others = [name for name in targets if not name.startswith("lib")]
    options = [("--package", crate) for crate in crates] + [("--test", name) for name in others]
    return [*libraries, *(word for option in options for word in option)]


def build(folder: Path, crates: Sequence[str], targets: Sequence[str]) -> dict[str, Path]:
    """Build the programs with the tests of each target.

    ``lib`` is the library of the core, ``lib of CRATE`` that of another crate; others are folders below
    ``tests`` of these crates.

    Raises:
        SystemExit: If they cannot be built.
    """
    profile = [f"--config=profile.test.package.sledsim.{key}={value}" for key, value in PROFILE.items()]
    command = [
        "cargo",
        "test",
        "--no-run",
        "--message-format=json",
        *profile,
        *words(crates, targets),
    ]
    done = subprocess.run(
        command, cwd=folder, env=os.environ | place(), stdout=subprocess.PIPE, text=True, check=False
    )
    messages = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode:
        rendered = (message["message"]["rendered"] for message in messages if "message" in message)
        print("".join(text for text in rendered if text.startswith("error")))
        raise SystemExit("error: the crates with their mutants cannot be built")
    programs = {}
    for message in messages:
        if message["reason"] == "compiler-artifact" and message["executable"] and message["profile"]["test"]:
            target = message["target"]["name"]
            if "lib" in message["target"]["kind"]:
                target = "lib" if target == CORE else f"lib of {target.replace('_', '-')}"
            programs[target] = Path(message["executable"])
    return programs
