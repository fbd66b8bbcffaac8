"""Replay of a trace on a device or volume for ``sledsim run``, and the fit of traces to devices."""

import shlex
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import _native
from .output import print_note
from .terminal import progress

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..exploration.subjects import Requests, Subject
    from ..model.devices import Device
    from ..model.volumes import Target
    from ..runs.breakdown import Breakdown
    from ..runs.overview import Overview
    from ..runs.run import Run
    from ..runs.spread_runs import SpreadRuns
    from ..runs.trace_fit import Fit
    from ..traces.streams import TraceStream
    from ..traces.tools import GapCut
    from ..traces.trace import Trace
    from .command_options import Fitting, Reading


class DoesNotFitError(_native.TraceError):
    """Error: the trace reaches past the end of the device, and no option states how to handle this.

    Attributes:
        lack: Sentence: how far the trace reaches, and the capacity of the device.
        ways: Lines for the message: each has a command that would work, and its effect.
    """

    def __init__(self, lack: str, ways: list[str]) -> None:
        super().__init__(f"{lack}. Use one of:")
        self.lack, self.ways = lack, ways


@dataclass(frozen=True)
class Asked:
    """Options of ``sledsim run`` that state how a trace is replayed.

    Attributes:
        model: The device or volume.
        reading: Options that state how to read the trace files.
        scheduler: The scheduling policy; None takes the default.
        scale: Speed-up of the arrivals.
        past_end: Rule for requests past the end of the device, a name of `past_end_rules`.
        replay: Rule for the arrivals, a name of `replays`; None takes the rule that suits the trace.
        fit: True to make a trace fit the device (``--fit``).
        or_larger: True if ``--fit`` may take a larger device, because the user named no device.
        columns: Columns of the file for the requests; None keeps all.
        spread: Way to spread requests that share a time of a coarse clock, a name of `SPREADS`; None leaves
            the arrivals as they are.
        cut_gaps: Value of ``--cut-gaps``, or None.
    """

    model: "Target"
    reading: "Reading"
    scheduler: str | None
    scale: float
    past_end: str
    replay: str | None
    fit: bool
    or_larger: bool
    columns: str | None
    spread: str | None = None
    cut_gaps: str | None = None


@dataclass(frozen=True)
class Replayed:
    """The result of a replay.

    Attributes:
        run: The result of the simulation.
        target: The device or volume of the run.
        overview: Description of the trace before the run; for a trace read as a stream, only of its first
            requests.
        fit: Change by which ``--fit`` made the trace fit the device; None without ``--fit``.
        parts: Response times by groups of requests and by phases; None if the run did not keep the columns
            for them.
        inference: Figures of two further runs: one in which no request waits for an earlier one, and one in
            which each waits for the previous one. Empty unless the replay inferred think times.
        spread: Intervals of the figures over several spreads of the requests; None without ``--spread``.
        cut: Figures of the gaps that were shortened; None without ``--cut-gaps``.
    """

    run: "Run"
    target: "Target"
    overview: "Overview"
    fit: "Fit | None" = None
    parts: "Breakdown | None" = None
    inference: dict[str, float] = field(default_factory=dict)
    spread: "SpreadRuns | None" = None
    cut: "Mapping[str, float] | None" = None

    def doubts(self) -> list[str]:
        """Return the sentences on why results may be wrong, each once."""
        return list(dict.fromkeys([*self.overview.doubts, *self.run.settings.doubts]))


def replay(
    text: str,
    asked: Asked,
    out: Path | None,
    tells: bool = True,
    is_whole: bool = False,
    is_in_memory: bool = False,
) -> Replayed:
    """Replay a trace, and print notes on stderr.

    Args:
        text: A trace file, a bundled trace or a workload.
        asked: Options of the replay.
        out: File for a table of the requests; None writes no file.
        tells: True to print also a description of the trace, and the change that made it fit the device.
        is_whole: True to keep all columns of the run, which a web page or a timeline needs.
        is_in_memory: True to read even a long trace into memory, so that it can be replayed again.

    Raises:
        ParameterError, TraceError, OSError: The trace cannot be read or replayed.
    """
    from ..runs.batches import can_be_streamed
    from ..traces.tools import GapCut
    from ..traces.tools.spreading import tick_ns
    from .workloads import is_long, load_trace

    can_come = (
        not asked.fit
        and asked.spread is None
        and not is_in_memory
        and can_be_streamed(asked.replay or "open", asked.past_end)
    )
    cut = GapCut(asked.cut_gaps)
    if can_come and is_long(text):
        return replace(_as_it_comes(text, asked, out, tells, is_whole, cut), cut=cut.row())
    trace = load_trace(text, asked.model, asked.reading)
    # Cut gaps need not be multiples of the tick.
    tick = None if asked.spread is None else tick_ns(trace)
    trace = cut.of(trace)
    print_note(*cut.notes)
    return replace(_in_memory(trace, asked, out, tells, is_whole, tick), cut=cut.row())


