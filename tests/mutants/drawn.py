"""Mutants that are drawn at random from the sources, so that no author chooses the faults to be found.

A seed selects them: places of an operator, a whole number, a condition or a call, each equally likely.
A mutant that does not compile is left out, and the next one takes its place.
"""

import json
import os
import random
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from .table import CORE, MODULE, Mutant, sources, switch

#: Replacements of each operator.
ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "/"}
COMPARISON = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
LOGIC = {"&&": "||", "||": "&&"}
ASSIGNMENT = {"+=": "-=", "-=": "+=", "*=": "/=", "/=": "*="}
KINDS = {
    **dict.fromkeys(ARITHMETIC, "arithmetic"),
    **dict.fromkeys(COMPARISON, "comparison"),
    **dict.fromkeys(LOGIC, "logic"),
    **dict.fromkeys(ASSIGNMENT, "arithmetic"),
}
OPERATORS = {**ARITHMETIC, **COMPARISON, **LOGIC, **ASSIGNMENT}
#: A whole number in Rust, with or without its type.
WHOLE = re.compile(r"(\d[\d_]*?)((?:_?[iu](?:8|16|32|64|128|size))?)")
#: Nodes of a syntax tree that are not mutated: tests, constants, patterns and types.
LEFT_OUT = re.compile(r"(const_item|static_item|macro_\w+|attribute_item|\w*pattern|\w*type\w*|enum_item)$")
#: Targets whose tests should notice a mutant, by its crate.
CONCERNED: Mapping[str, Sequence[str]] = {
    CORE: ("lib", "simulation", "volumes", "disks", "trace_readers", "trace_statistics"),
    "sledsim-emulator": (
        *("lib of sledsim-emulator", "nbd", "store", "history", "emulator", "server", "crash"),
        "descriptors",
    ),
}


def room(mutant: Mutant) -> str:
    """Return the part of the sources with a mutant, for which a rate is printed."""
    first = mutant.file.partition("/")[0].removesuffix(".rs")
    return first if mutant.crate == CORE else f"emulator: {first}"


def files(root: Path, names: Sequence[str] = ()) -> Iterator[tuple[str, str]]:
    """Yield crates and files from which mutants are drawn: all, or those with a given name in the path."""
    for crate in CONCERNED:
        for path in sorted((root / sources(crate)).rglob("*.rs")):
            file = str(path.relative_to(root / sources(crate)))
            is_test = "tests" in path.parts or path.stem in ("tests", "support")
            if not is_test and (not names or any(name in f"{crate}/{file}" for name in names)):
                yield crate, file


def draw(root: Path, seed: int, names: Sequence[str] = ()) -> list[Mutant]:
    """Return all possible mutants in the order of a seed; of overlapping ones, the first."""
    found = [one for crate, file in files(root, names) for one in mutants_of(root, crate, file)]
    random.Random(seed).shuffle(found)
    kept: dict[Path, list[Mutant]] = {}
    for one in found:
        own = kept.setdefault(one.path, [])
        if all(_end(one) <= other.at or _end(other) <= one.at for other in own):
            own.append(one)
    order = {id(one): place for place, one in enumerate(found)}
    chosen = sorted((one for own in kept.values() for one in own), key=lambda one: order[id(one)])
    return [_numbered(one, number) for number, one in enumerate(chosen, 1)]


def mutants_of(root: Path, crate: str, file: str) -> Iterator[Mutant]:
    """Return every mutant of a file, in the order of their places."""
    text = (root / sources(crate) / file).read_bytes()
    tests: dict[str, list[str]] = {target: [] for target in CONCERNED[crate]}
    for node, kind, mutated in _places(_tree(text)):
        line = node.start_point[0] + 1
        original = text[node.start_byte : node.end_byte].decode()
        yield Mutant(
            *(0, f"{file}:{line}", file, original, mutated, kind, tests),
            is_quick=False,
            crate=crate,
            at=len(text[: node.start_byte].decode()),
        )


def rates(all_of_them: Sequence[Mutant], survivors: Sequence[Mutant]) -> list[tuple[str, int, int]]:
    """Return rooms, each with its number of mutants and the number of killed ones."""
    rooms = sorted({room(one) for one in all_of_them})
    alive = [room(one) for one in survivors]
    counts = {name: sum(room(one) == name for one in all_of_them) for name in rooms}
    return [(name, counts[name], counts[name] - alive.count(name)) for name in rooms]


