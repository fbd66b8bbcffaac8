"""Comparisons of two policies on an input, by a ratio (with interval) of, for example, mean responses."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sledsim.estimates import Estimate
from sledsim.results import Curves

from ..shared import FIGURES, NEAR, RESPONSE, SHAPE, OnInput, doubt, together
from ..shared.claims import Claim, numbers_of, stated, texts
from .hours import LONGEST
from .inputs import REASON, Input

#: Names of policies in paper 000, by their names in sledsim.
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
#: Names of the figures in which policies are compared, by column.
_FIGURES = {**FIGURES, LONGEST: "longest response"}
#: Pairs of an input and the response curves of the policies on this input.
Measured = Sequence[tuple[Input, Curves]]
#: Largest relative difference of two figures that counts as "slightly" in section 8 of the paper.
_SLIGHTLY = 0.07


@dataclass(frozen=True)
class Comparison:
    """Ratio of a figure under one policy to the same figure under another policy, at several loads.

    Attributes:
        policies: Policy of the numerator, and policy of the denominator.
        ratios: Pairs of a load and the ratio at this load, with its interval. Loads are left out that
            saturate a policy, or at which its queue never settles.
        saturated: Loads that saturate the first policy; loads that saturate the second policy.
        unsettled: Loads at which the queue of the first policy never settles, so that no mean exists; then
            those loads for the second policy.
        unit: Unit of the loads: ``rate_per_s`` for requests/s, or ``scale`` for a scale factor.
    """

    policies: tuple[str, str]
    ratios: Sequence[tuple[float, Estimate]]
    saturated: tuple[Sequence[float], Sequence[float]]
    unsettled: tuple[Sequence[float], Sequence[float]]
    unit: str

    @property
    def alone(self) -> tuple[set[float], set[float]]:
        """Loads at which only the first policy has no mean response; then those with only the second one."""
        above, below = ({*loads, *more} for loads, more in zip(self.saturated, self.unsettled, strict=True))
        return above - below, below - above

    @property
    def text(self) -> str:
        """Text with the ratio at each load; at other loads it names the policy without a mean, and why."""
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
    """Divide a figure under the policy `above` by the figure under the policy `below`, at each load."""
    ratios = [(one.load, one.ratio) for one in curves.difference(above, below, figure) if one.load in loads]

    def without_mean(name: str, unsettled: bool) -> list[float]:
        points = {load: curves.point(name, load) for load in loads}
        # The curve of a policy ends at the first load that saturates it, so a missing point is saturated.
        missing = {load: point for load, point in points.items() if point is None or point.saturated}
        return [load for load, point in missing.items() if bool(point and point.unsettled) is unsettled]

    saturated = without_mean(above, False), without_mean(below, False)
    unsettled = without_mean(above, True), without_mean(below, True)
    return Comparison((above, below), ratios, saturated, unsettled, curves.load_key)


def larger(found: Comparison) -> bool | None:
    """Return True if the first policy's figure is clearly larger at all loads, None if intervals allow both.

    A load that saturates only the first policy counts as larger. The result is False if the figure is clearly
    smaller at a load, or only the second policy is saturated there, and None if the comparison is open. A
    queue that never settles leaves it open, as it may stay shorter than the queue of the other policy.
    """
    above, below = found.alone
    known = bool(found.ratios or above) and above <= set(found.saturated[0]) and not below
    return doubt.told(
        known and all(doubt.above(ratio) for _, ratio in found.ratios),
        bool(below & set(found.saturated[1])) or any(doubt.below(ratio) for _, ratio in found.ratios),
    )


def alike(found: Comparison) -> bool | None:
    """Return True if both policies' figures differ by at most 15 % at all loads; None if unclear."""
    return _within(found, SHAPE)


def no_smaller(found: Comparison) -> bool | None:
    """Return True if the first policy's figure is clearly larger at one load or more, and smaller at none.

    Smaller by up to 1 % counts as equal. The result is None if the intervals allow both answers.
    """
    return doubt.told(
        any(doubt.above(ratio) for _, ratio in found.ratios)
        and all(doubt.above(ratio, 1 - NEAR) for _, ratio in found.ratios),
        any(doubt.below(ratio, 1 - NEAR) for _, ratio in found.ratios),
    )


def far_larger(found: Comparison) -> bool | None:
    """Return True if the first policy's figure is over 15 % larger at all loads; None if unclear."""
    return doubt.told(
        bool(found.ratios) and all(doubt.above(ratio, 1 + SHAPE) for _, ratio in found.ratios),
        any(doubt.below(ratio, 1 + SHAPE) for _, ratio in found.ratios),
    )


def slightly_larger(found: Comparison) -> bool | None:
    """Return True if both policies' figures differ by at most 7 % at all loads; None if unclear."""
    return _within(found, _SLIGHTLY)


@dataclass(frozen=True)
class Said:
    """Statement of the paper that compares two policies, with the test that decides if it holds.

    Attributes:
        above: Policy of the numerator.
        below: Policy of the denominator.
        paper: Ratio that the paper prints, as a text.
        bands: Names of the loads to which the statement applies: ``light``, ``moderate``, ``heavy``.
        told: Function that tests the statement on a `Comparison`: True if it holds, False if not, None if the
            intervals allow both.
        like: Traces of the paper to which the statement applies: ``server``, ``user``.
        figure: Compared figure: `RESPONSE`, `CV2` or `LONGEST`. Only the mean response has an interval on a
            real trace, so the other two are judged on random requests only.
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
        """Text that names the compared figure, both policies, and the loads of the statement."""
        load = "any" if len(self.bands) == 3 else " and ".join(self.bands)
        ratio = f"that under {TITLES[self.below]}"
        return f"{_FIGURES[self.figure]} under {TITLES[self.above]} over {ratio}, {load} load"

    def on(self, one: Input, curves: Curves) -> OnInput:
        """Test the statement on the input `one`, from the policies' curves on it; return the finding."""
        loads = [load for band in self.bands for load in one.loads[band]]
        found = compared(curves, self.above, self.below, loads, self.figure)
        told = self.told(found)
        return OnInput(self.quantity, self.paper, one.name, found.text, told, is_matched=one.is_matched)


def on_all(said: Sequence[Said], measured: Measured) -> list[OnInput]:
    """Test statements on all inputs to which each applies; inputs that resemble one trace share a verdict."""
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
    """Build a claim about unpublished traces; its reason lists the findings that fail or stay open.

    Args:
        id: Id of the claim.
        findings: Findings on the requests that replace the unpublished traces.
        more: Sentences to add at the end of the reason.
    """
    words = [REASON]
    for title, answer in (("Not borne out", False), ("Left open", None)):
        names = [f"{one.quantity}, on {one.input}" for one in findings if one.told is answer]
        words += [f"{title}: {'; '.join(names)}."] if names else []
    return stated(id, *findings, reason=" ".join([*words, more]).rstrip())


def claims(experiment: str, measured: Measured) -> list[Claim]:
    """Build the claims that an experiment decides, from the rows of ``said`` in ``statements.toml``."""
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
