"""Curves over the arrival rate for ``sledsim compare --rates``: checks of the workload, and the runs."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._native import ParameterError
from ..common.declared import default_of
from ..common.output_files import check_folder
from ..exploration.question_options import CurveOptions
from .interruption import kept_in
from .output import listed, print_result, print_text, write_plots
from .terminal import progress

if TYPE_CHECKING:
    from ..exploration.climbing import Workload
    from ..model.volumes import Target
    from ..traces.trace import Trace


#: Default number of requests in each replication at each arrival rate.
_COUNT = default_of(CurveOptions, "count")


def curve_options(trace: str, **given: Any) -> dict[str, Any]:
    """Return the arguments of `response_curves` for a random workload and the given options.

    Args:
        trace: The workload as the user typed it, such as ``random:reads=0.5``.
        given: Further arguments of `response_curves`; None if the user did not type the option.

    Raises:
        ParameterError: The workload is not random, or states the arrival rate, or states a number of requests
            that ``--count`` states, too.
    """
    from ..traces.generators import find, given_options, is_generated

    if not is_generated(trace):
        more = f"did you mean '{trace}:'?" if find(trace) else "--scales varies the load of a trace"
        expected = "a random workload such as 'random:'"
        raise ParameterError(f"--rates: expected {expected}, found {trace!r}; {more}")
    options = given_options(trace)
    if "rate" in options:
        raise ParameterError(f"{trace}: remove the option 'rate': --rates gives the arrival rates")
    if "count" in options and given["count"] is not None:
        raise ParameterError(f"{trace}: the number of requests is given twice: by 'count' and by --count")
    given |= {key: _whole(trace, key, options.pop(key)) for key in ("count", "seed") if key in options}
    name = trace.partition(":")[0]
    if options or find(name) != "random":
        given["draw"] = _drawn(name, options, given.pop("count"))
    return {key: value for key, value in given.items() if value is not None}


def _whole(trace: str, key: str, value: str) -> int:
    try:
        return int(value)
    except ValueError:
        raise ParameterError(f"{trace}: {key}: expected a whole number, found {value!r}") from None


def _drawn(name: str, options: dict[str, str], count: int | None) -> "Workload[Target]":
    """Return the function ``draw(device, rate_per_s, seed)`` that `response_curves` calls for each run.

    Args:
        name: Name of the generator, such as ``random``.
        options: Options of the generator, by name.
        count: Number of requests of a run; None takes the default.
    """
    from ..traces.generators import workload

    def draw(device: "Target", rate_per_s: float, seed: int) -> "Trace":
        more = {"rate": rate_per_s, "count": _COUNT if count is None else count, "seed": seed}
        return workload(name, device, **options, **more)

    given = ",".join(f"{key}={value}" for key, value in options.items())
    draw.__name__ = f"{name}:{given}" if given else name
    vars(draw)["content"] = f"{draw.__name__}, count={_COUNT if count is None else count}"
    return draw


def draw_curves(
    device: "Target", schedulers: Sequence[str], rates: Sequence[float], options: dict[str, Any], out: Path
) -> None:
    """Simulate the curves of one device, print them, and write tables and plots into the folder `out`.

    Args:
        device: The device or volume.
        schedulers: The policies, each with its own curve.
        rates: The arrival rates in requests/s.
        options: Simulate the curves of one device, print them, and write tables and plots into the folder
            `out`.
        out: Folder for tables and plots.
    """
    from ..exploration.climbing import most_replications, response_curves
    from ..runs.curves import NAME

    check_folder(out, NAME)
    most = most_replications(
        options.get("replications", default_of(CurveOptions, "replications")), options.get("precision")
    )
    with kept_in(out), progress("Simulating", len(rates) * len(schedulers) * most) as report:
        curves = response_curves(device, schedulers, rates, progress=report, folder=out, **options)
    print_result(curves)
    print_text(f"Written: {listed([*curves.write(out), *write_plots(curves.write_plots, out)])}\n")
