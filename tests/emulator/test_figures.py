"""Charts of records whose contents are known."""

from pathlib import Path

import numpy as np
import pytest

from sledsim.emulator import served as rows_of
from sledsim.emulator.certificate import certificate
from sledsim.emulator.served import Served
from sledsim.emulator.timing_figures import timing_figures

from .synthetic import altered, synthetic


@pytest.fixture(scope="module")
def found() -> Served:
    """Late and early replies, one that the client did not receive, and a probe."""
    draw, some = np.random.default_rng(3), synthetic(2000)
    sent = some.rows["due_ns"] + draw.integers(-100_000, 400_000, 2000)
    sent[7] = -1
    own = some.rows["connection"] == 1
    said_ns = (some.run.columns["completion_ns"] - some.run.columns["arrival_ns"])[own]
    probe = {"connection": 1, "latency_ns": (said_ns + 40_000).tolist()}
    return altered(some, sent_ns=sent, how={"probe": probe})


def test_figures_are_those_of_the_whole(found: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows_of, "BATCH_ROWS", 100)
    figures = timing_figures(found)
    arrival_ns, sent_ns = found.run.columns["arrival_ns"], found.rows["sent_ns"]
    is_sent = sent_ns >= 0
    late_us = (sent_ns - found.rows["due_ns"]) / 1e3
    assert figures.step_s == 1 and [row["at_s"] for row in figures.steps] == [0.0, 1.0]
    for row in figures.steps:
        here = late_us[is_sent & (arrival_ns // 10**9 == row["at_s"])]
        for name, part in (("p50_us", 0.5), ("p99_us", 0.99), ("max_us", 1.0)):
            assert row[name] == np.quantile(here, part, method="inverted_cdf")
    left_s = np.where(is_sent, sent_ns, found.run.columns["completion_ns"]) / 1e9
    for row in figures.queue:
        start, end = row["at_s"], row["at_s"] + 1
        waited_s = np.clip(left_s, start, end) - np.clip(arrival_ns / 1e9, start, end)
        assert row["waiting"] == pytest.approx(waited_s.sum(), rel=1e-9)
    assert sum(row["answers"] for row in figures.lateness) == is_sent.sum()
    early = sum(row["answers"] for row in figures.lateness if row["which"] == "early")
    assert early == (late_us[is_sent] < 0).sum()
    for row in figures.lateness:
        assert row["to_us"] == pytest.approx(row["from_us"] * 10**0.1)
    assert sum(row["answers"] for row in figures.responses) == is_sent.sum()
    assert len(figures.probe) == 99
    assert all(row["seen_us"] == pytest.approx(row["simulated_us"] + 40) for row in figures.probe)


@pytest.mark.dear("a served device answers in real time")
def test_charts_and_page(found: Served, tmp_path: Path) -> None:
    pytest.importorskip("altair")
    from sledsim.charts.timing_chart import timing_panels
    from sledsim.charts.timing_report import write_report

    figures = timing_figures(found)
    panels = timing_panels(figures)
    titles = [panel.title for panel in panels]
    assert len(titles) == 5
    assert [panel["title"] for panel in figures.plot().to_dict()["vconcat"]] == titles
    hostile = altered(found, how={"host": "<script>alert(1)</script>"})
    made = certificate(hostile)
    assert made["certified"]
    page = write_report(hostile, made, tmp_path / "page.html").read_text()
    for panel in panels:
        assert f">{panel.title}</h2>" in page and panel.says.replace("'", "&#x27;") in page
    assert 'id="chart-5"' in page and '<p class="verdict">certified</p>' in page
    assert "<script>alert(1)" not in page
    assert "https://" not in page.split("<script>")[0], "it works offline"
    unanswered = altered(found, sent_ns=np.full(2000, -1))
    page = write_report(unanswered, certificate(unanswered), tmp_path / "page.html").read_text()
    assert '<p class="verdict">refused: no request had a reply</p>' in page
    assert [panel.title for panel in timing_panels(timing_figures(unanswered))][-1] == "Queue over time"
