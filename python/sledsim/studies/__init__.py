"""Studies of the bare device: what it can do, before any policy and any load.

Every study is a function of a device that returns a table, and one row of `STUDIES`. `run` makes one by its
name::

    sledsim.studies.run("seek-map", sledsim.device("mascots03")).write("seek-map")
"""

import inspect
from typing import Any

from .._native import ParameterError
from ..common.files import check_folder
from ..model.devices import Device
from .access_sequence import chart as _chart_access_sequence, read_modify_write_sequence
from .array_survival import array_survival, chart as _chart_array_survival
from .data_loss import chart as _chart_data_loss, data_loss
from .data_sheet import chart as _chart_data_sheet, data_sheet
from .equivalence_regions import chart as _chart_equivalence_regions, equivalence_regions
from .error_correction import chart as _chart_error_correction, corrected as _corrected, error_correction
from .large_requests import chart as _chart_large_requests, large_requests
from .options import Progress, described, effective, option_names, unknown
from .power_strategies import chart as _chart_power_strategies, power_strategies
from .read_modify_write import chart as _chart_read_modify_write, read_modify_write
from .seek_distance import chart as _chart_seek_distance, few_distances, seek_distance
from .seek_distribution import chart as _chart_seek_distribution, quantiles as _quantiles, seek_distribution
from .seek_map import bands as _bands, seek_map
from .seek_map_chart import chart as _chart_seek_map
from .seek_models import chart as _chart_seek_models, digest as _models_side_by_side, seek_models
from .sensitivities import acceleration, access_velocity, bit_width, resonant_frequency, settling_constants
from .sensitivity import chart as _chart_sensitivity, sensitivity
from .slew_limit import chart as _chart_slew_limit, digest as _at_few_distances, slew_limit
from .start_up import chart as _chart_start_up, start_up
from .study import Definition, Study
from .subregions import chart as _chart_subregions, subregions
from .tables import origin, with_origin
from .tip_spread import chart as _chart_tip_spread, tip_spread
from .zone_threshold import chart as _chart_zone_threshold, zone_threshold

__all__ = [
    "STUDIES",
    "Definition",
    "Study",
    "acceleration",
    "access_velocity",
    "array_survival",
    "bit_width",
    "check_folder",
    "data_loss",
    "data_sheet",
    "described",
    "equivalence_regions",
    "error_correction",
    "find",
    "large_requests",
    "option_names",
    "origin",
    "power_strategies",
    "read_modify_write",
    "read_modify_write_sequence",
    "resonant_frequency",
    "run",
    "seek_distance",
    "seek_distribution",
    "seek_map",
    "seek_models",
    "sensitivity",
    "settling_constants",
    "slew_limit",
    "start_up",
    "subregions",
    "tip_spread",
    "zone_threshold",
]

