"""Rows of a zone, for schedulers and for the layout: those whose middle lies in it."""

import numpy as np
import pytest

import sledsim

from .test_distances import ROW_BITS, SERVO_BITS, places


@pytest.mark.parametrize("zone", [(120, 1200), (60, 600), (240, 2400), (700, 333)])
@pytest.mark.parametrize("stroke_nm", [96_000, 100_000])
def test_a_zone_has_the_rows_whose_middle_lies_in_it(zone: tuple[int, int], stroke_nm: int) -> None:
    """000-F10: zones in their order, and in a zone first come, first served; all are waiting."""
    device = sledsim.device("osdi00", stroke_x_nm=stroke_nm, stroke_y_nm=stroke_nm, overhead_ms=0.0)
    bits = stroke_nm // 40
    rng = np.random.default_rng(5)
    count = 400
    lbn = rng.integers(0, int(device.characteristics()["blocks"]), count)
    trace = sledsim.Trace(np.zeros(count, np.int64), lbn, np.ones(count, np.int32), np.zeros(count, bool))
    policy = f"zfcfs:zone={zone[0]}x{min(zone[1], bits)}"
    start_ns = sledsim.simulate(device, trace, policy).columns["start_ns"]
    x, y = places(device, lbn)
    middle = y + SERVO_BITS + (ROW_BITS - SERVO_BITS) // 2 + bits // 2
    column, band = x // zone[0], middle // zone[1]
    # 000, Figure 3: down over the even cylinders of a column of cells, up again over the odd ones.
    odd = x % 2
    order = np.lexsort((np.arange(count), np.where(odd, band, -band), odd, column))
    # The first request is served before the others are known, and the visits go on from its zone.
    zones = list(dict.fromkeys(zip(column[order], odd[order], band[order], strict=True)))
    first = zones.index((column[0], odd[0], band[0]))
    visits = {name: place for place, name in enumerate(zones[first:] + zones[:first])}
    place = [visits[name] for name in zip(column, odd, band, strict=True)]
    assert np.argsort(start_ns).tolist() == np.lexsort((np.arange(count), place)).tolist()


def test_rows_are_shared_evenly_by_zones_of_the_same_height() -> None:
    """000, section 7.2: 2400 bits, and 26 rows."""
    device = sledsim.device("osdi00", stroke_x_nm=96_000, stroke_y_nm=96_000)
    rows = np.arange(0, 26 * 20, 20)
    _, y = places(device, rows)
    assert np.bincount((y + 50 + 1200) // 1200).tolist() == [13, 13]
    grouped = device.with_parameters(
        layout="zone-grouped", layout_zone_cylinders=120, layout_zone_y_bits=1200
    )
    blocks_of_a_zone = 120 * 5 * 13 * 20
    at = grouped.locate(np.arange(0, 2 * blocks_of_a_zone, 20))
    assert sorted(set(at["row"][: blocks_of_a_zone // 20].tolist())) == list(range(13))
    assert sorted(set(at["row"][blocks_of_a_zone // 20 :].tolist())) == list(range(13, 26))
