"""Studies of the bare device: figures that depend on no policy and no load.

Each study is a function that takes a device and returns a table; the last line of its file defines the
study. `run` runs a study by its name::

    sledsim.studies.run("seek-map", sledsim.device("mascots03")).write("seek-map")
"""

import inspect
from typing import Any

from .._native import ParameterError
from ..common.output_files import check_folder as check_folder
from ..common.progress import Progress, told, watched
from ..model.devices import Device
from .access_sequence import read_modify_write_sequence as read_modify_write_sequence
from .array_survival import array_survival as array_survival
from .data_loss import data_loss as data_loss
from .data_sheet import data_sheet as data_sheet
from .equivalence_regions import equivalence_regions as equivalence_regions
from .error_correction import corrected as corrected, error_correction as error_correction
from .large_requests import large_requests as large_requests
from .one_parameter import sensitivity as sensitivity
from .power_strategies import power_strategies as power_strategies
from .read_modify_write import read_modify_write as read_modify_write
from .region import Region as Region, directions as directions
from .registry import BUILT_IN, every, find as find
from .seek_distance import seek_distance as seek_distance
from .seek_distribution import seek_distribution as seek_distribution
from .seek_map import seek_map as seek_map
from .seek_models import seek_models as seek_models
from .sensitivities import (
    acceleration as acceleration,
    access_velocity as access_velocity,
    bit_width as bit_width,
    resonant_frequency as resonant_frequency,
    settling_constants as settling_constants,
)
from .sheet import Definition as Definition, Study as Study
from .sheet_options import (
    described as described,
    effective,
    option_names as option_names,
    returned as returned,
)
from .slew_limit import slew_limit as slew_limit
from .start_up import start_up as start_up
from .subregions import subregions as subregions
from .tables import origin as origin, with_origin
from .tip_spread import tip_spread as tip_spread
from .workload import (
    DISK as DISK,
    RATE_PER_S as RATE_PER_S,
    SERVICE_PHASES as SERVICE_PHASES,
    bare as bare,
    phases_ns as phases_ns,
    random_run as random_run,
    service_s as service_s,
)
from .zone_threshold import zone_threshold as zone_threshold

#: All studies: first those of sledsim, in the order in which lists show them, then those of installed
#: packages.
STUDIES: tuple[Definition, ...]
#: Attributes of this module: the function of each study, under its name.
globals().update({study.table.__name__: study.table for study in BUILT_IN})


def __getattr__(name: str) -> Any:
    """Return the tuple `STUDIES`, which is built when it is first used."""
    if name == "STUDIES":
        return every()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@watched
def run(name: str, device: Device, *, progress: Progress = None, **options: Any) -> Study:
    """Run a study of a device, and return its table and chart.

    Args:
        name: Name of a study in `STUDIES`.
        device: Device of the kind mems, from `device`.
        progress: Function that a long study calls with the finished share in percent.
        options: Options of the study, by the names of its function's parameters.

    Raises:
        ParameterError: The study or an option is unknown, a value is wrong, or the study is not for this kind
            of device.
    """
    study = find(name)
    if device.kind != "mems":
        raise ParameterError(
            f"{name} is a study of a sled: expected a device of the kind mems, found {device.name}"
            f" of the kind {device.kind}, whose figures `sledsim show` prints"
        )
    all_options = effective(study.table, options)
    more = (
        {"progress": told(progress, 100)} if "progress" in inspect.signature(study.table).parameters else {}
    )
    table = study.table(device, **all_options, **more)
    return Study(study, device.name, with_origin(table, name, device, all_options))
