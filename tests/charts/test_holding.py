"""The tables of a share of devices: those nearest to the edge are there with their values."""

from sledsim.charts.holding_chart import holding_tables

from ..exploration.asking import asked


def test_the_nearest_devices_are_on_the_page() -> None:
    found = asked("mean(sptf) < 0.00115", samples=16)
    assert found.for_it is not None and found.against is not None
    text = str(holding_tables(found))
    for example in (found.for_it, found.against):
        assert f"settle_ms={example.values['settle_ms']:.6g}" in text
