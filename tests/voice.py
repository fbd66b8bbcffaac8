"""The voice of the texts: words with which no line begins, and phrases that no text has.

``python -m tests.voice [FILE...]`` prints each line that breaks a rule, with the reason (`test_voice.py`).
``python -m tests.voice -`` does so for the tables of the core and the help of the program alone.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import typer

from sledsim import _native
from sledsim.cli.app import app
from sledsim.cli.installed_commands import whole
from sledsim.model import core_tables
from sledsim.traces import formats

ROOT = Path(__file__).parents[1]
#: Clause words, of which house rules and counts of reviewers speak.
CLAUSE_WORDS = ("What", "Of", "Those", "As", "That", "Whether", "How", "Where", "Which", "So", "From")
#: Pronouns and other words that need a line before.
_OTHER_WORDS = (
    "It They This These Them Its Their He Who Whoever Whose Nobody Nothing None Everything There Such"
    " Both Same Also And Or But Because Since While Until Than When One Only Then Here By In At On For"
    " To With Without Between Under Over Below Above Before After Into Out"
)
FIRST_WORDS = frozenset((*CLAUSE_WORDS, *_OTHER_WORDS.split()))
#: Phrases that no text has, each with better words.
PHRASES = {
    r"so man(?:y|ieth)": "N, a count, the number of",
    r"so (?:much|long|often)(?! as)": "an amount, a duration or a rate by name",
    r"(?:is|are|was|were|be) (?:said|told)": "prints, reports, states",
    r"nobody": "no one thing by name: no user, no request",
    r"whoever": "the one who does it by name: the user, a caller",
    r"of one's own": "the user's, custom",
    # In quotes it is a value of `Fit.how`.
    r"as it is(?![\"`])": "unchanged",
    r"(?:is|are) none": "no, without",
    r"that there (?:is|are)": "existing, available",
    r"so (?:is|are|do|does) (?:the|those|that)": "a sentence with its own subject",
    r"the same of": "a sentence with its own subject",
}
_PHRASE = re.compile(rf"\b(?:{'|'.join(PHRASES)})\b")
#: Files whose texts are held to the phrases.
TEXTS = (
    *(
        "python/*.py",
        "python/*.pyi",
        "python/*.html",
        "python/*.js",
        "crates/*.rs",
        "crates/*.toml",
        "crates/*.md",
    ),
    *(
        "live/src/*",
        "docs/*.md",
        "docs/*.py",
        "examples/*.py",
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
    ),
    *("tests/*.py", "bench/*.py"),
)
#: Files that have these phrases because they are about them.
_ABOUT = {"tests/voice.py", "tests/test_voice.py", "tests/house.py", "tests/test_house.py", "CONTRIBUTING.md"}
#: Words of the subject of a commit, its room among them.
SUBJECT_WORDS = 9
#: Titles of sections whose items are lines of their own, in docstrings.
_SECTIONS = ("Args:", "Attributes:", "Returns:", "Yields:", "Raises:")


class Fault(NamedTuple):
    """A line that breaks a rule.

    Attributes:
        place: File and line, or the table, command or option that has the text.
        reason: The rule and what stands better there.
        text: The line.
    """

    place: str
    reason: str
    text: str


def first_word(text: str) -> str:
    """The first word of a line, without marks; a name in code is none of the words here."""
    found = re.match(r"[\s*(\"']*([A-Za-z]+)(?![\w`.:/])", text)
    return found[1] if found else ""


def _begins(place: str, text: str) -> Iterator[Fault]:
    word = first_word(text)
    if word in FIRST_WORDS or word.capitalize() in CLAUSE_WORDS:
        yield Fault(place, f"begins with {word}: a verb, or a noun with its article", text)


def phrases(place: str, lines: Iterable[str]) -> Iterator[Fault]:
    """The lines with a phrase that no text has."""
    for number, line in enumerate(lines, 1):
        # Names of functions are texts, too.
        name = re.search(r"\b(?:def|fn) (?!is_none)(\w+)", line)
        if found := _PHRASE.search(f"{line} {name[1].replace('_', ' ') if name else ''}"):
            better = next(better for known, better in PHRASES.items() if re.fullmatch(known, found[0]))
            yield Fault(f"{place}:{number}", f'has "{found[0]}": {better}', line.strip())


def _docstring(place: str, start: int, text: str) -> Iterator[Fault]:
    lines = text.split("\n")
    yield from _begins(f"{place}:{start}", lines[0])
    section, indent = "", 0
    for number, line in enumerate(lines, start):
        bare = line.strip()
        if bare in _SECTIONS:
            section, indent = bare, len(line) - len(line.lstrip()) + 4
        elif bare and len(line) - len(line.lstrip()) < indent:
            section = ""
        elif section and bare and len(line) - len(line.lstrip()) == indent:
            named = re.match(r"[*`\w.,\[\] ]+: (.+)", bare)
            said = named[1] if named else bare
            if section in ("Returns:", "Yields:"):
                said = bare
            # An error is raised "if" and "when": other words than those of clauses may begin there.
            if section != "Raises:" or first_word(said) in CLAUSE_WORDS:
                yield from _begins(f"{place}:{number}", said)


def of_python(path: Path) -> Iterator[Fault]:
    """Docstrings and comments of attributes in a file of Python."""
    place, source = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, documented) and (said := ast.get_docstring(node)):
            yield from _docstring(place, node.body[0].lineno, said)
    yield from _blocks(place, source, r"\s*#: ?(.*)")


def of_rust(path: Path) -> Iterator[Fault]:
    """Blocks of documentation in a file of Rust."""
    return _blocks(
        path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"), r"\s*//[/!](?!/) ?(.*)"
    )


def _blocks(place: str, source: str, marked: str) -> Iterator[Fault]:
    """The first lines of blocks of lines that bear a mark."""
    is_within = False
    for number, line in enumerate(source.split("\n"), 1):
        found = re.match(marked, line)
        if found and not is_within:
            yield from _begins(f"{place}:{number}", found[1])
        is_within = found is not None


def of_tables() -> Iterator[Fault]:
    """Descriptions of the tables of the core: rows, options, members, counters, parameters, choices."""
    for kind in _native.tables():
        rows = formats.built_in() if kind == "formats" else core_tables.rows(kind)
        for row in rows.values():
            place = f"table {kind}: {row.name}"
            said = [("", row.summary)]
            said += [(f" option {one.name}", one.meaning) for one in row.options]
            said += [(f" member {name}", meaning) for name, _, meaning in row.members]
            said += [(f" counter {name}", meaning) for name, meaning in row.counters.items()]
            said += [(f" parameter {one[0]}", one[3]) for one in row.parameters]
            said += [(f" characteristic {name}", meaning) for name, meaning in row.characteristics.items()]
            said += [
                (f" {key} = {name}", meaning)
                for key, names in row.choices.items()
                for name, meaning in names.items()
            ]
            for what, text in said:
                yield from _begins(place + what, text)


def of_program() -> Iterator[Fault]:
    """Help texts of the program: commands, arguments and options."""
    todo: list[tuple[str, Any]] = [("sledsim", whole(app))]
    while todo:
        words, command = todo.pop()
        todo += [(f"{words} {name}", one) for name, one in getattr(command, "commands", {}).items()]
        if command.hidden:
            continue
        yield from _begins(words, command.help or "")
        for one in command.get_params(typer.Context(command)):
            yield from _begins(f"{words} {one.opts[0]}", getattr(one, "help", None) or "")


def of_subject(subject: str) -> Iterator[Fault]:
    """The subject of a commit: a room, a verb and an object, in a few words."""
    if not (found := re.fullmatch(r"[a-z][a-z ,-]*: ([a-z].*[^.])", subject)):
        yield Fault("subject", "not as `room: verb object`", subject)
        return
    if (count := len(subject.split())) > SUBJECT_WORDS:
        yield Fault("subject", f"{count} words: at most {SUBJECT_WORDS}", subject)
    yield from _begins("subject", found[1])
    yield from phrases("subject", [subject])


def _listed(*patterns: str) -> list[Path]:
    made = ("git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns)
    listed = subprocess.run(made, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [path for name in listed.split("\n") if name and (path := ROOT / name).is_file()]


def of_file(path: Path) -> Iterator[Fault]:
    """All that is wrong in one file."""
    name = path.relative_to(ROOT).as_posix()
    if name in _ABOUT:
        return
    if path.suffix == ".py":
        yield from of_python(path)
    elif path.suffix == ".rs":
        yield from of_rust(path)
    yield from phrases(name, path.read_text(encoding="utf-8").split("\n"))


def rooms() -> dict[str, list[Path]]:
    """The files that are held to the voice, by the folder at the top."""
    found: dict[str, list[Path]] = {}
    for path in _listed(*TEXTS):
        found.setdefault(path.relative_to(ROOT).parts[0], []).append(path)
    return found


def main() -> None:
    """Print every line that breaks a rule: in all files, in the named ones, or with ``-`` in none."""
    named = [Path(name).resolve() for name in sys.argv[1:] if name != "-"]
    held = _listed(*TEXTS)
    files = [one for one in held if any(path in (one, *one.parents) for path in named)]
    if len(sys.argv) == 1:
        files = held
    found = [fault for path in files for fault in of_file(path)]
    if not named:
        found += [*of_tables(), *of_program()]
    for fault in found:
        print(f"{fault.place}: {fault.reason}\n    {fault.text}")
    print(f"{len(found)} lines")


if __name__ == "__main__":
    main()