def _as_it_comes(
    text: str, asked: Asked, out: Path | None, tells: bool, is_whole: bool, cut: "GapCut"
) -> Replayed:
    from ..runs.batches import Options
    from ..runs.breakdown import simulate_in_parts
    from .workloads import streaming

    kept = (asked.columns or "all") if out else "none"
    with streaming(text, asked.model, asked.reading, "Simulating") as (found, report):
        stream = cut.of(found)
        if asked.replay is None and stream.recorded_replay != "open":
            workload = stream.read()
            print_note(*workload.notes)
            return _in_memory(workload, asked, out, tells, is_whole)
        seen = _overview(stream, asked, tells)
        options = Options(asked.scheduler, asked.scale, asked.past_end, kept)
        try:
            run, parts = simulate_in_parts(asked.model, stream, options, out, report)
        except _native.PastEndError as error:
            does = dict(_native.past_end_rules())["wrap"]
            lines = [(again("--fit"), "reads the whole trace first"), (again("--past-end=wrap"), does)]
            raise _does_not_fit(str(error), lines) from None
        print_note(*stream.about()["notes"])
    return Replayed(run, asked.model, seen, parts=parts)


def _overview(requests: "Trace | TraceStream", asked: Asked, tells: bool) -> "Overview":
    """Return a description of a trace, and print suspicious properties, such as a wrong unit of time."""
    from ..runs.overview import overview
    from ..traces.streams import TraceStream

    seen = overview(requests, asked.model, asked.scale)
    if tells:
        print_note(f"{requests.source}: {seen.sentence(asked.model.name)}")
    told = requests.about()["notes"] if isinstance(requests, TraceStream) else requests.notes
    print_note(*(f"doubtful: {doubt}" for doubt in seen.doubts if doubt not in told))
    return seen


def _in_memory(
    workload: "Trace", asked: Asked, out: Path | None, tells: bool, is_whole: bool, tick: int | None = None
) -> Replayed:
    from ..runs.breakdown import BREAKDOWN_COLUMNS, breakdown
    from ..runs.inference import replay_extremes
    from ..runs.run import simulate
    from ..runs.spread_runs import spread_runs
    from ..traces.tools.spreading import spread

    recorded = workload
    if asked.spread is not None:
        workload = spread(recorded, asked.spread, tick=tick)
    model, seen = asked.model, _overview(workload, asked, tells)
    found = _fit(workload, asked)
    if found is not None:
        model, asked = found.target, replace(asked, past_end=found.past_end)
        if tells:
            print_note(found.sentence())
    # Without a file, the command shows only the summary and the data of a page.
    kept = BREAKDOWN_COLUMNS if out is None and not is_whole else asked.columns or "all"
    how: dict[str, Any] = {"scheduler": asked.scheduler, "scale": asked.scale, "past_end": asked.past_end}
    intervals = None
    if asked.spread is not None:
        with progress("Replaying with other times", None) as report:
            more = {**how, "replay": asked.replay}
            intervals = spread_runs(model, recorded, asked.spread, tick=tick, progress=report, **more)
    with progress("Simulating", len(workload)) as report:
        run = simulate(model, workload, **how, replay=asked.replay, progress=report, columns=kept)
    inference: dict[str, float] = {}
    if run.settings.replay.startswith("think") and workload.recorded_replay == "open":
        with progress("Replaying under both extremes", 2 * len(workload)) as report:
            inference = replay_extremes(model, workload, run, report, **how)
    if out is not None:
        with progress(f"Writing {out.name}", None):
            run.write(out)
    parts = breakdown(run, workload) if kept in (BREAKDOWN_COLUMNS, "all") else None
    return Replayed(run, model, seen, found, parts, inference, intervals)


def _fit(workload: "Trace", asked: Asked) -> "Fit | None":
    """Return the change by which ``--fit`` makes a trace fit the device; None without ``--fit``.

    Raises:
        TraceError: The trace reaches past the end of the device, and no option states what to do then; the
            error lists commands that work.
    """
    from ..runs.trace_fit import capacity_bytes, fit, reach_bytes, ways

    if asked.fit:
        return fit(asked.model, workload, asked.or_larger)
    if asked.past_end != "error" or reach_bytes(workload) <= capacity_bytes(asked.model):
        return None
    rules = ways(asked.model, workload)
    found = fit(asked.model, workload, asked.or_larger)
    lines = [(again("--fit"), found.done())]
    lines += [(again(f"--past-end={rule}"), does) for rule, does in rules.items()]
    raise _does_not_fit(f"{workload.source} {found.lack()}", lines)


