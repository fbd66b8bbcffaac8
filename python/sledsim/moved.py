"""Modules that stood elsewhere: their old names still work, and warn of where they are now."""

import sys
import warnings
from importlib import import_module

# That of `typing`, which takes longer to load than all of this.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

#: Where modules are now, by the names that users know; both below ``sledsim``.
MOVED = {
    "bounds": "runs.bounds",
    "design": "runs.design",
    "device_studies": "studies",
    "disksim_import": "model.disksim",
    "intervals": "runs.intervals",
    "plots": "charts.style",
    "scheduling": "model.scheduling",
    "steady_state": "runs.steady_state",
    "survival": "model.survival",
    "tip_codes": "model.tip_codes",
    "trace_tools": "traces.tools",
}


def now(name: str) -> str | None:
    """The name now of a module, or of one below it, that stood elsewhere."""
    top, _, rest = name.partition(".")
    old, dot, below = rest.partition(".")
    return f"sledsim.{MOVED[old]}{dot}{below}" if top == "sledsim" and old in MOVED else None


def warn(name: str, stacklevel: int) -> None:
    """Say where a module is now."""
    warnings.warn(f"{name} is now {now(name)}", DeprecationWarning, stacklevel + 1)


class _OldNames:
    """Finds and loads modules by their old names (PEP 451): what is loaded is the module itself."""

    def find_spec(
        self, name: str, path: "Sequence[str] | None" = None, target: "ModuleType | None" = None
    ) -> "ModuleSpec | None":
        if now(name) is None:
            return None
        from importlib.machinery import ModuleSpec

        warn(name, stacklevel=2)
        # Not of the class Loader, whose module takes longer to load than all of this.
        return ModuleSpec(name, self)  # type: ignore[arg-type]

    def create_module(self, spec: "ModuleSpec") -> "ModuleType | None":
        return None

    def exec_module(self, module: "ModuleType") -> None:
        sys.modules[module.__name__] = import_module(now(module.__name__) or "")


def watch() -> None:
    """Let imports find old names, before files: one below a moved module would be loaded a second time."""
    sys.meta_path.insert(0, _OldNames())
