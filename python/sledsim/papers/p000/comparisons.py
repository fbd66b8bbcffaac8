"""Two policies on one input: the ratio of a figure at each load with its interval, and what it bears out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sledsim.estimates import Estimate
from sledsim.results import Curves

from ..shared import FIGURES, NEAR, RESPONSE, SHAPE, OnInput, doubt, together
from ..shared.claims import Claim, numbers_of, stated, texts
from .hours import LONGEST
from .inputs import REASON, Input

#: The policies as 000 writes them.
TITLES = {
    "fcfs": "FCFS",
    "zfcfs": "ZFCFS(120, 1200)",
    "cscan": "C-SCAN",
    "sstf_track": "SSTF",
    "sptf": "SPTF",
    "asptf": "ASPTF(5)",
    "asptf:weight=20": "ASPTF(20)",
    "zsptf": "ZSPTF(120, 1200)",
    "zsptf:zone=60x600": "ZSPTF(60, 600)",
    "zsptf:zone=240x2400": "ZSPTF(240, 2400)",
    "ztsptf": "ZTSPTF(120, 1200)",
}
#: The figures by what they are called.
_FIGURES = {**FIGURES, LONGEST: "longest response"}
#: Inputs with the curves of some policies on each.
Measured = Sequence[tuple[Input, Curves]]
#: Section 8: what is slightly more.
_SLIGHTLY = 0.07


@dataclass(frozen=True)
class Comparison:
    """A figure under one policy over that under another, over some loads.

    Attributes:
        policies: The one above, and the one below.
        ratios: The loads that both sustain, with the ratio and its interval.
        saturated: The loads that saturate each.
        unsettled: Those at which the queue of each has not come to rest, so that it has no mean either.
        unit: What a load is: ``rate_per_s`` or ``scale``.
    """

    policies: tuple[str, str]
    ratios: Sequence[tuple[float, Estimate]]
    saturated: tuple[Sequence[float], Sequence[float]]
    unsettled: tuple[Sequence[float], Sequence[float]]
    unit: str

    @property
    def alone(self) -> tuple[set[float], set[float]]:
        """The loads at which only the policy above has no mean, and those at which only the one below has."""
        above, below = ({*loads, *more} for loads, more in zip(self.saturated, self.unsettled, strict=True))
        return above - below, below - above

    @property
    def text(self) -> str:
        """The ratios with the half widths of their intervals, and who is saturated or not at rest."""
        words = [f"{ratio} at {self._load(load)}" for load, ratio in self.ratios]
        above, below = (TITLES[name] for name in self.policies)
        for state, pair in (("saturated", self.saturated), ("not at rest", self.unsettled)):
            one, other = map(set, pair)
            for who, loads in ((above, one - other), (below, other - one), ("both", one & other)):
                if loads:
                    words.append(f"{who} {state} at {' and '.join(map(self._load, sorted(loads)))}")
        return ", ".join(words)

    def _load(self, load: float) -> str:
        return f"{load:,g}/s" if self.unit == "rate_per_s" else f"x{load:,g}"


def compared(
    curves: Curves, above: str, below: str, loads: Sequence[float], figure: str = RESPONSE
) -> Comparison:
    """Compare two policies at some loads, request for request."""
    ratios = [(one.load, one.ratio) for one in curves.difference(above, below, figure) if one.load in loads]

    def without_mean(name: str, unsettled: bool) -> list[float]:
        points = {load: curves.point(name, load) for load in loads}
        # Above the load that saturates it a policy has no point.
        missing = {load: point for load, point in points.items() if point is None or point.saturated}
        return [load for load, point in missing.items() if bool(point and point.unsettled) is unsettled]

    saturated = without_mean(above, False), without_mean(below, False)
    unsettled = without_mean(above, True), without_mean(below, True)
    return Comparison((above, below), ratios, saturated, unsettled, curves.load_key)


def larger(found: Comparison) -> bool | None:
    """Tell whether the first figure is larger at every load, or its policy is saturated alone.

    The contrary is told where it is smaller at a load, or the other policy saturated alone. A queue that is
    not at rest will be longer, but not for sure longer than that of the other policy.
    """
    above, below = found.alone
    known = bool(found.ratios or above) and above <= set(found.saturated[0]) and not below
    return doubt.told(
        known and all(doubt.above(ratio) for _, ratio in found.ratios),
        bool(below & set(found.saturated[1])) or any(doubt.below(ratio) for _, ratio in found.ratios),
    )


def alike(found: Comparison) -> bool | None:
    """Tell whether figures are within 15 % of each other at every load, and neither has one alone."""
    return _within(found, SHAPE)


def no_smaller(found: Comparison) -> bool | None:
    """Tell whether the first figure is larger at a load, and at none smaller by more than 1 %."""
    return doubt.told(
        any(doubt.above(ratio) for _, ratio in found.ratios)
        and all(doubt.above(ratio, 1 - NEAR) for _, ratio in found.ratios),
        any(doubt.below(ratio, 1 - NEAR) for _, ratio in found.ratios),
    )


def far_larger(found: Comparison) -> bool | None:
    """Tell whether the first figure is more than 15 % larger at every load."""
    return doubt.told(
        bool(found.ratios) and all(doubt.above(ratio, 1 + SHAPE) for _, ratio in found.ratios),
        any(doubt.below(ratio, 1 + SHAPE) for _, ratio in found.ratios),
    )


def slightly_larger(found: Comparison) -> bool | None:
    """Tell whether the first figure is at most 7 % from the other at every load (section 8)."""
    return _within(found, _SLIGHTLY)


@dataclass(frozen=True)
class Said:
    """A sentence of the paper on two policies, and how it is looked for.

    Attributes:
        above: The policy whose figure is divided.
        below: The policy by whose figure it is divided.
        paper: The ratio that the paper found.
        bands: The loads of which it says so: light, moderate, heavy.
        told: Whether that is found, or the contrary; None where intervals leave it open.
        like: The traces of which it says so: ``server``, ``user``.
        figure: `RESPONSE` or `CV2` of `policy_curves`, or `LONGEST`; of a real trace only means have an
            interval, so that others are for what is drawn.
    """

    above: str
    below: str
    paper: str
    bands: Sequence[str]
    told: Callable[[Comparison], bool | None]
    like: Sequence[str] = ("server", "user")
    figure: str = RESPONSE

    @property
    def quantity(self) -> str:
        """The figure, the policies, and the loads."""
        load = "any" if len(self.bands) == 3 else " and ".join(self.bands)
        ratio = f"that under {TITLES[self.below]}"
        return f"{_FIGURES[self.figure]} under {TITLES[self.above]} over {ratio}, {load} load"

    def on(self, one: Input, curves: Curves) -> OnInput:
        """The finding on one input."""
        loads = [load for band in self.bands for load in one.loads[band]]
        found = compared(curves, self.above, self.below, loads, self.figure)
        told = self.told(found)
        return OnInput(self.quantity, self.paper, one.name, found.text, told, is_matched=one.is_matched)


def on_all(said: Sequence[Said], measured: Measured) -> list[OnInput]:
    """The findings of each, on every input that it is about; those like one trace are judged together."""
    return [
        found
        for each in said
        for like in each.like
        for found in together(
            [
                each.on(one, curves)
                for one, curves in measured
                if one.like == like and not (one.is_trace and each.figure != RESPONSE)
            ]
        )
    ]


def elsewhere(id: str, findings: Sequence[OnInput], more: str = "") -> Claim:
    """A claim about traces that are not published; its reason names what other inputs do not bear out.

    Args:
        id: As in the reading notes.
        findings: What was found on other inputs.
        more: What else a reader has to know of them.
    """
    words = [REASON]
    for title, told in (("Not borne out", False), ("Left open", None)):
        names = [f"{one.quantity}, on {one.input}" for one in findings if one.told is told]
        words += [f"{title}: {'; '.join(names)}."] if names else []
    return stated(id, *findings, reason=" ".join([*words, more]).rstrip())


def claims(experiment: str, measured: Measured) -> list[Claim]:
    """`elsewhere` for what the paper says, as ``statements.toml`` has it under an experiment."""
    said, names = texts("said"), [f"{experiment[:3]}-C{number}" for number in numbers_of(experiment)]
    found = {name: [_said(*row) for row in said[name]] for name in names if name in said}
    return [elsewhere(name, on_all(each, measured)) for name, each in found.items()]


def _said(
    above: str,
    below: str,
    paper: str,
    bands: str,
    told: str,
    like: str = "server user",
    figure: str = RESPONSE,
) -> Said:
    tests = {test.__name__: test for test in (larger, alike, no_smaller, far_larger, slightly_larger)}
    return Said(above, below, paper, bands.split(), tests[told], like.split(), figure)


def _within(found: Comparison, part: float) -> bool | None:
    above, below = found.alone
    is_saturated_alone = bool(above & set(found.saturated[0]) or below & set(found.saturated[1]))
    near = bool(found.ratios) and all(doubt.within(ratio, part) for _, ratio in found.ratios)
    apart = any(doubt.apart(ratio, part) for _, ratio in found.ratios)
    return doubt.told(near and not (above or below), is_saturated_alone or apart)
