"""Printed listings cite papers by place of publication, and name no ids of the reading notes."""

import re

import pytest

import sledsim
from sledsim.common.citations import cited

from ..conftest import Cli

#: An id of the reading notes, or a number of a paper in the place of its name.
ID = re.compile(r"00[0-4]-[A-Z]|(?<![\d.,])00[0-4](?![\d.,])")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("001 Table 1; 000 section 7.2", "OSDI 2000 Table 1; MASCOTS 2003 section 7.2"),
        ("assumed (001-D16)", "assumed"),
        ("002-F1", "SIGMETRICS 2000"),
        ("Mean access (001-C2, D7) to 4 KiB (002-F1..F5).", "Mean access to 4 KiB."),
        ("the MEMS device of OSDI 2000 (001): 3.2 GiB", "the MEMS device of OSDI 2000: 3.2 GiB"),
        ("on a medium that has to be erased (001)", "on a medium that has to be erased (OSDI 2000)"),
        ("1,000 GB, 0.001 s, 10,003 and 3.004 rpm, 004K", "1,000 GB, 0.001 s, 10,003 and 3.004 rpm, 004K"),
        ("Atlas 10K (1999)", "Atlas 10K (1999)"),
    ],
)
def test_numbers_and_ids_of_papers_are_put_in_words(text: str, said: str) -> None:
    assert cited(text) == said


def test_notebooks_and_pages_have_no_ids() -> None:
    device = sledsim.device("osdi00")
    assert not ID.findall(device._repr_html_())
    pytest.importorskip("altair", reason="pages are an extra: pip install 'sledsim[plot]'")
    from sledsim.charts.run_page import _parameters

    (said,) = [value for key, value, _ in _parameters(device.parameters).rows if key == "description"]
    assert said == "the MEMS device of OSDI 2000: 3.2 GiB, springs, 28 mm/s"


@pytest.mark.dear("commands and results of every kind are made")
def test_listings_have_no_ids(cli: Cli) -> None:
    commands = [
        ("devices",),
        *(
            ("show", name)
            for name in ("osdi00", "sigmetrics00-cantilevers", "hong03-power", "emsoft08", "cf-card")
        ),
        *(("studies", row.name) for row in sledsim.studies.STUDIES),
        *(
            (listing,)
            for listing in (
                *("studies", "schedulers", "volumes", "layouts", "seek-models", "workloads"),
                *("formats", "power-policies", "replays"),
            )
        ),
    ]
    for command in commands:
        done = cli(*command)
        found = ID.findall(done.stdout)
        assert done.returncode == 0 and not found, f"{command}: {found}"
