"""The files of the page in which the simulator runs: no two of them import each other."""

import re
from pathlib import Path

import pytest

from ..circles import circles

LIVE = Path(__file__).resolve().parents[2] / "live"
#: Folders with files of ours; beside them stand what is installed and what is built.
FOLDERS = ("src", "tools")
ENDINGS = (".ts", ".js")
#: The ways to name another file: imports, of types and for their effects, too; exports, and workers.
IMPORT = re.compile(
    r"""\b(?:from|import|require|importScripts|Worker|URL)\s*\(?\s*"""
    r"""(?P<quote>["'`])(?P<path>\.{1,2}/.*?)(?P=quote)"""
)


def files(live: Path) -> list[Path]:
    """Lists the files of the page's code."""
    found = (path for folder in FOLDERS for path in (live / folder).rglob("*"))
    return sorted(path.resolve() for path in found if path.suffix in ENDINGS)


def imported(file: Path, path: str) -> Path:
    """Finds the file that a path in another one means; it may have no ending, or that of what is built."""
    named = (file.parent / path).resolve()
    tried = [named, *(named.with_name(named.name + end) for end in ENDINGS)]
    tried += [named.with_suffix(".ts"), *(named / f"index{end}" for end in ENDINGS)]
    found = next((one for one in tried if one.is_file()), None)
    assert found, f"{file}: imports {path}, which is not there"
    return found


def uses(live: Path) -> dict[Path, set[Path]]:
    """Lists the files, each with those that it imports."""
    return {
        file: {imported(file, match["path"]) for match in IMPORT.finditer(file.read_text(encoding="utf-8"))}
        for file in files(live)
    }


def test_no_two_files_import_each_other() -> None:
    found = uses(LIVE)
    assert {LIVE / "src" / "main.ts", LIVE / "src" / "module.js", LIVE / "tools" / "build.js"} <= found.keys()
    assert LIVE / "src" / "module.js" in found[LIVE / "tools" / "called.js"]
    assert circles(found) == []


@pytest.mark.parametrize(
    "text",
    [
        'import { b } from "./b";',
        "import b from './b';",
        'import { type B } from "./b";',
        'import type { B } from "./b";',
        'import {\n  b,\n  type B,\n} from "./b";',
        'import * as b from "../src/b";',
        'import "./b.js";',
        'export * from "./b.ts";',
        'const b = await import("./b");',
        'const b = await import(\n  "./b"\n);',
        'let b: import("./b").B;',
        'const b = require("./b");',
        'const worker = new Worker("./b.js");',
        'const worker = new Worker(new URL("./b.js", import.meta.url), { type: "module" });',
    ],
)
def test_a_circle_is_found(tmp_path: Path, text: str) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.ts").write_text(f'import {{ x }} from "esbuild";\n{text}\nx(b);\n')
    (tmp_path / "src" / "b.ts").write_text("export const b = 1;\n")
    assert circles(uses(tmp_path)) == []
    (tmp_path / "src" / "b.ts").write_text('import type { A } from "./a";\n')
    assert len(circles(uses(tmp_path))) == 1
