"""Results have charts and know none: the table of charts knows them."""

import pickle
import subprocess
import sys
from pathlib import Path

import html5lib
import pytest

import sledsim
from sledsim.common.charted import Charted

pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")


def test_the_table_has_every_result_that_is_drawn() -> None:
    from sledsim.charts.chart_table import CHARTS

    assert set(CHARTS) == set(Charted.__subclasses__())
    names = [drawing.name for drawing in CHARTS.values()]
    assert len(set(names)) == len(names), "one would be written over the other"


@pytest.mark.dear("charts are drawn as pages and pictures")
def test_a_result_from_another_process_is_drawn() -> None:
    device = sledsim.device("osdi00")
    trace = sledsim.random_workload(device, rate_per_s=900, count=300, seed=7)
    run = sledsim.simulate(device, trace)
    for result in (run, sledsim.compare(device, trace, "fcfs"), sledsim.trace_statistics(trace)):
        again = pickle.loads(pickle.dumps(result))
        assert again.plot().to_dict() == result.plot().to_dict()


@pytest.mark.dear("charts are drawn as pages and pictures")
def test_results_load_no_chart_until_they_are_drawn() -> None:
    code = (
        "import sledsim, sys; device = sledsim.device('osdi00');"
        "trace = sledsim.random_workload(device, rate_per_s=900, count=300);"
        "compared = sledsim.compare(device, trace, 'fcfs');"
        "sledsim.results.Validation, sledsim.results.Curves, sledsim.results.FormatSpace;"
        "sledsim.trace_statistics(trace);"
        "drawn = lambda: 'altair' in sys.modules or any('charts' in name for name in sys.modules);"
        "before = drawn(); compared.plot(); print(before, drawn())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False True\n"


@pytest.mark.dear("charts are drawn as pages and pictures")
def test_a_page_says_first_what_was_found_and_each_chart_of_which_device_it_is(tmp_path: Path) -> None:
    trace = sledsim.demo_trace().rows(slice(0, 200))
    found = sledsim.compare(["osdi00", "cf-card", "sigmetrics00-cantilevers"], trace, ["fcfs", "sptf"])
    page, *_ = found.write_plots(tmp_path)
    texts = [one.text or "" for one in html5lib.parse(page.read_text(), namespaceHTMLElements=False).iter()]
    assert [text for text in found.conclusions() if text not in texts] == []
    charts = ("Mean response time", "Distribution of response times at speed-up 1")
    assert {f"{of}: {title}" for of in ("osdi00", "cf-card") for title in charts} <= set(texts)


def test_the_ending_of_a_chart_is_one_that_is_known(tmp_path: Path) -> None:
    from sledsim.charts.style import save_chart

    chart = sledsim.compare(sledsim.device("osdi00"), sledsim.demo_trace(), "fcfs").plot()
    endings = r"x\.doc: expected a name that ends in \.html, \.png, \.svg"
    with pytest.raises(sledsim.ParameterError, match=endings):
        save_chart(chart, tmp_path / "x.doc")
