"""Old names of modules: they still work, and name the new modules."""

import inspect
import subprocess
import sys
import warnings
from importlib import import_module

import pytest

import sledsim
from sledsim.moved import GONE_IN, IN_ROOMS, MOVED, NAMES, RENAMED, now

pytest.importorskip("altair", reason="sledsim.plots needs an extra: pip install 'sledsim[plot]'")


@pytest.mark.dear("a program is started", every_change="units")
@pytest.mark.parametrize("old", MOVED)
def test_an_old_name_is_the_module_and_warns(old: str) -> None:
    code = f"import sledsim.{old} as old, sys; print(old.__name__, sys.modules['sledsim.{old}'] is old)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [f"sledsim.{MOVED[old]}", "True"]
    assert f"DeprecationWarning: sledsim.{old} is now sledsim.{MOVED[old]}" in done.stderr
    assert "<string>:1" in done.stderr, "the warning names the line of the import"


FUNCTIONS = [old for old in MOVED if old in sledsim.__all__ and inspect.isfunction(getattr(sledsim, old))]


@pytest.mark.dear("a program is started", every_change=True)
@pytest.mark.parametrize("old", FUNCTIONS)
@pytest.mark.parametrize(
    "line",
    ["import sledsim.{0}", "import sledsim.{0} as old", "from sledsim.{0} import Mapping", "sledsim.{0}"],
)
def test_an_old_name_of_a_module_leaves_the_function_of_that_name(old: str, line: str) -> None:
    code = f"""
import inspect, sledsim
home = inspect.signature(getattr(__import__("sledsim.{MOVED[old]}", fromlist=["x"]), "{old}"))
{line.format(old)}
from sledsim import {old}
print(inspect.signature({old}) == inspect.signature(sledsim.{old}) == home, {old} is sledsim.{old})
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "True"]


def test_a_module_that_has_the_old_name_of_a_function_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    function, module = sledsim.trace_statistics, import_module("sledsim.traces.statistics")
    monkeypatch.setattr(module, "__class__", type(sys))
    monkeypatch.setitem(sys.modules, "sledsim.trace_statistics", module)
    monkeypatch.delitem(sys.modules, "sledsim.trace_statistics")
    monkeypatch.setattr(sledsim, "trace_statistics", function)
    with pytest.warns(DeprecationWarning):
        import_module("sledsim.trace_statistics")
    assert vars(sledsim)["trace_statistics"] is module
    trace = sledsim.demo_trace()
    assert sledsim.trace_statistics(trace).summary() == function(trace).summary()


@pytest.mark.dear("a program is started", every_change="units")
@pytest.mark.parametrize("old", [old for old in MOVED if old not in sledsim.__all__])
def test_an_old_name_is_an_attribute_that_warns(old: str) -> None:
    code = f"import sledsim; print(sledsim.{old}.__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [f"sledsim.{MOVED[old]}"]
    assert f"<string>:1: DeprecationWarning: sledsim.{old} is now" in done.stderr


@pytest.mark.parametrize(("room", "name"), [(room, name) for room in IN_ROOMS for name in IN_ROOMS[room]])
def test_a_name_of_a_module_that_is_a_room_now_warns(room: str, name: str) -> None:
    with pytest.warns(DeprecationWarning, match=f"{room}.{name} is now {room}"):
        old = getattr(import_module(room), name)
    public = getattr(sledsim, name, old)
    assert old is (
        inspect.unwrap(public, stop=lambda one: one is old) if inspect.isfunction(public) else public
    )
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = import_module(room).nothing


def test_modules_below_an_old_name_are_loaded_once() -> None:
    with pytest.warns(DeprecationWarning) as found:
        old = import_module("sledsim.design.space")
    said = f"sledsim.design.space is now sledsim.exploration.design.space (gone in sledsim {GONE_IN})"
    assert said in [str(one.message) for one in found]
    assert old is import_module("sledsim.exploration.design.space")
    assert old.__spec__ is not None and old.__spec__.name == "sledsim.exploration.design.space"


@pytest.mark.parametrize("old", RENAMED)
def test_an_old_name_of_a_file_is_the_module_and_warns(old: str) -> None:
    folder, name = (import_module(f"sledsim.{old.rpartition('.')[0]}"), old.rpartition(".")[2])
    assert name not in vars(folder), "the module would take the place of what its package has by this name"
    with pytest.warns(DeprecationWarning, match=rf"sledsim\.{old} is now sledsim\.{RENAMED[old]} \(gone in"):
        found = import_module(f"sledsim.{old}")
    assert found is import_module(f"sledsim.{RENAMED[old]}")
    del sys.modules[f"sledsim.{old}"], vars(folder)[name]


def test_a_new_name_does_not_warn() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for new in (*MOVED.values(), *RENAMED.values()):
            import_module(f"sledsim.{new}")
        for name in sledsim.__all__:
            getattr(sledsim, name)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_moved_to_another_module_warns(name: str) -> None:
    said = rf"sledsim\.{name} is now sledsim\.{NAMES[name]}\.{name} \(gone in sledsim {GONE_IN}\)"
    with pytest.warns(DeprecationWarning, match=said):
        old = getattr(sledsim, name)
    home = import_module(f"sledsim.{NAMES[name]}")
    assert old is getattr(home, name) and name not in dir(sledsim)


FROM = {
    **{f"from sledsim import {name}": 1 for name in ("sweeps", *NAMES)},
    **{f"from {room} import {name}": 1 for room in IN_ROOMS for name in IN_ROOMS[room]},
    "from sledsim import simulate, Trace": 0,
}


@pytest.mark.parametrize(("line", "times"), FROM.items())
def test_an_import_of_an_old_name_warns_once_at_its_line(line: str, times: int) -> None:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        exec(compile(line, "users_line.py", "exec"), {})
    assert [one.filename for one in found] == ["users_line.py"] * times


def test_only_old_names_are_old() -> None:
    assert now("sledsim.runs") is None
    assert now("design") is None
    assert now("other.design") is None
    missing = pytest.raises(ModuleNotFoundError, match=r"sledsim\.exploration\.design\.nothing")
    with pytest.warns(DeprecationWarning), missing:
        import_module("sledsim.design.nothing")
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = sledsim.nothing
