"""The voice of the texts is linted: `voice.py` names each fault and its place."""

import subprocess
import sys
from collections.abc import Iterable

import pytest

from .voice import ROOT, Fault, first_word, of_file, of_subject, phrases, rooms

#: The last commit whose subject is not held to the rules of CONTRIBUTING.md.
BEFORE = "88f61056"


def _none_of(faults: Iterable[Fault]) -> None:
    found = [f"{one.place}: {one.reason}\n    {one.text}" for one in faults]
    assert not found, "\n".join(found)


@pytest.mark.dear("every source file is parsed", every_change=True)
@pytest.mark.parametrize("room", sorted(rooms()))
def test_texts_of_files_keep_the_voice(room: str) -> None:
    _none_of(fault for path in rooms()[room] for fault in of_file(path))


@pytest.mark.dear("a process of its own", every_change=True)
def test_tables_of_the_core_and_help_keep_the_voice() -> None:
    # In a process of its own: other tests register policies and devices, which stay.
    asked = [sys.executable, "-m", "tests.voice", "-"]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "0 lines\n", done.stdout


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("What moves", "What"),
        ("**Of** them", "Of"),
        ("(As there", "As"),
        ("`what` is it", ""),
        ("of.py has", ""),
        ("Which: one", ""),
        ("", ""),
    ],
)
def test_the_first_word_is_found(line: str, word: str) -> None:
    assert first_word(line) == word


def test_phrases_are_found_in_names_and_across_cases() -> None:
    lines = [
        "a so many b",
        "for as long as it is",
        "def test_nobody_waits():",
        "so long as",
        "x is None",
        "plain",
    ]
    assert [fault.place for fault in phrases("f", lines)] == ["f:1", "f:2", "f:3"]


def test_subjects_of_commits_keep_the_voice() -> None:
    asked = ("git", "log", "--no-merges", "--format=%s", f"{BEFORE}..")
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no history back to {BEFORE}")
    _none_of(fault for subject in done.stdout.splitlines() for fault in of_subject(subject))


@pytest.mark.parametrize(
    ("subject", "reason"),
    [
        ("docs: shorten the page on faults", ""),
        ("Shorten the page on faults", "room: verb object"),
        ("docs: The page on faults", "room: verb object"),
        ("docs: what faults are", "begins with what"),
        ("docs: shorten the page on faults and the one on serving drives", "12 words"),
        ("docs: shorten so many pages", 'has "so many"'),
        ("docs: shorten the page.", "room: verb object"),
    ],
)
def test_subjects_are_read(subject: str, reason: str) -> None:
    found = [*of_subject(subject)]
    assert len(found) == bool(reason)
    assert all(reason in fault.reason for fault in found)
