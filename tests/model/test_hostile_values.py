"""Values that no device has: one line names the fault of each."""

import re
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

import sledsim

from ..conftest import Cli

#: Deepest permitted nesting of lists and tables.
DEPTH_MAX = 80


def deep_dictionary(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(depth - 1):
        value = {"a": value}
    return value


def deep_list(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth - 1):
        value = [value]
    return value


def circles() -> dict[str, Any]:
    dictionary: dict[str, Any] = {}
    dictionary["a"] = dictionary
    items: list[Any] = []
    items.append(items)
    mixed: dict[str, Any] = {"a": [{}]}
    mixed["a"][0]["b"] = (mixed,)
    return {
        "dictionary": dictionary,
        "list": items,
        "mixed": mixed,
        "deep dictionary": deep_dictionary(100_000),
        "deep list": deep_list(100_000),
    }


WAYS_IN: dict[str, Callable[[sledsim.Device, Any], object]] = {
    "device": lambda device, value: sledsim.device("osdi00", x=value),
    "with_parameters": lambda device, value: device.with_parameters(x=value),
    "from_parameters": lambda device, value: sledsim.Device.from_parameters({"x": value}),
    "volume": lambda device, value: sledsim.volume("raid5", x=value),
    "member": lambda device, value: sledsim.volume("raid5", device={"device": "atlas10k", "x": value}),
    "volume.from_parameters": lambda device, value: sledsim.Volume.from_parameters({"x": value}),
    "with_faults": lambda device, value: sledsim.with_faults(device, {"x": value}),
}


@pytest.mark.dear("absurd values are tried in every key", every_change="deep list-member")
@pytest.mark.parametrize("way", WAYS_IN)
@pytest.mark.parametrize("circle", circles())
def test_what_is_too_deep_or_in_a_circle_is_refused(device: sledsim.Device, way: str, circle: str) -> None:
    with pytest.raises(sledsim.ParameterError, match=r"^[a-z]+: expected at most") as caught:
        WAYS_IN[way](device, circles()[circle])
    assert f"nested at most {DEPTH_MAX} levels deep, found more" in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.dear("absurd values are tried in every key")
def test_lists_that_stand_for_too_many_are_refused() -> None:
    # Neither deep nor circular: two to the power of 60 lists.
    many: list[Any] = []
    for _ in range(60):
        many = [many, many]
    with pytest.raises(sledsim.ParameterError, match="x: expected at most 4000000 values, nested"):
        sledsim.device("osdi00", x=many)


@pytest.mark.parametrize("deep", [deep_dictionary, deep_list])
def test_what_is_not_too_deep_is_looked_at(deep: Callable[[int], object]) -> None:
    with pytest.raises(sledsim.ParameterError, match="unknown key `x`"):
        sledsim.device("osdi00", x=deep(DEPTH_MAX))
    with pytest.raises(sledsim.ParameterError, match="x: expected at most"):
        sledsim.device("osdi00", x=deep(DEPTH_MAX + 2))


def test_a_parameter_of_too_many_roles() -> None:
    with pytest.raises(sledsim.ParameterError, match="at most 8 roles before a parameter, found more"):
        sledsim.volume("raid5", **{"device." * 100_000 + "settle_ms": 1})


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (
            object(),
            "tips: expected a number, a text, a list of numbers, a list of such lists, or a table, found",
        ),
        (1 << 63, "tips: expected a whole number of 64 bits, found 9223372036854775808"),
        ("\udc80", r"tips: expected a text in UTF-8, found '\udc80'"),
        ({1: 2}, "a key of a table: expected a name, found 1"),
    ],
)
def test_values_unknown_to_toml_are_refused(value: object, message: str) -> None:
    with pytest.raises(sledsim.ParameterError, match=re.escape(message)):
        sledsim.device("osdi00", tips=value)


HALF = "half\ud800"


@pytest.mark.parametrize(
    "use",
    [
        lambda device, trace: sledsim.device(HALF),
        lambda device, trace: sledsim.volume(HALF),
        lambda device, trace: sledsim.with_faults(device, HALF),
        lambda device, trace: sledsim.with_episodes(device, [HALF]),
        lambda device, trace: sledsim.simulate(device, trace, scheduler=HALF),
        lambda device, trace: sledsim.simulate(device, trace, past_end=HALF),
        lambda device, trace: sledsim.compare(device, trace, [HALF]),
        lambda device, trace: sledsim.listings.scheduler_options(HALF),
        lambda device, trace: sledsim.workload(HALF, device),
        lambda device, trace: sledsim.read_trace(HALF),
        lambda device, trace: sledsim.read_trace(f"{HALF}.parquet"),
        lambda device, trace: sledsim.open_trace(HALF),
        lambda device, trace: sledsim.fit_workload(HALF),
        lambda device, trace: sledsim.write_trace(trace, f"{HALF}.spc"),
        lambda device, trace: sledsim.write_trace(trace, f"{HALF}.parquet"),
        lambda device, trace: sledsim.simulate(device, trace).write(f"{HALF}.parquet"),
        lambda device, trace: sledsim.read_run(HALF),
        lambda device, trace: sledsim.read_bounds(HALF),
        lambda device, trace: sledsim.import_disksim(HALF),
    ],
)
def test_a_name_with_half_of_a_character_is_refused(
    device: sledsim.Device, workload: sledsim.Trace, use: Callable[[sledsim.Device, sledsim.Trace], object]
) -> None:
    """Python's own `UnicodeEncodeError` appeared for half of a pair of surrogates."""
    with pytest.raises(sledsim.ParameterError, match=r"expected names in UTF-8, found 'half\\ud800"):
        use(device, workload)


def test_a_long_value_is_shown_in_short() -> None:
    with pytest.raises(sledsim.ParameterError, match=r"^tips = \[1, 1, .*\.\.\.: ") as caught:
        sledsim.device("osdi00", tips=[1] * 100_000)
    assert len(str(caught.value)) < 400


def refused(done: "subprocess.CompletedProcess[str]", words: str) -> None:
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")
    assert words in done.stderr


def test_deep_values_and_odd_bytes_on_the_command_line(cli: Cli) -> None:
    refused(cli("show", "osdi00", "--set", "tips=" + "[" * 30_000), 'tips = "[[[[')
    refused(cli("show", "osdi\udc80"), r"expected names in UTF-8, found 'osdi\udc80'")


@pytest.mark.dear("absurd values are tried in every key")
def test_requests_that_take_no_time_have_figures(cli: Cli) -> None:
    """Writes that are complete once they are in memory; a single one takes no time at all."""
    volume = ("--volume", "mcd:acknowledge=memory")
    one = cli("run", "random:rate=100,count=1,reads=0", *volume)
    assert one.returncode == 0 and re.search("utilization +-", one.stdout)
    many = cli("compare", "random:rate=100,count=50,reads=0", *volume, "--schedulers", "fcfs", "--out", "out")
    assert many.returncode == 0, many.stderr
    rates = ("--rates", "50,100", "--count", "1000", "--replications", "2", "--schedulers", "fcfs,sptf")
    curves = cli("compare", "random:reads=0", *volume, *rates, "--out", "curves")
    assert curves.returncode == 0 and "0 ± 0" in curves.stdout, curves.stderr
    found = cli("run", "random:rate=100,count=50,reads=0", *volume, "--json")
    assert '"cv2_response": 0.0' in found.stdout
