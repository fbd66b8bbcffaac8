from . import errors as errors, papers as papers, studies as studies
from ._native import (
    DeviceRequest as DeviceRequest,
    ParameterError as ParameterError,
    TraceError as TraceError,
    __version__ as __version__,
)
from .emulator import crash as crash
from .exploration import design as design
from .exploration.climbing import response_curves as response_curves, trace_curves as trace_curves
from .exploration.comparing import compare as compare
from .exploration.design import (
    FormatSpace as FormatSpace,
    format_characteristics as format_characteristics,
    format_space as format_space,
)
from .exploration.holding import Holding as Holding, holds as holds
from .exploration.optimising import Optimum as Optimum, optimise as optimise
from .exploration.sensitivity import Sensitivity as Sensitivity, sensitivity as sensitivity
from .exploration.sweep import Sweep as Sweep, read_sweep as read_sweep, sweep as sweep
from .model.catalogue import (
    column_sets as column_sets,
    device_kinds as device_kinds,
    devices as devices,
    past_end_rules as past_end_rules,
    power_policies as power_policies,
    replay_options as replay_options,
    replays as replays,
    scheduler_options as scheduler_options,
    scheduler_wrappers as scheduler_wrappers,
    schedulers as schedulers,
    workload_options as workload_options,
    workloads as workloads,
)
from .model.devices import Device as Device, register_seek_model as register_seek_model
from .model.disksim import ImportedDisk as ImportedDisk, import_disksim as import_disksim
from .model.episodes import EpisodicDevice as EpisodicDevice, Slow as Slow, Stall as Stall
from .model.faults import FaultyDevice as FaultyDevice, with_faults as with_faults
from .model.own_devices import parameter as parameter, register_device as register_device
from .model.scheduling import register_scheduler as register_scheduler
from .model.systems import (
    Volume as Volume,
    volume_options as volume_options,
    volume_roles as volume_roles,
    volumes as volumes,
    with_episodes as with_episodes,
)
from .model.tip_codes import (
    DecodedBlock as DecodedBlock,
    TipCode as TipCode,
    TipPlacement as TipPlacement,
    block_checks as block_checks,
    detections as detections,
    tip_code as tip_code,
    tip_placement as tip_placement,
)
from .model.typed import device as device, volume as volume
from .runs.bounds import Bounds as Bounds, read_bounds as read_bounds, schedule_bounds as schedule_bounds
from .runs.breakdown import Breakdown as Breakdown, breakdown as breakdown
from .runs.comparisons import Comparison as Comparison
from .runs.curves import Curves as Curves
from .runs.device_check import Checked as Checked, DeviceCheck as DeviceCheck, check_device as check_device
from .runs.explanations import (
    Alternative as Alternative,
    Explanation as Explanation,
    Impossible as Impossible,
    Segment as Segment,
    Served as Served,
)
from .runs.fitting import Fit as Fit, fit as fit
from .runs.inference import replay_extremes as replay_extremes
from .runs.overview import Overview as Overview, overview as overview
from .runs.result_files import read_run as read_run
from .runs.run import Run as Run, simulate as simulate
from .runs.side_by_side import report_runs as report_runs
from .runs.simulation import Completions as Completions, Simulation as Simulation
from .runs.validation import Validation as Validation, validate as validate
from .traces.files import (
    bundled_trace as bundled_trace,
    bundled_traces as bundled_traces,
    demo_trace as demo_trace,
    open_trace as open_trace,
    read_trace as read_trace,
    write_trace as write_trace,
)
from .traces.fitting import FittedWorkload as FittedWorkload, fit_workload as fit_workload
from .traces.formats import formats as formats, writable_formats as writable_formats
from .traces.generators import open_workload as open_workload, workload as workload
from .traces.statistics import TraceStatistics as TraceStatistics, trace_statistics as trace_statistics
from .traces.streams import TraceStream as TraceStream
from .traces.trace import Trace as Trace, random_workload as random_workload