def check_fits(workload: "Trace | None", models: "Mapping[str, Target]", past_end: str) -> None:
    """Raise an error if a trace is larger than every device and no rule for such requests is given.

    If at least one device holds the trace, the comparison runs; smaller devices get rows without figures.

    Args:
        workload: The trace; None for a random workload, which is drawn to fit each device.
        models: The devices and volumes by name.
        past_end: The rule for requests past the end of a device.

    Raises:
        DoesNotFitError: The trace is larger than every device, and the rule is ``error``.
    """
    from ..runs.trace_fit import capacity_bytes, fit, reach_bytes, ways

    if workload is None or past_end != "error":
        return
    largest = max(models.values(), key=capacity_bytes)
    if reach_bytes(workload) <= capacity_bytes(largest):
        return
    rules = [ways(model, workload) for model in models.values()]
    lines = [(again("--fit"), fit(largest, workload).done())]
    lines += [
        (again(f"--past-end={rule}"), does)
        for rule, does in _native.past_end_rules()
        if all(rule in found for found in rules)
    ]
    raise _does_not_fit(f"{workload.source} {fit(largest, workload).lack()}", lines)


def fitting(
    workload: "Trace | None", models: "Mapping[str, Target]", how: "Fitting"
) -> "tuple[dict[str, Target], str]":
    """Make a trace fit several devices as ``--fit`` and ``--past-end`` state, and print the changes.

    Args:
        workload: The trace; None for a random workload, which is drawn to fit each device.
        models: The devices and volumes by name.
        how: The values of ``--fit`` and ``--past-end``.

    Returns:
        The changed devices and volumes by name, and the rule for requests past the end of a device.

    Raises:
        ParameterError: Both options are given.
        TraceError: The trace is larger than every device, and neither option is given.
    """
    from ..runs.trace_fit import fit

    rule = how.rule()
    if workload is None or not how.fit:
        check_fits(workload, models, rule)
        return dict(models), rule
    found = {name: fit(model, workload) for name, model in models.items()}
    print_note(*(f"{name}: {one.sentence()}" for name, one in found.items() if one.how != "as it is"))
    # A device that holds the trace takes any rule; a device that can have more sleds takes the rule of
    # others.
    rule = max((one.past_end for one in found.values()), key=("error", "sleds", "squeeze").index)
    return {name: one.target for name, one in found.items()}, rule


def fitting_device(workload: "Trace", model: "Device", how: "Fitting") -> "tuple[Device, str]":
    """Make a trace fit one device, but never by several devices; return the device and the past-end rule.

    See `fitting`.
    """
    from ..model.devices import Device

    found, rule = fitting(workload, {model.name: model}, how)
    (target,) = found.values()
    return (target, rule) if isinstance(target, Device) else (model, "squeeze")


def varying_rule(subjects: "Sequence[Subject]", workloads: "Sequence[Requests]", how: "Fitting") -> str:
    """Return the one rule for requests past the end that suits all devices of a study.

    ``--fit`` chooses the rule, and this function then prints it; otherwise ``--past-end`` states the rule.
    """
    from ..runs.trace_fit import fit

    rule = how.rule()
    if not how.fit:
        return rule
    traces = [one.trace for one in workloads if one.trace is not None]
    models = [subject.with_changes({}) for subject in subjects] if traces else []
    found = {fit(model, trace).how for model in models for trace in traces} - {"as it is"}
    if not found:
        return rule
    rule = "sleds" if found == {"sleds"} else "squeeze"
    print_note(f"--fit: --past-end {rule} for requests past the end: {dict(_native.past_end_rules())[rule]}")
    return rule


def _does_not_fit(lack: str, lines: "Sequence[tuple[str, str]]") -> DoesNotFitError:
    """Return the error about a trace that does not fit; `lines` are commands that work, with effects."""
    width = max(len(command) for command, _ in lines) if lines else 0
    return DoesNotFitError(lack, [f"  {command:{width}}  {does}" for command, does in lines])


def again(option: str) -> str:
    """Return the command line of this process with `option` added at its end."""
    return f"{shlex.join(['sledsim', *sys.argv[1:]])} {option}"
