"""The table of mutants, and the crates with all of them in it, each behind a switch."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TABLE = Path(__file__).with_name("table.toml")
#: Crate of a file in the table without a crate.
CORE = "sledsim"
#: Variable with the number of the active mutant; unset without one.
SWITCH = "SLEDSIM_MUTANT"
#: Variable with the file for the numbers of all reached mutants, if no mutant is active.
REACHED = "SLEDSIM_MUTANTS_REACHED"
#: Code that the copy of a crate has in addition.
MODULE = f"""
#[doc(hidden)]
#[allow(missing_docs)]
pub mod mutant {{
    use std::collections::HashSet;
    use std::fs::File;
    use std::io::Write;
    use std::sync::{{Mutex, OnceLock}};

    static ON: OnceLock<u32> = OnceLock::new();
    static REACHED: OnceLock<Option<Mutex<(File, HashSet<u32>)>>> = OnceLock::new();

    #[inline]
    pub fn on(number: u32) -> bool {{
        let given = || std::env::var("{SWITCH}").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
        let on = *ON.get_or_init(given);
        if on == 0 {{
            tell(number);
        }}
        on == number
    }}

    // The file stays open: a test may leave none to open.
    fn tell(number: u32) {{
        let told = REACHED.get_or_init(|| {{
            let path = std::env::var_os("{REACHED}")?;
            let file = File::options().create(true).append(true).open(path).unwrap();
            Some(Mutex::new((file, HashSet::new())))
        }});
        let Some(told) = told else {{ return }};
        let (file, numbers) = &mut *told.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if numbers.insert(number) {{
            file.write_all(format!("{{number}}\n").as_bytes()).unwrap();
        }}
    }}
}}
"""


class MismatchError(Exception):
    """The table and the crates disagree."""


@dataclass(frozen=True)
class Mutant:
    """A fault.

    Attributes:
        number: Number in the order of the table, from 1.
        name: Name of the mutant.
        file: Path below the sources of its crate.
        text: An expression, or statements that end with a semicolon; once in the file.
        mutated: The replacement; empty to remove statements.
        breaks: The fault that results.
        tests: Tests that should notice: names or beginnings of names, by their target.
        is_quick: True if the quick form has it, too.
        crate: The crate of the file.
        at: Position of the text of a drawn mutant, in characters: the text may occur more than once.
    """

    number: int
    name: str
    file: str
    text: str
    mutated: str
    breaks: str
    tests: dict[str, list[str]]
    is_quick: bool
    crate: str = CORE
    at: int = -1

    @property
    def path(self) -> Path:
        """The file, from the root of the checkout."""
        return sources(self.crate) / self.file

    def switched(self) -> str:
        """The two texts, and the switch between them."""
        condition = f"crate::mutant::on({self.number})"
        choice = f"if {condition} {{ {self.mutated} }} else {{ {self.text} }}"
        return choice if self.text.endswith(";") else f"({choice})"


def sources(crate: str) -> Path:
    """The folder with the sources of a crate, from the root of the checkout."""
    return Path("crates", crate, "src")


def read(path: Path = TABLE) -> list[Mutant]:
    """Read all mutants of the table."""
    rows: dict[str, dict[str, Any]] = tomllib.loads(path.read_text())
    return [
        Mutant(
            *(number, name, row["file"], row["text"], row["mutated"], row["breaks"], row["tests"]),
            is_quick=row.get("quick", False),
            crate=row.get("crate", CORE),
        )
        for number, (name, row) in enumerate(rows.items(), 1)
    ]


def switch(source: str, mutants: list[Mutant]) -> str:
    """Return the text of a file with its mutants.

    Raises:
        MismatchError: If a text does not occur exactly once, or overlaps with another mutant's.
    """
    found = [(mutant.at, mutant) for mutant in mutants if mutant.at >= 0]
    for mutant in mutants:
        if mutant.at >= 0:
            continue
        count = source.count(mutant.text)
        if count != 1:
            raise MismatchError(
                f"{mutant.path}: the text of the mutant {mutant.name} is there {count} times, "
                f"expected once:\n    {mutant.text}\n"
                f"If the code has changed, give the mutant its text of now in tests/mutants/{TABLE.name}."
            )
        found.append((source.index(mutant.text), mutant))
    end = len(source)
    for start, mutant in sorted(found, key=lambda place: place[0], reverse=True):
        if start + len(mutant.text) > end:
            raise MismatchError(
                f"{mutant.path}: the text of the mutant {mutant.name} overlaps with another one's"
            )
        source = source[:start] + mutant.switched() + source[start + len(mutant.text) :]
        end = start
    return source


def put(mutants: list[Mutant], root: Path) -> None:
    """Put the mutants of the table into a copy of the checkout."""
    table_changed = max(path.stat().st_mtime for path in (TABLE, Path(__file__)))
    for file in sorted({mutant.path for mutant in mutants}):
        path = root / file
        if not path.is_file():
            raise MismatchError(f"{file}: there is no such file any more, which mutants of the table are in")
        changed = max(path.stat().st_mtime, table_changed)
        text = switch(path.read_text(), [mutant for mutant in mutants if mutant.path == file])
        _write(path, text, changed)
    for crate in sorted({mutant.crate for mutant in mutants}):
        path = root / sources(crate) / "lib.rs"
        _write(path, path.read_text() + MODULE, max(path.stat().st_mtime, table_changed))


def _write(path: Path, text: str, changed: float) -> None:
    """Write a file with the time of its source, so that only changed files are built again."""
    path.write_text(text)
    os.utime(path, (changed, changed))
