"""The simulator as WebAssembly, which Node runs; what cannot be had is the reason why tests are skipped."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
LIVE = ROOT / "live"
TARGET = "wasm32-unknown-unknown"
#: Seconds that a build may take on a busy machine; a first one has the core to compile.
_BUILD_S = 3600

Calls = list[tuple[Any, ...]]


@pytest.fixture(scope="session")
def node() -> str:
    """Node, which is new enough for modules."""
    found = shutil.which("node")
    if found is None:
        pytest.skip("no Node: install node 18 or newer")
    return found


@pytest.fixture(scope="session")
def profile(request: pytest.FixtureRequest) -> str:
    """The cargo profile of the module: as a page has it, or quick to build where only some tests run."""
    return "quick" if request.config.getoption("--every-change") else "small"


@pytest.fixture(scope="session")
def module(profile: str) -> Path:
    """The module, built."""
    if shutil.which("cargo") is None:
        pytest.skip("no Rust: see https://rustup.rs")
    asked = ["rustc", "--print", "target-libdir", "--target", TARGET]
    there = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    if not there or not Path(there).is_dir():
        pytest.skip(f"no target {TARGET}: rustup target add {TARGET}")
    wanted = ["--package", "sledsim-wasm", "--profile", profile, "--target", TARGET]
    subprocess.run(["cargo", "build", "--quiet", *wanted], cwd=ROOT, check=True, timeout=_BUILD_S)
    return ROOT / "target" / TARGET / profile / "sledsim_wasm.wasm"


@pytest.fixture
def called(node: str, module: Path) -> Callable[[Calls], list[Any]]:
    """Answers to calls of the module, in one Node."""

    def answers(calls: Calls) -> list[Any]:
        done = subprocess.run(
            [node, LIVE / "tools" / "called.js", module],
            input=json.dumps(calls),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        found: list[Any] = json.loads(done.stdout)
        assert len(found) == len(calls)
        return found

    return answers


@pytest.fixture(scope="session")
def page(node: str, module: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page, built."""
    if not (LIVE / "node_modules" / "esbuild").is_dir():
        pytest.skip("no esbuild: npm ci --prefix live")
    made = tmp_path_factory.mktemp("live") / "live.html"
    done = subprocess.run(
        [node, LIVE / "tools" / "build.js", module, made], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return made
