"""Old names of modules: each still works, and warns with the new name."""

import sys
import warnings
from importlib import import_module

# The constant of `typing`, which takes longer to load than this whole file.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

#: The version that drops the old names.
GONE_IN = "0.3.0"
#: New module names by the names that users know; both are below ``sledsim``.
MOVED = {
    "bounds": "runs.bounds",
    "capture": "traces.capture",
    "comparisons": "runs.comparison",
    "curves": "runs.curves",
    "design": "exploration.design",
    "device_studies": "studies",
    "disksim_import": "model.disksim",
    "faulty_devices": "model.faults",
    "fitting": "traces.fitting",
    "generators": "traces.generators",
    "intervals": "runs.intervals",
    "models": "model.devices",
    "plots": "charts.style",
    "scheduling": "model.scheduling",
    "steady_state": "runs.steady_state",
    "survival": "model.survival",
    "sweeps": "exploration.climbing",
    "systems": "model.volumes",
    "tip_codes": "model.tip_codes",
    "trace_files": "traces.trace_files",
    "trace_statistics": "traces.statistics",
    "trace_tools": "traces.tools",
    "units": "common.units",
    "validation": "runs.validation",
}
#: Renamed files by their folders below ``sledsim``: the old name and the new one.
_RENAMED = {
    "charts": (
        "comparison:comparison_chart curves:curves_chart design:design_chart explanation:explanation_chart "
        "figures:page_figures holding:holding_chart optimising:optimising_chart power:power_chart "
        "run:run_chart sensitivity:sensitivity_chart sweep:sweep_chart table:chart_table "
        "timing:timing_chart traces:trace_chart validation:validation_chart"
    ),
    "cli": "findings:doctor_findings options:command_options progress:terminal running:replaying",
    "common": "claims:command_files errors:error_places files:output_files markup:html_text",
    "emulator": "figures:timing_figures identity:reproduction options:serving_options power:power_cut",
    "exploration": (
        "figures:point_figures options:question_options sensitivity:sobol_sensitivity study:study_points "
        "sweep:sweeping tables:ledger_table values:parameter_values"
    ),
    "exploration.design": "result:explored_formats",
    "exploration.executors": "interface:executor_protocol registry:executor_table",
    "exploration.optimising": "result:optimum selecting:final_choice space:unit_cube words:phrases",
    "ledger": "keys:point_keys merging:ledger_merging",
    "model": "systems:volumes tables:core_tables",
    "model.disksim": (
        "device_file:device_toml grammar:libparam_grammar importing:drives parameters:block_parameters"
    ),
    "model.survival": "shares:simulated_shares simulation:loss_simulation tips:tip_population",
    "runs": "comparisons:comparison fitting:trace_fit options:keeping_options power:power_over_time",
    "runs.bounds": "result:batch_bounds verification:proofs",
    "runs.explanations": "explain:explaining served:served_meanwhile",
    "studies": "options:sheet_options study:sheet",
    "traces": "files:trace_files",
    "uncertainty": "sampling:space_filling",
}
RENAMED = {
    f"{folder}.{old}": f"{folder}.{new}"
    for folder, files in _RENAMED.items()
    for old, new in (file.split(":") for file in files.split())
}
#: Names that were in `sledsim` itself, by the public module that has them now.
_NAMES = {
    "results": (
        "Alternative Bounds Breakdown Checked Comparison Completions Curves DecodedBlock "
        "DeviceCheck EpisodicDevice Explanation FaultyDevice Fit FittedWorkload FormatSpace Holding "
        "ImportedDisk Impossible Optimum Overview Segment Sensitivity Served Sweep TipPlacement "
        "TraceStatistics Validation"
    ),
    "listings": (
        "block_checks bundled_traces column_sets detections device_kinds past_end_rules "
        "power_policies replay_options replays scheduler_options scheduler_wrappers volume_options "
        "volume_roles workload_options writable_formats"
    ),
    "tips": "TipCode tip_code tip_placement",
    "extend": ("DeviceRequest check_device parameter register_device register_scheduler register_seek_model"),
}
NAMES = {name: module for module, names in _NAMES.items() for name in names.split()}
#: Modules that became packages, each with the module in the package that has its names now.
IN_ROOMS = {
    "sledsim.runs": {"Run": "run", "RunSettings": "run_settings", "simulate": "run"},
    "sledsim.traces": {"Trace": "trace", "random_workload": "trace"},
}


