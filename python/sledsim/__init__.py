"""Simulator and design tool for MEMS-based (probe) storage.

Everything public is here; each name is loaded from its module when it is first used, so that
``import sledsim`` costs nothing.
"""

from importlib import import_module

# That of `typing`, which takes longer to load than all of this.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from . import design, device_studies, papers
    from ._native import ParameterError, TraceError, __version__
    from .bounds import Bounds, read_bounds, schedule_bounds
    from .catalogue import (
        device_kinds,
        devices,
        formats,
        past_end_rules,
        power_policies,
        replay_options,
        replays,
        scheduler_options,
        scheduler_wrappers,
        schedulers,
        workload_options,
        workloads,
        writable_formats,
    )
    from .comparisons import Comparison, compare
    from .curves import Curves
    from .design import FormatSpace, format_characteristics, format_space
    from .disksim_import import ImportedDisk, import_disksim
    from .faulty_devices import FaultyDevice, with_faults
    from .fitting import FittedWorkload, fit_workload
    from .generators import workload
    from .inference import replay_extremes
    from .models import Device, device, register_seek_model
    from .result_files import read_run
    from .runs import Run, simulate
    from .scheduling import register_scheduler
    from .sweeps import response_curves, trace_curves
    from .systems import Volume, volume, volume_options, volume_roles, volumes
    from .tip_codes import (
        DecodedBlock,
        TipCode,
        TipPlacement,
        block_checks,
        detections,
        tip_code,
        tip_placement,
    )
    from .trace_files import (
        TraceStream,
        bundled_trace,
        bundled_traces,
        demo_trace,
        open_trace,
        read_trace,
        write_trace,
    )
    from .trace_statistics import TraceStatistics, trace_statistics
    from .traces import Trace, random_workload
    from .validation import Validation, validate

_MODULES = {
    "_native": ["ParameterError", "TraceError", "__version__"],
    "bounds": ["Bounds", "read_bounds", "schedule_bounds"],
    "catalogue": [
        *("device_kinds", "devices", "formats", "writable_formats"),
        *("past_end_rules", "power_policies", "replay_options", "replays"),
        *("scheduler_options", "scheduler_wrappers", "schedulers"),
        *("workload_options", "workloads"),
    ],
    "comparisons": ["Comparison", "compare"],
    "curves": ["Curves"],
    "design": ["FormatSpace", "format_characteristics", "format_space"],
    "disksim_import": ["ImportedDisk", "import_disksim"],
    "faulty_devices": ["FaultyDevice", "with_faults"],
    "fitting": ["FittedWorkload", "fit_workload"],
    "generators": ["workload"],
    "inference": ["replay_extremes"],
    "models": ["Device", "device", "register_seek_model"],
    "sweeps": ["response_curves", "trace_curves"],
    "result_files": ["read_run"],
    "runs": ["Run", "simulate"],
    "scheduling": ["register_scheduler"],
    "tip_codes": [
        *("DecodedBlock", "TipCode", "TipPlacement"),
        *("block_checks", "detections", "tip_code", "tip_placement"),
    ],
    "trace_files": [
        *("TraceStream", "bundled_trace", "bundled_traces", "demo_trace"),
        *("open_trace", "read_trace", "write_trace"),
    ],
    "trace_statistics": ["TraceStatistics", "trace_statistics"],
    "traces": ["Trace", "random_workload"],
    "validation": ["Validation", "validate"],
    "systems": ["Volume", "volume", "volume_options", "volume_roles", "volumes"],
}
#: Modules that are public as a whole.
_SUBMODULES = ["design", "device_studies", "papers"]
_HOME = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "Bounds",
    "Comparison",
    "Curves",
    "DecodedBlock",
    "Device",
    "FaultyDevice",
    "FittedWorkload",
    "FormatSpace",
    "ImportedDisk",
    "ParameterError",
    "Run",
    "TipCode",
    "TipPlacement",
    "Trace",
    "TraceError",
    "TraceStatistics",
    "TraceStream",
    "Validation",
    "Volume",
    "__version__",
    "block_checks",
    "bundled_trace",
    "bundled_traces",
    "compare",
    "demo_trace",
    "design",
    "detections",
    "device",
    "device_kinds",
    "device_studies",
    "devices",
    "fit_workload",
    "format_characteristics",
    "format_space",
    "formats",
    "import_disksim",
    "open_trace",
    "papers",
    "past_end_rules",
    "power_policies",
    "random_workload",
    "read_bounds",
    "read_run",
    "read_trace",
    "register_scheduler",
    "register_seek_model",
    "replay_extremes",
    "replay_options",
    "replays",
    "response_curves",
    "schedule_bounds",
    "scheduler_options",
    "scheduler_wrappers",
    "schedulers",
    "simulate",
    "tip_code",
    "tip_placement",
    "trace_curves",
    "trace_statistics",
    "validate",
    "volume",
    "volume_options",
    "volume_roles",
    "volumes",
    "with_faults",
    "workload",
    "workload_options",
    "workloads",
    "writable_formats",
    "write_trace",
]


def __getattr__(name: str) -> object:
    """Load a public name from its module when it is first used (PEP 562)."""
    if name in _SUBMODULES:
        return import_module(f".{name}", __name__)
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
