"""Progress bars: when one is shown, its unit, and its removal."""

import inspect
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sledsim
from sledsim import studies
from sledsim.common import progress
from sledsim.common.progress import Progress, told, watched

from ..notebook import executed, of_cells
from ..public import public_names
from .shown import OVER, trace

#: Streams that are read in parts after the function has returned.
LAZY = {sledsim.open_trace}


class Screen:
    """A bar that records what is drawn."""

    def __init__(self) -> None:
        self.titles: list[str] = []
        self.totals: list[float | None] = []
        self.done: list[int] = []
        self.closed = 0

    def draw(self, title: str, total: float | None) -> "Screen":
        self.titles.append(title)
        self.totals.append(total)
        return self

    def show(self, done: int) -> None:
        self.done.append(done)

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Screen:
    made = Screen()
    monkeypatch.setattr(progress, "_drawn", made.draw)
    return made


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "in_notebook", lambda: True)
    monkeypatch.setattr(progress, "_PATIENCE_S", 0.0)


@watched
def work(times: int, progress: Progress = None, *, error: bool = False) -> list[int]:
    """Count, and do other work in between."""
    tell = told(progress, times)
    done = []
    for one in range(times):
        inner(one)
        done.append(one)
        if tell:
            tell(one + 1)
    if error:
        raise KeyboardInterrupt
    return done


@watched
def inner(number: int, *, progress: Progress = None) -> None:
    tell = told(progress, 1)
    if tell:
        tell(number)


#: A quick call of every public function with an argument `progress`.
CALLS: dict[Callable[..., Any], Callable[[Progress, Path], Any]] = {
    sledsim.simulate: lambda told, _: sledsim.simulate(device(), trace("t"), progress=told),
    sledsim.compare: lambda told, _: sledsim.compare(device(), trace("t"), "fcfs", progress=told),
    sledsim.response_curves: lambda told, _: sledsim.response_curves(
        device(), "fcfs", [100], count=200, progress=told
    ),
    sledsim.trace_curves: lambda told, _: sledsim.trace_curves(
        device(), trace("t"), "fcfs", [1], progress=told
    ),
    sledsim.validate: lambda told, _: sledsim.validate(device(), trace("t"), progress=told),
    sledsim.replay_extremes: lambda told, _: sledsim.replay_extremes(
        device(), trace("t"), sledsim.simulate(device(), trace("t"), replay="think"), progress=told
    ),
    sledsim.schedule_bounds: lambda told, _: sledsim.schedule_bounds(device(), trace("t", 30), progress=told),
    sledsim.format_space: lambda told, _: sledsim.format_space(
        trace("t"), probes=[2048], sectors=[1], sector_bytes=[4096], progress=told
    ),
    sledsim.sweep: lambda told, folder: sledsim.sweep(trace("t"), folder=folder, over=OVER, progress=told),
    sledsim.holds: lambda told, _: sledsim.holds("mean < 1", trace("t"), over=OVER, samples=4, progress=told),
    sledsim.sensitivity: lambda told, _: sledsim.sensitivity(
        trace("t"), over=OVER, samples=64, progress=told
    ),
    sledsim.optimise: lambda told, _: sledsim.optimise(
        trace("t"), over=OVER, minimise="mean", budget=4, progress=told
    ),
    sledsim.random_workload: lambda told, _: sledsim.random_workload(
        device(), rate_per_s=10, count=1_000, progress=told
    ),
    sledsim.trace_statistics: lambda told, _: sledsim.trace_statistics(trace("t"), progress=told),
    sledsim.fit_workload: lambda told, _: sledsim.fit_workload(trace("t"), progress=told),
    sledsim.read_trace: lambda told, folder: sledsim.read_trace(written(folder), progress=told),
    studies.run: lambda told, _: studies.run("sensitivity-frequency", device(), count=100, progress=told),
}


def device() -> sledsim.Device:
    return sledsim.device("osdi00")


def written(folder: Path) -> Path:
    path = folder / "t.disksim"
    sledsim.write_trace(sledsim.random_workload(device(), rate_per_s=10, count=1_000), path)
    return path


def test_every_function_with_progress_is_tried() -> None:
    public = [*public_names().values(), studies.run]
    telling = {
        one for one in public if inspect.isfunction(one) and "progress" in inspect.signature(one).parameters
    }
    assert telling == {*CALLS, *LAZY}


@pytest.mark.dear("every kind of result is made", cases=("optimise", "schedule_bounds", "sensitivity"))
@pytest.mark.parametrize("function", CALLS, ids=lambda function: function.__name__)
def test_every_function_shows_a_bar_where_it_is_asked_to(
    function: Callable[..., Any], screen: Screen, tmp_path: Path
) -> None:
    CALLS[function](True, tmp_path)
    assert len(screen.titles) == 1 and screen.closed == 1
    (total,) = screen.totals
    assert total is not None and total > 0 and max(screen.done) <= total
    assert screen.done == sorted(screen.done)


