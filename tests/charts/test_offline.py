"""Charts in notebooks: the picture is there without a network, and other ways of drawing stay the user's."""

import copy
import pickle
import socket
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sledsim
from sledsim import studies

alt: Any = pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")


@pytest.fixture
def chart(run: sledsim.Run) -> Any:
    return run.plot()


def bundle(chart: Any) -> dict[str, Any]:
    found: dict[str, Any] = chart._repr_mimebundle_()
    return found


@pytest.mark.dear("charts are drawn as pages and pictures")
def test_a_chart_has_its_picture_without_a_network(chart: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError("there is no network")

    monkeypatch.setattr(socket, "socket", refuse)
    found = bundle(chart)
    (vega,) = (value for key, value in found.items() if "vegalite" in key)
    assert vega == chart.to_dict()
    picture = ElementTree.fromstring(found["image/svg+xml"])
    texts = {element.text for element in picture.iter() if element.tag.endswith("}text")}
    assert {"Distribution of response times", "Mean time of a request by phase"} <= texts
    assert "text/html" not in found and len(found["text/plain"]) < 80


@pytest.mark.dear("charts are drawn as pages and pictures", every_change=True)
def test_studies_have_one_too() -> None:
    assert "image/svg+xml" in bundle(studies.run("seek-distance", sledsim.device("osdi00")).plot())


@pytest.mark.dear("charts are drawn as pages and pictures")
def test_a_picture_of_many_points_is_small() -> None:
    rows = [{"x": at % 997, "y": at % 1009} for at in range(9000)]
    from sledsim.charts.offline import offline

    found = bundle(offline(alt.Chart(alt.InlineData(values=rows)).mark_point().encode(x="x:Q", y="y:Q")))
    assert "image/svg+xml" not in found and found["image/png"].startswith(b"\x89PNG")


@pytest.mark.dear("charts are drawn as pages and pictures", every_change="copy")
@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda chart: pickle.loads(pickle.dumps(chart))])
def test_copies_keep_it(chart: Any, way: Any) -> None:
    again = way(chart)
    assert again.to_dict() == chart.to_dict() and "image/svg+xml" in bundle(again)
    assert "image/svg+xml" in bundle(chart.properties(title="of my own"))
    assert isinstance(again, alt.VConcatChart)


@pytest.mark.dear("charts are drawn as pages and pictures")
def test_a_renderer_that_the_user_chose_is_used(chart: Any) -> None:
    with alt.renderers.enable("mimetype"):
        assert "image/svg+xml" not in bundle(chart)
    assert "image/svg+xml" in bundle(chart)


@pytest.mark.dear("charts are drawn as pages and pictures", every_change=True)
def test_a_chart_does_not_grow_with_the_run(device: sledsim.Device) -> None:
    sizes = []
    for count in (20_000, 60_000):
        trace = sledsim.random_workload(device, rate_per_s=900, count=count, seed=7)
        sizes.append(len(str(sledsim.simulate(device, trace, columns="times,phases").plot().to_dict())))
    assert sizes[1] < 1.1 * sizes[0] < 150_000


def rows_of(chart: Any, title: str) -> list[dict[str, Any]]:
    """The data of the panel with that title."""

    def walk(part: Any, data: Any = None) -> Any:
        """A panel has the data of the part that it is in, where it has none itself."""
        if isinstance(part, dict):
            data = part.get("data", data)
            if isinstance(part.get("title"), str) and part["title"].startswith(title):
                yield data
        within = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
        for one in within:
            yield from walk(one, data)

    whole = chart.to_dict()
    data = next(walk(whole))
    found: list[dict[str, Any]] = data.get("values") or whole["datasets"][data["name"]]
    return found


@pytest.mark.dear("charts are drawn as pages and pictures", every_change=True)
def test_a_run_is_drawn_as_it_was(run: sledsim.Run) -> None:
    chart, figures = run.plot(), run.summary()
    phases = {row["phase"]: row["ms"] for row in rows_of(chart, "Mean time of a request")}
    assert sum(phases.values()) == pytest.approx(figures["mean_response_s"] * 1e3)
    assert phases["positioning"] == pytest.approx(figures["mean_positioning_s"] * 1e3)
    slower = {row["slower"]: row["ms"] for row in rows_of(chart, "Distribution") if row["requests"] == "all"}
    # Five digits are seen.
    assert slower[min(slower, key=lambda share: abs(share - 0.5))] == pytest.approx(
        figures["p50_response_s"] * 1e3, rel=1e-4
    )
    over_time = rows_of(chart, "Response over time")
    assert max(row["ms"] for row in over_time) == pytest.approx(figures["max_response_s"] * 1e3)
    medians = [row["ms"] for row in over_time if row["figure"] == "median"]
    assert len(medians) == 100 and np.median(medians) == pytest.approx(
        figures["p50_response_s"] * 1e3, rel=0.1
    )


@pytest.mark.dear("charts are drawn as pages and pictures", every_change="1")
@pytest.mark.parametrize("count", [1, 2, 7])
def test_short_runs_are_drawn(device: sledsim.Device, workload: sledsim.Trace, count: int) -> None:
    run = sledsim.simulate(device, workload.rows(slice(0, count)))
    assert "image/svg+xml" in bundle(run.plot())
    without = sledsim.simulate(device, workload, columns="none").plot()
    assert rows_of(without, "Mean time of a request") and "over time" not in str(without.to_dict())
    assert len(rows_of(without, "Distribution")) == 4


@pytest.mark.dear("a new process draws a picture", every_change=True)
def test_a_limit_of_addresses_leaves_out_pictures_alone(tmp_path: Path) -> None:
    """The library that draws them ends the process; all else is written, and the exit status is 0."""
    program = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30));"
        "from sledsim.cli import main; main()"
    )
    words = ["run", "random:rate=100,count=300", "--power", "p", "--out", "r.parquet"]
    done = subprocess.run(
        [sys.executable, "-c", program, *words], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "no plots: pictures take 80 GB of address space, but the limit (ulimit -v) is 8.59" in done.stderr
    assert (tmp_path / "p" / "power.csv").is_file() and (tmp_path / "r.parquet").is_file()
