from . import (
    errors as errors,
    extend as extend,
    listings as listings,
    options as options,
    results as results,
    studies as studies,
    tips as tips,
)
from ._native import ParameterError as ParameterError, TraceError as TraceError, __version__ as __version__
from .emulator import crash as crash
from .exploration import design as design
from .exploration.climbing import response_curves as response_curves, trace_curves as trace_curves
from .exploration.comparing import compare as compare
from .exploration.design import format_characteristics as format_characteristics, format_space as format_space
from .exploration.holding import holds as holds
from .exploration.optimising import optimise as optimise
from .exploration.sobol_sensitivity import sensitivity as sensitivity
from .exploration.sweeping import read_sweep as read_sweep, sweep as sweep
from .model.catalogue import devices as devices, schedulers as schedulers, workloads as workloads
from .model.devices import Device as Device
from .model.disksim import import_disksim as import_disksim
from .model.episodes import Slow as Slow, Stall as Stall
from .model.faults import with_faults as with_faults
from .model.typed import device as device, volume as volume
from .model.volumes import Volume as Volume, volumes as volumes, with_episodes as with_episodes
from .runs.bounds import read_bounds as read_bounds, schedule_bounds as schedule_bounds
from .runs.breakdown import breakdown as breakdown
from .runs.inference import replay_extremes as replay_extremes
from .runs.overview import overview as overview
from .runs.result_files import read_run as read_run
from .runs.run import Run as Run, simulate as simulate
from .runs.side_by_side import report_runs as report_runs
from .runs.simulation import Simulation as Simulation
from .runs.trace_fit import fit as fit
from .runs.validation import validate as validate
from .traces.fitting import fit_workload as fit_workload
from .traces.formats import formats as formats
from .traces.generators import open_workload as open_workload, workload as workload
from .traces.statistics import trace_statistics as trace_statistics
from .traces.streams import TraceStream as TraceStream
from .traces.trace import Trace as Trace, random_workload as random_workload
from .traces.trace_files import (
    bundled_trace as bundled_trace,
    demo_trace as demo_trace,
    open_trace as open_trace,
    read_trace as read_trace,
    write_trace as write_trace,
)
