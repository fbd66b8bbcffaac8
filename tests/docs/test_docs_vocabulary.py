"""A word of a call or an option has one meaning: the page of the vocabulary states it, with its types."""

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import sledsim
from sledsim import _native
from sledsim.cli.app import app
from sledsim.cli.installed_commands import whole
from sledsim.common.deprecation import going
from sledsim.common.signatures import names_of
from sledsim.moved import NAMES
from sledsim.runs.meanings import DESIGNS, FIGURES, POINTS

from ..public import public_names

PAGE = Path(__file__).parents[2] / "docs/reference/vocabulary.md"
#: Kind of each type in a signature; lists and None do not count.
KINDS = {
    "int": "integer",
    "SupportsIndex": "integer",
    "float": "number",
    "bool": "boolean",
    "str": "text",
    "bytes": "bytes",
    "Any": "any",
    "PathLike": "path",
    "Path": "path",
    "Condition": "condition",
    "Factors": "factors",
    "Callable": "function",
    "Mapping": "mapping",
    "dict": "mapping",
    "type": "class",
    **dict.fromkeys(("Device", "FaultyDevice", "EpisodicDevice", "Volume", "_System"), "device"),
    **dict.fromkeys(("Trace", "TraceStream"), "trace"),
    **dict.fromkeys(("ndarray", "ArrayLike", "NDArray"), "numbers"),
}
_LISTS = ("Sequence", "Iterable", "Collection", "list", "tuple", "Union")
_NUMERIC = {"integer", "number", "numbers"}
#: Pairs of kinds that a word may not have: it would have two meanings.
_THINGS = {"trace", "path", "mapping", "function", "class", "object", "condition", "factors", "boolean"}
#: Words that are still of two kinds: the page names both.
TWO_MEANINGS = {
    "device": "a device, and of each request the number of the traced one, which is a column of traces",
    "which": "a mask of rows, and a slice",
    "spread": "true to spread the tips of a block, and a way to spread the requests of a tick",
}
_ARRAY = re.compile(r"Union\[(?:\w+\.)*_Buffer\b.*?str\](?:, NoneType)?\]|(?:\w+\.)*_typing\.ArrayLike")


def tables_of_keys() -> dict[str, Mapping[str, str | None]]:
    """Return the units of keys and columns by quantity; None in tables without units."""

    def units(names: Iterable[str], options: Callable[[str], Mapping[str, Any]]) -> dict[str, str]:
        return {key: row[1] for name in names for key, row in options(name).items()}

    policies = (*sledsim.schedulers(), *sledsim.listings.scheduler_wrappers())
    # Other tests register devices of their own.
    files = (Path(__file__).parents[2] / "crates/sledsim/devices").glob("*.toml")
    devices = [sledsim.device(path.stem).parameters for path in files]
    return {
        "volume": units(sledsim.volumes(), sledsim.listings.volume_options),
        "workload": units(sledsim.workloads(), sledsim.listings.workload_options),
        "policy": dict.fromkeys(key for name in policies for key in sledsim.listings.scheduler_options(name)),
        "replay": dict.fromkeys(
            key for name in sledsim.listings.replays() for key in sledsim.listings.replay_options(name)
        ),
        "device": dict.fromkeys(key for one in devices for key in one),
        "requests": {row[0]: row[3] for row in _native.result_columns()},
        "designs": dict.fromkeys(DESIGNS),
        "figures": dict.fromkeys(FIGURES),
        "results": dict.fromkeys(POINTS),
    }


def part(begin: str, end: str = "\n\n") -> str:
    """Return the text of the page between two texts."""
    found = PAGE.read_text(encoding="utf-8").partition(begin)[2].partition(end)[0]
    assert found, begin
    return re.sub(r"\n +", " ", found)


def words() -> dict[str, tuple[str, str]]:
    """Return kinds and meaning of each word."""
    rows = re.findall(r"^- `(\w+)` \((.+?)\): (.+)$", part("```python", "\n## "), re.MULTILINE)
    assert len({name for name, *_ in rows}) == len(rows) > 0
    return {name: (kinds, meaning) for name, kinds, meaning in rows}


def _functions() -> Iterator[tuple[str, Any]]:
    """Yield the public functions and methods, and the classes of which users make objects."""
    for name, found in public_names().items():
        if not inspect.isclass(found):
            if callable(found):
                yield name, found
            continue
        if hasattr(
            found.__init__, "__wrapped__"
        ):  # Users make objects of this class: its arguments are checked.
            yield name, found
        for method in dir(found):
            one = inspect.getattr_static(found, method)
            one = getattr(one, "__func__", one)
            if (
                not method.startswith("_")
                and inspect.isfunction(one)
                and one.__module__.startswith("sledsim")
            ):
                yield f"{name}.{method}", one


def _parts(text: str) -> Iterator[str]:
    """Yield the alternatives of a type and the elements of lists, without arguments of other types."""
    depth, begun = 0, 0
    for at, sign in enumerate(f"{text}|"):
        depth += (sign in "[(") - (sign in "])")
        if depth == 0 and sign in "|,":
            one = text[begun:at].strip()
            begun = at + 1
            head, _, within = one.partition("[")
            head = head.rpartition(".")[2].strip("~")
            if head in _LISTS:
                yield from _parts(within.removesuffix("]"))
            elif head not in ("None", "...", ""):
                yield head


def kinds_of(annotation: object) -> set[str]:
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    text = _ARRAY.sub("ArrayLike", text.replace("'", ""))
    return {KINDS.get(name, "object") for name in _parts(text)}