def test_a_library_is_silent(screen: Screen) -> None:
    assert work(3) == work(3, None) == work(3, False) == [0, 1, 2]
    assert screen.titles == []
    told_so_far: list[int] = []
    work(3, told_so_far.append)
    assert told_so_far == [1, 2, 3] and screen.titles == []


def test_a_bar_is_shown_where_it_is_asked_for(screen: Screen) -> None:
    work(3, True)
    work(2, progress=True)
    assert (screen.titles, screen.totals) == (["work", "work"], [3, 2])
    assert (screen.done, screen.closed) == ([0, 1, 2, 3, 0, 1, 2], 2)


def test_a_bar_is_taken_away_after_an_error(screen: Screen, notebook: None) -> None:
    with pytest.raises(KeyboardInterrupt):
        work(2, True, error=True)
    assert screen.closed == 1
    inner(1)
    assert screen.titles == ["work", "inner"], "what was begun before has ended"


def test_a_notebook_shows_one_bar_of_what_takes_long(screen: Screen, notebook: None) -> None:
    work(3)
    assert (screen.titles, screen.closed) == (["work"], 1)
    work(3, False)
    work(3, lambda done: None)
    assert screen.titles == ["work"], "what is within it shows none, either"


def test_a_notebook_shows_nothing_of_what_is_quick(
    screen: Screen, notebook: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_PATIENCE_S", 3600.0)
    work(3)
    assert screen.titles == []


def test_work_of_other_threads_belongs_to_the_bar(screen: Screen, notebook: None) -> None:
    @watched
    def outer(*, progress: Progress = None) -> None:
        tell = told(progress, 4)
        assert tell
        threads = [threading.Thread(target=lambda at=at: (inner(at), tell(at))) for at in range(1, 5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    outer()
    assert screen.titles == ["outer"] and sorted(screen.done) == [0, 1, 2, 3, 4]


def test_what_is_no_function_is_refused() -> None:
    with pytest.raises(
        sledsim.ParameterError, match=r"^progress: expected a function, True, False or None, found 3$"
    ):
        work(1, 3)  # type: ignore[arg-type]


def test_names_and_signatures_stay() -> None:
    assert sledsim.simulate.__name__ == "simulate" and "Replay a trace" in (sledsim.simulate.__doc__ or "")
    assert list(inspect.signature(sledsim.simulate).parameters)[:3] == ["device", "trace", "scheduler"]


@pytest.mark.parametrize("library", ["tqdm", "rich"])
def test_a_terminal_shows_the_bar_of_the_library_that_is_there(
    library: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if library == "tqdm":
        pytest.importorskip("tqdm", reason="pip install 'sledsim[test]'")
    else:
        monkeypatch.setattr(progress, "find_spec", lambda name: None)
        monkeypatch.setenv("FORCE_COLOR", "1")
    work(4, True)
    said = capsys.readouterr()
    assert "work" in said.err and said.out == ""


@pytest.mark.dear("every kind of result is made")
def test_notebooks_show_bars(tmp_path: Path) -> None:
    """Bars of tqdm, which writes letters, and of rich, whose picture is replaced; both end by vanishing."""
    pytest.importorskip("tqdm", reason="pip install 'sledsim[test]'")
    begin = (
        "import sledsim\nfrom sledsim.common import progress\n"
        "progress._PATIENCE_S = progress._EVERY_S = 0.0\n"
        "device = sledsim.device('osdi00')\n"
        "trace = sledsim.random_workload(device, rate_per_s=900, count=50_000, progress=False)"
    )
    work = "run = sledsim.compare(device, trace, ['fcfs', 'sptf'])"
    silent = work.replace("'])", "'], progress=False)")
    without = (
        "there = progress.find_spec\nprogress.find_spec = lambda name: name != 'tqdm' and there(name) or None"
    )
    kept = (
        "from IPython.core import display_functions\nshown = []\n"
        "update = display_functions.DisplayHandle.update\n"
        "def remember(self, one, **options):\n    shown.append(one)\n    update(self, one, **options)\n"
        "display_functions.DisplayHandle.update = remember"
    )
    told = "print(len(shown), type(shown[0]).__name__, shown[-1])"
    cells = executed(of_cells(tmp_path, begin, silent, work, without, kept, work, told), tmp_path).cells
    assert not cells[1].outputs
    assert "compare" in "".join(output.text for output in cells[2].outputs)
    assert [dict(output.data) for output in cells[5].outputs] == [{"text/plain": ""}]
    assert "Table {'text/plain': ''}" in cells[6].outputs[0].text
