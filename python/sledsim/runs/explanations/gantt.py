"""Gantt charts of a request's response time: a row of bars for each cause."""

from collections.abc import Mapping, Sequence

from .segments import DUE, Segment

#: Characters of a bar, by the number of filled eighths.
_CELLS = " ▏▎▍▌▋▊▉█"


def lanes(segments: Sequence[Segment], steps: int) -> Mapping[str, list[tuple[int, int]]]:
    """Return the start and end in nanoseconds of each bar, by cause, in the order of `DUE`.

    Gaps that are shorter than a step are closed.

    Args:
        segments: Pieces of the response time of a request, in order.
        steps: Number of steps into which the response time is divided; a gap shorter than a step is not
            drawn.
    """
    found: dict[str, list[tuple[int, int]]] = {}
    if not segments:
        return found
    step_ns = (segments[-1].until_ns - segments[0].from_ns) / steps
    for one in segments:
        lane = found.setdefault(one.due, [])
        if lane and one.from_ns - lane[-1][1] < step_ns:
            lane[-1] = (lane[-1][0], one.until_ns)
        else:
            lane.append((one.from_ns, one.until_ns))
    return {due: found[due] for due in DUE if due in found}


def text_bars(segments: Sequence[Segment], width: int) -> Mapping[str, str]:
    """Return a bar of `width` characters for each cause; the width stands for the whole response time."""
    if not segments:
        return {}
    first_ns, whole_ns = segments[0].from_ns, segments[-1].until_ns - segments[0].from_ns
    filled: dict[str, list[float]] = {}
    for one in segments:
        cells = filled.setdefault(one.due, [0.0] * width)
        begins, ends = ((at_ns - first_ns) * width / whole_ns for at_ns in (one.from_ns, one.until_ns))
        for cell in range(int(begins), min(width, int(ends) + 1)):
            cells[cell] += max(0.0, min(ends, cell + 1) - max(begins, cell))
    return {due: "".join(map(_cell, filled[due])) for due in DUE if due in filled}


def _cell(part: float) -> str:
    return _CELLS[min(8, max(1, round(part * 8)))] if part > 0 else " "