def arguments() -> Mapping[str, dict[str, set[str]]]:
    """Return the kinds of each argument, by the functions that have it."""
    found: dict[str, dict[str, set[str]]] = {}
    for name, function in _functions():
        for word, stated in names_of(function).items():
            if word not in ("self", "cls"):
                found.setdefault(word, {})[name] = kinds_of(stated)
    return found


def _commands(command: Any, words: str = "sledsim") -> Iterator[tuple[str, Any]]:
    inner = getattr(command, "commands", {})
    if not inner:
        yield words, command
    for name, one in inner.items():
        yield from _commands(one, f"{words} {name}")


def options() -> Mapping[str, dict[str, set[str]]]:
    """Return the kinds of each option, by the commands that have it."""
    found: dict[str, dict[str, set[str]]] = {}
    for words, command in _commands(whole(app)):
        for one in command.params:
            for name in (*one.opts, *one.secondary_opts):
                if name.startswith("--") and not one.hidden and one.name != "help":
                    word = name.removeprefix("--").replace("-", "_")
                    found.setdefault(word, {})[words] = kinds_of(one.type_descriptor.annotation)
    return found


WORDS = words()


@pytest.mark.parametrize("used", [arguments, options])
def test_every_word_is_on_the_page_with_what_it_may_be(used: Any) -> None:
    for word, places in used().items():
        assert word in WORDS, f"{word} of {', '.join(places)}: it has no row in {PAGE.name}"
        said = {*WORDS[word][0].split(", ")}
        for place, kinds in places.items():
            assert kinds <= said, f"{word} of {place}: {kinds} is not on {PAGE.name}, which has {said}"


def test_no_word_is_on_the_page_that_is_not_used() -> None:
    used: dict[str, set[str]] = {}
    for one in (arguments(), options()):
        for word, places in one.items():
            used.setdefault(word, set()).update(*places.values())
    assert not WORDS.keys() - used.keys()
    unused = {word: {*row[0].split(", ")} - used[word] for word, row in WORDS.items()}
    assert not {word: kinds for word, kinds in unused.items() if kinds}


def test_a_number_is_not_the_name_of_a_thing() -> None:
    both = {
        word
        for word, row in WORDS.items()
        if {*row[0].split(", ")} & _NUMERIC and {*row[0].split(", ")} & _THINGS
    }
    answers = {word for word, row in WORDS.items() if "boolean" in row[0] and "," in row[0]} - {"progress"}
    assert both | answers == TWO_MEANINGS.keys()


def test_a_key_or_column_with_the_name_of_a_word_is_on_the_page() -> None:
    same = re.findall(r"^- (\w+): (.+)$", part("with the meaning of the word:\n\n"), re.MULTILINE)
    rows = re.findall(r"^- `(.+?)` of (\w+): .+$", part("with another meaning:\n\n"), re.MULTILINE)
    rows += [(key, of) for of, keys in same for key in re.findall(r"`(\w+)`", keys)]
    there = [(key, of) for of, keys in tables_of_keys().items() for key in keys if key in WORDS]
    assert sorted(rows) == sorted(there)


def test_a_key_has_one_unit() -> None:
    found: dict[str, dict[str, str]] = {}
    for of, keys in tables_of_keys().items():
        for key, unit in keys.items():
            if unit is not None:
                found.setdefault(key, {})[of] = unit
    assert not {key: units for key, units in found.items() if len({*units.values()}) > 1}


def test_meanings_stand_alone() -> None:
    assert not [word for word, (_, meaning) in WORDS.items() if not re.fullmatch(r"[A-Z][^|]*\.", meaning)]


def _old(name: str, instead: str) -> tuple[str, str, str]:
    """Return the owner of an old name, that name and the new one."""
    new = instead.removeprefix("is now ") if instead.startswith("is now ") else "not needed"
    if option := re.fullmatch(r"(--\S+) of '(.+)'", name):
        return option[2], option[1], new if new == "not needed" else new.split()[0]
    if key := re.fullmatch(r"(\w+) in the (.+)", name):
        return key[2], key[1], new
    owner, old = re.fullmatch(r"(.+?)[.(](\w+)(?:=\.\.\.\))?", name).groups()  # type: ignore[union-attr]
    return owner, old, new.removeprefix(owner).strip(".(").removesuffix("=...)")


def test_old_names_are_on_the_page() -> None:
    commands = re.findall(r"`([\w-]+)`", part("now `sledsim list KIND`:\n\n"))
    kinds = {f"'sledsim {kind}'": f"is now 'sledsim list {kind}'" for kind in commands}
    others = {name: old.instead for name, old in going().items() if name not in kinds}
    assert kinds == {name: old.instead for name, old in going().items() if name in kinds}
    rows = re.findall(r"^- (.+?): (.+)$", part("options and keys:\n\n"), re.MULTILINE)
    listed = {
        (owner.strip("`"), *change.replace("`", "").split(" → "))
        for owner, changes in rows
        for change in changes.split(", ")
    }
    assert listed == {_old(name, instead) for name, instead in others.items()}
    lists = re.findall(r"^- `(sledsim\.\w+)`: (.+)$", part("into a module:\n\n"), re.MULTILINE)
    moved: dict[str, set[str]] = {}
    for name, module in NAMES.items():
        moved.setdefault(f"sledsim.{module}", set()).add(name)
    assert {of: {*re.findall(r"`(\w+)`", names)} for of, names in lists} == moved
