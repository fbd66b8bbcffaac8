"""The figures that a condition names, each with the device, requests and policy that it is measured on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..model.catalogue import devices as built_in_devices, schedulers
from ..uncertainty.nodes import Figure
from .evaluation import Row
from .sample import figure_name, named, value_of


@dataclass(frozen=True)
class Place:
    """A figure of a condition with all that identifies its measurement: device or volume, requests, policy.

    Attributes:
        figure: Full name of the figure.
        subject: Name of the device or volume.
        load: Name of the requests; empty if the study has only one set of requests.
        policy: Name of the policy.
    """

    figure: str
    subject: str
    load: str
    policy: str


#: The `Place` of each figure that a condition names.
Places = Mapping[Figure, Place]


def places_of(
    figures: Iterable[Figure], subjects: Sequence[str], scheduler: str, loads: Sequence[str] = ("",)
) -> dict[Figure, Place]:
    """Return, for each figure that a condition names, the device, requests and policy of its measurement.

    Args:
        figures: Figures as conditions name them.
        subjects: Names of devices and volumes; figures that name no device or volume use the first.
        scheduler: Policy of figures that name no policy.
        loads: Names of sets of requests; figures that name no requests use the first.

    Raises:
        ParameterError: A figure is unknown; or it names an unknown device, load or policy, or two devices,
            two loads or two policies.
    """
    return {figure: _place(figure, subjects, scheduler, loads) for figure in figures}


def policies_of(places: Places) -> dict[tuple[str, str], list[str]]:
    """Return the policies to run for each pair of a device (or volume) and a load.

    Keys are pairs of names: of the device or volume, and of the load.
    """
    found: dict[tuple[str, str], dict[str, None]] = {}
    for place in places.values():
        found.setdefault((place.subject, place.load), {})[place.policy] = None
    return {pair: list(policies) for pair, policies in found.items()}


def figures_in(
    places: Places, pair: tuple[str, str], rows: Sequence[Row]
) -> dict[Figure, NDArray[np.float64]]:
    """Return the figures that are measured on one device or volume under one load, as arrays over the runs.

    Args:
        places: `Place` of each figure.
        pair: Names of the device or volume and of the load.
        rows: Rows of the runs: one row per run and policy. Rows of the same run are adjacent, in the order of
            the policies in `policies_of`.
    """
    policies = policies_of(places)[pair]
    return {
        figure: np.array(
            [value_of(row, place.figure) for row in rows[policies.index(place.policy) :: len(policies)]]
        )
        for figure, place in places.items()
        if (place.subject, place.load) == pair
    }


def _place(figure: Figure, subjects: Sequence[str], scheduler: str, loads: Sequence[str]) -> Place:
    found: dict[str, list[str]] = {"devices or volumes": [], "loads": [], "policies": []}
    for argument in figure.arguments:
        if argument in subjects:
            kind = "devices or volumes"
        elif argument in loads:
            kind = "loads"
        elif _is_policy(argument):
            kind = "policies"
        else:
            known = ", ".join([*subjects, *filter(None, loads)])
            raise _native.ParameterError(
                f"{named(figure)}: expected a policy, or one of {known}, found {argument!r}"
                f"{_meant(argument, subjects)}"
            )
        found[kind].append(argument)
    for kind, names in found.items():
        if len(names) > 1:
            raise _native.ParameterError(
                f"{named(figure)}: expected one device or volume and one policy, found two {kind}"
            )
    of, under, policies = found.values()
    name = figure_name(figure.name)
    return Place(name, [*of, *subjects][0], [*under, *loads][0], [*policies, scheduler][0])


def _is_policy(name: str) -> bool:
    try:
        _native.row_name("schedulers", name.partition(":")[0].split("+")[0])
    except _native.ParameterError:
        return False
    return True


def _meant(argument: str, subjects: Sequence[str]) -> str:
    """Return a hint on an unknown name in a figure, such as "; did you mean 'sptf'?"; may be empty."""
    if argument in built_in_devices():
        return f": add --device {argument}"
    known = [*schedulers(), *subjects, *built_in_devices()]
    meant = get_close_matches(argument, known, 1)
    return f"; did you mean {meant[0]!r}?" if meant else ""
