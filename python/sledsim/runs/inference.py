"""Test of the think times that a replay infers from a trace: how much they affect the mean response time."""

from typing import Any

import numpy as np

from .. import _native
from ..common.progress import Progress, told, watched
from ..model.volumes import Target
from ..traces.trace import Trace
from .run import Run, simulate

#: Replay mode of each of the two replays, by name of the resulting mean: no request waits for another one, or
#: each waits for the one before it.
EXTREMES = {
    "nothing_waited_mean_response_s": "open",
    "all_waited_mean_response_s": "think:longest_ms=inf",
}


#: Largest value of ``rests_on_inference`` at which the inferred think times hardly affect the mean.
_LITTLE = 0.05


def in_words(rests_on_inference: float) -> str:
    """Return a sentence on the reliability of the mean response of a think-time replay.

    Args:
        rests_on_inference: Figure ``rests_on_inference`` that `replay_extremes` returned.
    """
    if rests_on_inference <= _LITTLE:
        verdict = "the inference does not matter"
    elif rests_on_inference < 1:
        verdict = "the mean response is rough"
    else:
        verdict = "the mean response is a guess"
    return (
        "The mean responses of a replay without any waits and of a replay in which each request waits for the"
        f" request before it are {rests_on_inference:.3g} times as far apart as the means of this run and of"
        f" the recording: {verdict}."
    )


@watched
def replay_extremes(
    device: Target,
    trace: Trace,
    run: Run,
    progress: Progress = None,
    **options: Any,
) -> dict[str, float]:
    """Replay a trace twice: as if no request had waited for another one, and as if every one had.

    Args:
        device: Device on which `run` was made.
        trace: Trace that `run` replayed.
        run: Run of the trace with think times (``replay="think"``), to which the two replays are compared.
        progress: Callback or bar, as for `simulate`; it counts the requests of both replays.
        options: Options of `simulate` with which `run` was made; not `replay`.

    Returns:
        Mean response times in seconds: as recorded in the trace, and of the two replays. ``waited_share``:
        fraction of the requests that waited in `run`. ``rests_on_inference``: difference between the means of
        the two replays, divided by the difference between the recorded mean and the mean of `run`.

    Raises:
        ParameterError, TraceError: The same errors as `simulate`.
    """
    requests, moves = trace.replayed(), trace.transfers()
    measured = moves.measured_ns[moves.measured_ns > 0]
    if not len(measured):
        raise _native.TraceError(f"{trace.source}: the trace has no measured response times")
    recorded_s = float(measured.mean()) * 1e-9
    means = {"recorded_mean_response_s": recorded_s}
    tell = told(progress, len(EXTREMES) * len(requests))
    for number, (name, replay) in enumerate(EXTREMES.items()):
        before = number * len(requests)
        report = (lambda done, before=before: tell(before + done)) if tell else None
        extreme = simulate(device, trace, **options, progress=report, replay=replay)
        means[name] = float(extreme.transfers.response_ns.mean()) * 1e-9
    first, second = (means[name] for name in EXTREMES)
    change = recorded_s - float(run.transfers.response_ns.mean()) * 1e-9
    share = abs(first - second) / abs(change) if change else float(np.inf if first != second else 0)
    return {
        "waited_share": run.totals["waited"] / len(requests),
        **means,
        "rests_on_inference": share,
    }