#: Every study. One study is one file and one row here.
STUDIES: tuple[Definition, ...] = (
    Definition(
        "data-sheet",
        "what follows from the parameters, beside the paper's figures (001-E-10)",
        data_sheet,
        _chart_data_sheet,
    ),
    Definition(
        "seek-map",
        "seek time from four bits to all others, in bands of 0.1 ms (000-E-1, Fig. 2)",
        seek_map,
        _chart_seek_map,
        _bands,
    ),
    Definition(
        "equivalence-regions",
        "how many bits along x and y are reached within a time (000-C2)",
        equivalence_regions,
        _chart_equivalence_regions,
    ),
    Definition(
        "zone-threshold",
        "seeks from the centre of a zone to its border, and across it (000-C3)",
        zone_threshold,
        _chart_zone_threshold,
    ),
    Definition(
        "seek-distance",
        "seek time over distance, with and without settling and turnarounds (002-E-2, Fig. 5a)",
        seek_distance,
        _chart_seek_distance,
        few_distances,
    ),
    Definition(
        "seek-distribution",
        "seek times of the Random workload (002-E-2, Fig. 5b)",
        seek_distribution,
        _chart_seek_distribution,
        _quantiles,
    ),
    Definition(
        "seek-models",
        "what each seek model makes of the same seeks (000-F21, 001-F30)",
        seek_models,
        _chart_seek_models,
        _models_side_by_side,
    ),
    Definition(
        "slew-limit",
        "seeks of actuators that take time, and the vibration that the ideal command would leave",
        slew_limit,
        _chart_slew_limit,
        _at_few_distances,
    ),
    Definition(
        "sensitivity-acceleration",
        "access time over the acceleration of the sled (002-E-3, Fig. 6)",
        acceleration,
        _chart_sensitivity,
    ),
    Definition(
        "sensitivity-velocity",
        "access time over the access velocity, at several accelerations (002-E-4, Fig. 7)",
        access_velocity,
        _chart_sensitivity,
    ),
    Definition(
        "sensitivity-bit-width",
        "access time over the width of a bit (002-E-5, Fig. 8)",
        bit_width,
        _chart_sensitivity,
    ),
    Definition(
        "sensitivity-frequency",
        "access time over the resonant frequency (002-E-6, Fig. 9)",
        resonant_frequency,
        _chart_sensitivity,
    ),
    Definition(
        "sensitivity-settling",
        "access time over the time constants of settling (002-E-7, Fig. 10)",
        settling_constants,
        _chart_sensitivity,
    ),
    Definition(
        "subregions",
        "mean positioning inside each of the subregions (001-E-5, Fig. 9)",
        subregions,
        _chart_subregions,
    ),
    Definition(
        "large-requests",
        "service of a 256 KiB read over the seek before it (001-E-6, Fig. 10)",
        large_requests,
        _chart_large_requests,
    ),
    Definition(
        "read-modify-write",
        "the same blocks twice: read-modify-write, verify after write (001-E-8, Table 2)",
        read_modify_write,
        _chart_read_modify_write,
    ),
    Definition(
        "read-modify-write-sequence",
        "the same of consecutive requests, each pair before the next or not, beside a plain stream (001-F26)",
        read_modify_write_sequence,
        _chart_access_sequence,
    ),
    Definition(
        "error-correction",
        "what a code over tips and a check down them correct, tried with data (001-F21)",
        error_correction,
        _chart_error_correction,
        _corrected,
    ),
    Definition(
        "tip-spread",
        "defects over neighbouring tips, with a block's tips side by side and spread (001-F22)",
        tip_spread,
        _chart_tip_spread,
    ),
    Definition(
        "data-loss",
        "losing a block and losing the device to tips and defects, by code and spares (001-F21, F24)",
        data_loss,
        _chart_data_loss,
    ),
    Definition(
        "array-survival",
        "arrays over their economic life, with simulated rebuilds, beside those of disks (001-F25)",
        array_survival,
        _chart_array_survival,
    ),
    Definition(
        "power-strategies",
        "resting at once, merging requests, reading parts of blocks: energy and response (003-F10)",
        power_strategies,
        _chart_power_strategies,
    ),
    Definition(
        "start-up",
        "from rest to the first access, of many devices at once, beside disks (001-F28, 001-C18)",
        start_up,
        _chart_start_up,
    ),
)


def find(name: str) -> Definition:
    """The study of a name.

    Raises:
        ParameterError: There is none; the message names the nearest ones.
    """
    for study in STUDIES:
        if study.name == name:
            return study
    raise unknown("study", name, [study.name for study in STUDIES])


def run(name: str, device: Device, *, progress: Progress | None = None, **options: Any) -> Study:
    """Make a study of a device.

    Args:
        name: One of the names in `STUDIES`.
        device: From `device`, of the kind mems.
        progress: Told the percentage done now and then, by the studies that simulate a lot.
        options: Of the study's function.

    Raises:
        ParameterError: There is no such study or option, an option has a wrong value, or the device is of
            another kind.
    """
    study = find(name)
    if device.kind != "mems":
        raise ParameterError(
            f"{name} is a study of a sled: expected a device of the kind mems, found {device.name}"
            f" of the kind {device.kind}; `sledsim show` has its characteristics"
        )
    all_options = effective(study.table, options)
    more = {"progress": progress} if "progress" in inspect.signature(study.table).parameters else {}
    table = study.table(device, **all_options, **more)
    return Study(study, device.name, with_origin(table, name, device, all_options))