def compiled(
    drawn: Sequence[Mutant], count: int, folder: Path, root: Path, place: Mapping[str, str]
) -> list[Mutant]:
    """Return the first N that compile together, which are in the copy afterwards.

    Raises:
        SystemExit: If another part does not compile, or fewer than N can be drawn.
    """
    left = iter(drawn)
    chosen = [one for one, _ in zip(left, range(count), strict=False)]
    while True:
        if len(chosen) < count:
            raise SystemExit(
                f"error: expected at most {len(chosen)} mutants, found {count}: there are no more"
            )
        ranges = _put(chosen, folder, root)
        wrong = {one.number for one in _refused(folder, ranges, place)}
        if not wrong:
            return chosen
        for path in {one.path for one in chosen}:
            (folder / path).write_bytes((root / path).read_bytes())
        chosen = [one for one in chosen if one.number not in wrong]
        chosen += [one for one, _ in zip(left, range(count - len(chosen)), strict=False)]


#: Place of a mutant in its file as built, in bytes.
_Ranges = Mapping[Path, Sequence[tuple[int, int, Mutant]]]


def _put(mutants: Sequence[Mutant], folder: Path, root: Path) -> _Ranges:
    """Put mutants into a copy of the checkout, and return their places."""
    ranges: dict[Path, list[tuple[int, int, Mutant]]] = {}
    for path in {one.path for one in mutants}:
        own = sorted((one for one in mutants if one.path == path), key=lambda one: one.at)
        text = (root / path).read_text()
        (folder / path).write_text(switch(text, own))
        longer = 0
        for one in own:
            start = len(text[: one.at].encode()) + longer
            size = len(one.switched().encode())
            ranges.setdefault(path, []).append((start, start + size, one))
            longer += size - len(one.text.encode())
    for crate in {one.crate for one in mutants}:
        library = sources(crate) / "lib.rs"
        text = (folder / library if library in ranges else root / library).read_text()
        (folder / library).write_text(text + MODULE)
    return ranges


def _refused(folder: Path, ranges: _Ranges, place: Mapping[str, str]) -> list[Mutant]:
    """Return the mutants in which the compiler's errors lie."""
    crates = sorted({one.crate for rows in ranges.values() for _, _, one in rows})
    command = ["cargo", "check", "--message-format=json", *(f"--package={crate}" for crate in crates)]
    done = subprocess.run(
        command, cwd=folder, env=os.environ | place, capture_output=True, text=True, check=False
    )
    if done.returncode == 0:
        return []
    messages = [json.loads(line) for line in done.stdout.splitlines()]
    errors = [one["message"] for one in messages if "message" in one and one["message"]["level"] == "error"]
    spans = [span for error in errors for span in error["spans"]]
    wrong = [
        one
        for span in spans
        for start, end, one in ranges.get(Path(span["file_name"]), ())
        if start < span["byte_end"] and span["byte_start"] < end
    ]
    if not wrong:
        raise SystemExit("".join(error["rendered"] for error in errors) or done.stderr)
    return wrong


def _numbered(one: Mutant, number: int) -> Mutant:
    return replace(one, number=number)


def _end(one: Mutant) -> int:
    return one.at + len(one.text)


def _tree(text: bytes) -> Any:
    try:
        import tree_sitter_rust
        from tree_sitter import Language, Parser
    except ImportError:
        raise SystemExit(
            "error: drawn mutants need tree-sitter: pip install tree-sitter-rust tree-sitter"
        ) from None
    return Parser(Language(tree_sitter_rust.language())).parse(text).root_node


def _places(node: Any, inside: bool = False) -> Iterator[tuple[Any, str, str]]:
    """Yield the places of a syntax tree that can be mutated, each with its kind and the new text."""
    if LEFT_OUT.match(node.type) or _is_for_tests(node):
        return
    if node.type == "function_item":
        modifiers = [one.text for one in node.children if one.type == "function_modifiers"]
        inside = not any(b"const" in one for one in modifiers)
    if inside:
        yield from _mutations(node)
    for child in node.children:
        yield from _places(child, inside)


def _is_for_tests(node: Any) -> bool:
    before = node.prev_sibling
    while before is not None and before.type == "attribute_item":
        if b"test" in before.text:
            return True
        before = before.prev_sibling
    return False


def _mutations(node: Any) -> Iterator[tuple[Any, str, str]]:
    if node.type in ("binary_expression", "compound_assignment_expr"):
        operator = node.child_by_field_name("operator")
        sign = operator.text.decode()
        if sign in OPERATORS:
            left, right = (node.child_by_field_name(side).text.decode() for side in ("left", "right"))
            yield node, KINDS[sign], f"{left} {OPERATORS[sign]} {right}"
    elif node.type == "integer_literal" and node.parent.type != "field_expression":
        if found := WHOLE.fullmatch(node.text.decode()):
            yield node, "off by one", f"{int(found[1].replace('_', '')) + 1}{found[2]}"
    elif node.type == "if_expression":
        condition = node.child_by_field_name("condition")
        if not condition.type.startswith("let_"):
            yield condition, "swapped branches", f"!({condition.text.decode()})"
    elif node.type == "expression_statement" and node.children[0].type == "call_expression":
        yield node, "dropped call", ""
