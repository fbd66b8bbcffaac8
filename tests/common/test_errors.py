"""Errors of the core: their kinds, the places that they name, and no code that reads their messages."""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import sledsim
from sledsim import _native
from sledsim.common.error_places import add_place, errors_at, without_place

SOURCES = Path(sledsim.__file__).parent


def past_the_end() -> None:
    device = sledsim.device("osdi00")
    sledsim.simulate(device, sledsim.random_workload(sledsim.device("atlas10k"), rate_per_s=10, count=9))


@pytest.mark.parametrize(
    ("call", "kind", "places"),
    [
        (lambda: sledsim.device("osdi0"), _native.UnknownNameError, ()),
        (
            lambda: sledsim.device("osdi00").with_parameters(settle_ms=-1),
            _native.ParameterError,
            ("osdi00", "settle_ms"),
        ),
        (
            lambda: sledsim.device("osdi00").with_parameters(layout="none"),
            _native.UnknownNameError,
            ("osdi00",),
        ),
        (
            lambda: sledsim.device("atlas10k").with_parameters(sparing="none of these"),
            _native.UnknownNameError,
            ("sparing",),
        ),
        (
            lambda: sledsim.volume("raid5:devices=1", device="osdi00"),
            _native.ParameterError,
            ("raid5", "devices"),
        ),
        (past_the_end, _native.PastEndError, ("random:rate=10,count=9,seed=1",)),
    ],
)
def test_an_error_has_a_kind_and_places(
    call: Callable[[], object], kind: type[Exception], places: tuple[str, ...]
) -> None:
    with pytest.raises(kind) as raised:
        call()
    assert type(raised.value) is kind
    assert raised.value.places == places  # type: ignore[attr-defined]
    assert all(place in str(raised.value) for place in places)


def test_files_that_are_no_traces_have_a_kind(tmp_path: Path) -> None:
    for name, content in (("text", b"Dear reader,\n"), ("empty", b""), ("zip", b"PK\x03\x04rest")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(_native.NotATraceError) as raised:
            sledsim.read_trace(tmp_path / name)
        assert raised.value.places == (str(tmp_path / name),)
    (tmp_path / "cut.csv").write_text("time,lbn,size,op\n1,2,x,read\n")
    with pytest.raises(sledsim.TraceError) as found:
        sledsim.read_trace(tmp_path / "cut.csv")
    assert type(found.value) is sledsim.TraceError
    assert found.value.places == (str(tmp_path / "cut.csv"),)


def test_a_place_is_named_once() -> None:
    error = sledsim.ParameterError("x = 3: expected 4")
    for place in ("a.toml", "a.toml", "volume"):
        assert add_place(error, place) is error
    assert str(error) == "volume: a.toml: x = 3: expected 4"
    assert error.places == ("volume", "a.toml") and sledsim.ParameterError.places == ()
    assert without_place(error, "volume") == "a.toml: x = 3: expected 4"
    assert without_place(error, "a.toml") == str(error)
    with pytest.raises(_native.PastEndError, match=r"^b: it ends$"), errors_at("b"):
        raise _native.PastEndError("it ends")


#: Methods that search a text.
LOOKS = {"startswith", "endswith", "find", "index", "count", "removeprefix", "removesuffix", "partition"}
LOOKS |= {"rpartition", "split", "splitlines", "replace"}


def read_messages(source: str) -> Iterator[int]:
    """Return the lines that search the message of an error."""

    def is_message(node: ast.AST) -> bool:
        return (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in {"str", "repr"}
            and isinstance(node.args[0] if node.args else None, ast.Name)
            and node.args[0].id in caught  # type: ignore[attr-defined]
        )

    tree = ast.parse(source)
    caught = {node.name for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler)} | {
        "error",
        "broken",
    }
    for node in (one for one in ast.walk(tree) if isinstance(one, ast.expr)):
        parts: list[ast.AST] = []
        if isinstance(node, ast.Compare):
            parts = [node.left, *node.comparators]
        elif isinstance(node, ast.Attribute) and node.attr in LOOKS:
            parts = [node.value]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            # re.search(pattern, str(error)), and the same methods of a compiled pattern.
            parts = list(node.args) if node.func.attr in {"search", "match", "fullmatch", "findall"} else []
        if any(map(is_message, parts)):
            yield node.lineno


@pytest.mark.parametrize(
    "line",
    [
        "if 'past the end' in str(error): pass",
        "if str(error) == 'so': pass",
        "x = str(error).startswith('a')",
        "x = re.search('a', str(error))",
    ],
)
def test_reading_a_message_is_found(line: str) -> None:
    assert list(read_messages(f"try:\n    pass\nexcept ValueError as error:\n    {line}\n")) == [4]
    assert not list(read_messages("raise ValueError(f'{place}: {error}', str(error))"))


@pytest.mark.dear("every source file is parsed", every_change=True)
def test_no_code_reads_messages() -> None:
    found = {
        f"{path.relative_to(SOURCES)}:{line}": "an error has a kind and places: test these"
        for path in SOURCES.rglob("*.py")
        for line in read_messages(path.read_text(encoding="utf-8"))
    }
    assert found == {}
