"""Arguments of a wrong kind are reported by name: a device in the place of a trace, or the name of one."""

from collections.abc import Callable
from typing import Any

import pytest

import sledsim

DEVICE: Any = sledsim.device("osdi00")
TRACE: Any = sledsim.demo_trace().rows(slice(0, 100))
NAME: Any = "osdi00"
NUMBER: Any = 3

WRONG: dict[str, tuple[str, Callable[[], object]]] = {
    "simulate": (
        "device: expected a Device or a Volume, found Trace",
        lambda: sledsim.simulate(TRACE, DEVICE),
    ),
    "overview": ("trace: expected a Trace, found Device", lambda: sledsim.overview(DEVICE, TRACE)),
    "overview of a trace": ("device: expected a Device or a", lambda: sledsim.overview(TRACE, TRACE)),
    "fit": ("device: expected a Device or a Volume, found Trace", lambda: sledsim.fit(TRACE, DEVICE)),
    "fit of a name": ("trace: expected a Trace, found str", lambda: sledsim.fit(DEVICE, NAME)),
    "validate": ("trace: expected a Trace, found Device", lambda: sledsim.validate(TRACE, DEVICE)),
    "curves": ("device: expected a Device or a", lambda: sledsim.response_curves(TRACE, "fcfs", [100])),
    "curves of a trace": ("trace: expected", lambda: sledsim.trace_curves(DEVICE, NAME, "fcfs", [1])),
    "designs": ("workload: expected a Trace, found Device", lambda: sledsim.format_space(DEVICE)),
    "statistics": ("source: expected a Trace, found Device", lambda: sledsim.trace_statistics(DEVICE)),
    "compare": ("device: expected a Device or a Volume, found Trace", lambda: sledsim.compare(TRACE, DEVICE)),
    "compare several": ("device: expected a Device or", lambda: sledsim.compare([DEVICE, TRACE], TRACE)),
    "compare a number": ("workloads: expected a Trace, found int", lambda: sledsim.compare(DEVICE, NUMBER)),
}


@pytest.mark.parametrize("call", WRONG)
def test_another_kind_is_reported(call: str) -> None:
    words, ask = WRONG[call]
    with pytest.raises(sledsim.ParameterError, match=f"^{words}"):
        ask()


def test_an_empty_list_of_devices_is_reported() -> None:
    with pytest.raises(sledsim.ParameterError, match=r"^devices: expected at least one device"):
        sledsim.compare([], TRACE)
    alone = sledsim.compare([], TRACE, volumes=["mirror"])
    assert [point.device for point in alone.points] == ["mirror"]