def now(name: str) -> str | None:
    """Return the new name of a module that was moved or renamed, or of a module below it."""
    top, _, rest = name.partition(".")
    old, dot, below = rest.partition(".")
    if top != "sledsim":
        return None
    home = f"{MOVED[old]}{dot}{below}" if old in MOVED else rest
    home = RENAMED.get(home, home)
    return f"sledsim.{home}" if home != rest else None


def warn(name: str, stacklevel: int) -> None:
    """Warn with the new name of a module."""
    warnings.warn(_moved(name), DeprecationWarning, stacklevel + 1)


def _moved(name: str) -> str:
    return f"{name} is now {now(name)} (gone in sledsim {GONE_IN})"


def _say(said: str) -> None:
    """Warn at the line that imports a name from a module.

    ``from module import name`` looks the name up twice; the first time only tests if the name exists.
    """
    if sys._getframe(3).f_code.co_name != "_handle_fromlist":
        warnings.warn(said, DeprecationWarning, stacklevel=4)


def old_name(name: str) -> object:
    """Return the object of a name that `sledsim` had before: a module, or a name of another public module.

    Raises:
        AttributeError: `sledsim` never had the name.
    """
    if name in MOVED:
        _say(_moved(f"sledsim.{name}"))
        return import_module(f"sledsim.{MOVED[name]}")
    if name not in NAMES:
        from importlib.util import find_spec

        if find_spec(f"sledsim.{name}") is None:
            raise AttributeError(f"module 'sledsim' has no attribute {name!r}")
        return import_module(f"sledsim.{name}")  # A package that is not imported yet, such as `papers`.
    said = f"sledsim.{name} is now sledsim.{NAMES[name]}.{name} (gone in sledsim {GONE_IN})"
    _say(said)
    return getattr(import_module(f"sledsim.{NAMES[name]}"), name)


def in_room(room: str, name: str) -> object:
    """Return a name of a module that became a package, from the module in the package that has it now.

    Raises:
        AttributeError: The module never had the name.
    """
    if name not in IN_ROOMS[room]:
        raise AttributeError(f"module {room!r} has no attribute {name!r}")
    home = f"{room}.{IN_ROOMS[room][name]}"
    said = f"{room}.{name} is now {home}.{name} (gone in sledsim {GONE_IN})"
    _say(said)
    return vars(import_module(home))[name]


def _let_call(module: "ModuleType", public: object) -> None:
    """Make a module callable as the function of the same name: an import puts the module in its place."""
    from types import FunctionType, ModuleType

    if isinstance(public, FunctionType):
        called = staticmethod(public)
        # `inspect.signature` reads the second.
        module.__class__ = type("CalledModule", (ModuleType,), {"__call__": called, "__wrapped__": called})


class _OldNames:
    """A finder and loader for modules by their old names (PEP 451); it loads the module itself."""

    def find_spec(
        self, name: str, path: "Sequence[str] | None" = None, target: "ModuleType | None" = None
    ) -> "ModuleSpec | None":
        if now(name) is None:
            return None
        from importlib.machinery import ModuleSpec

        warn(name, stacklevel=2)
        # Not a subclass of Loader, whose module takes longer to load than this whole file.
        return ModuleSpec(name, self)  # type: ignore[arg-type]

    def create_module(self, spec: "ModuleSpec") -> "ModuleType | None":
        return None

    def exec_module(self, module: "ModuleType") -> None:
        name = module.__name__
        found = sys.modules[name] = import_module(now(name) or "")
        package, _, below = name.partition(".")
        if below in dir(sys.modules[package]):
            _let_call(found, getattr(sys.modules[package], below))


def watch() -> None:
    """Let imports find old names before files: a file below a moved module would be loaded a second time."""
    sys.meta_path.insert(0, _OldNames())
