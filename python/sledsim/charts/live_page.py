"""The web page in which the simulator repeats a recorded run in the browser."""

import base64
import gzip
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .. import _native
from ..common.error_places import errors_at
from ..common.html_text import escape, script_json
from ..common.units import duration
from ..model.catalogue import devices
from ..model.devices import Device, load_device
from ..model.volumes import from_parameters
from ..pages.templates import part
from ..runs.explanations.explaining import check_rows
from ..runs.explanations.repeating import Requests, as_recorded
from ..runs.kept_columns import Columns, kind_of
from ..runs.run import Run
from ..runs.run_settings import RunSettings

#: Largest number of requests of a recorded run: longer runs exceed the memory of a browser.
MOST_REQUESTS = 500_000
#: Default policies for comparison: the page takes the first one that differs from the policy of the run.
_BESIDE = ("fcfs", "sptf")
#: Element in live/src/page.html that marks the place for the recorded run.
_ROOM = '<script type="text/plain" id="recorded"></script>'
#: Column map, in the syntax of `--map`, with which the page reads the requests of the run as a trace;
#: live/src/recorded.ts hands it to the simulator.
_MAP = "time=ns:ns,lbn=lbn,size=blocks:sectors,op=op,metadata=metadata"
#: Letters of the operation of each kind of request in these rows.
_LETTERS = {"read": "R", "write": "W", "fua": "WF", "flush": "F"}
#: Parameters that are names or descriptions of a device, and do not change results.
_NAMES = ("name", "description")


def live_page(
    run: Run,
    name: str,
    beside: str | None = None,
    row: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> str:
    """Return the HTML page that shows a run, and next to it the same arrivals under another policy.

    The run is first repeated with the settings that the page will use, and must give equal results.

    Args:
        run: Run of one device under a built-in policy.
        name: Name of the file that holds the run; the page shows commands with this name.
        beside: Policy with which the page compares the run, with its options. An empty text means no
            comparison; None means FCFS, or SPTF if the run used FCFS.
        row: Row number of a request: the page starts at the arrival of this request; None starts at the first
            arrival.
        progress: Function that is called with the number of requests that have arrived until now.

    Raises:
        FileNotFoundError: This installation lacks the page; 'make live' in a checkout builds it.
        NotKeptError: The run did not keep the columns that are needed to repeat it.
        ParameterError: The page cannot show this kind of run, the policy `beside` does not exist, or the run
            has no request `row`.
        TraceError: The repeated run gave other results than the recorded run.
    """
    page = _page()
    settings = run.settings
    if row is not None:
        check_rows([row], run.totals["requests"])
    if run.totals["requests"] > MOST_REQUESTS:
        raise _native.ParameterError(
            f"expected at most {MOST_REQUESTS:,} requests, the limit of the page, found"
            f" {run.totals['requests']:,}: cut the trace with 'sledsim trace slice', and run the part"
        )
    model, changes = _device(settings)
    columns = Columns(run.columns)
    requests = Requests(columns)
    if requests.devices > 1:
        raise _native.ParameterError(
            f"expected requests to one device, which the page shows, found {requests.devices}:"
            " 'sledsim run --traced-device' selects the requests to one device"
        )
    last = int(np.argmax(columns["completion_ns"]))
    same = as_recorded(columns["completion_ns"], settings.version)
    requests.run_until(model, settings.policy_again, [last], same, progress)
    if beside is None:
        beside = next(policy for policy in _BESIDE if policy != settings.scheduler)
    policies = [settings.scheduler, *([beside] if beside else [])]
    # An error concerns `beside`, because the policy of the run has just been used.
    with errors_at("beside"):
        for policy in policies:
            _native.Simulation(model._native, policy, 1)
    written = {
        "name": name,
        "says": _says(run, model),
        "device": model.name,
        "parameters": changes,
        "policies": policies,
        "at_ms": 0 if row is None else int(columns["arrival_ns"][row]) * 1e-6,
        "row": row,
        "map": _MAP,
        "requests": base64.b64encode(gzip.compress(_csv(columns), mtime=0)).decode(),
    }
    title = "<title>"
    page = page.replace(title, f"{title}{escape(name)}: ", 1)
    return page.replace(_ROOM, _ROOM.replace("></", f">{script_json(written)}</"), 1)


def _page() -> str:
    """Return the HTML of the page as built by 'make live', still without a run.

    Raises:
        FileNotFoundError: The page was not built, or was built for another version of sledsim.
    """
    build = "run 'make live' in a checkout (docs/how-to/live.md lists the requirements)"
    try:
        page = part("live.html")
    except FileNotFoundError:
        raise FileNotFoundError(
            f"the page in which the simulator runs is not in this installation: {build}"
        ) from None
    version = f'content="sledsim {_native.__version__}"'
    if version not in page or _ROOM not in page:
        raise FileNotFoundError(
            f"the page in which the simulator runs was not built for sledsim {_native.__version__}: {build}"
        )
    return page


def _device(settings: RunSettings) -> tuple[Device, dict[str, str]]:
    """Return the built-in device that is most similar to the device of a run, and the parameters that differ.

    The parameters are texts by key; with them, the built-in device equals the device of the run.

    Raises:
        ParameterError: No built-in device becomes equal to the device of the run by changing values of
            parameters.
    """
    found = from_parameters(settings.parameters)
    if not isinstance(found, Device):
        what = next((key for key in ("volume", "episodes", "faults") if key in settings.parameters), "volume")
        raise _native.ParameterError(
            f"expected a run of one device, which the page shows, found a run with {what}: 'sledsim explain'"
            " explains its requests, and 'sledsim run --report' draws it"
        )
    built_in = [one for one in map(load_device, devices()) if one.kind == found.kind]
    if not built_in:
        raise _native.ParameterError(
            f"expected a device of a built-in kind, which the page has, found {found.name}, a device of a"
            " custom kind: 'sledsim explain' explains its requests"
        )
    nearest = min(built_in, key=lambda one: (one.name != found.name, len(_different(one, found))))
    there = found.parameters
    # Some parameters exclude others: setting one of the two models of settling removes the other.
    changes = {key: there[key] for key in _different(nearest, found) if key in there}
    tables = [key for key, value in changes.items() if not isinstance(value, bool | int | float | str)]
    model = nearest.with_parameters(**changes)
    if wrong := tables or _different(model, found):
        raise _native.ParameterError(
            f"expected a device like {nearest.name} with other numbers and names, as the page can change only"
            f" these, found a device with another {wrong[0]}: 'sledsim explain' explains its requests"
        )
    return model, {key: _text(value) for key, value in changes.items()}


def _different(one: Device, other: Device) -> list[str]:
    """Return the keys of the parameters in which two devices differ; names and descriptions do not count."""
    here, there = one.parameters, other.parameters
    keys = dict.fromkeys((*there, *here))
    return [key for key in keys if key not in _NAMES and here.get(key) != there.get(key)]


def _text(value: bool | int | float | str) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _csv(columns: Mapping[str, Any]) -> bytes:
    """Return the requests as CSV in the order of arrival, with the columns that `_MAP` names."""
    names = ("arrival_ns", "lbn", "blocks", "metadata")
    rows = enumerate(zip(*(columns[name].tolist() for name in names), strict=True))
    lines = (
        f"{ns},{lbn},{blocks},{_LETTERS[kind_of(columns, row)]},{metadata:d}"
        for row, (ns, lbn, blocks, metadata) in rows
    )
    return "\n".join(("ns,lbn,blocks,op,metadata", *lines, "")).encode()


def _says(run: Run, model: Device) -> str:
    """Return sentences on the run: trace, device, policy, mean response, and what the page replays."""
    settings, summary = run.settings, run.summary()
    says = [
        f"A recorded run: {settings.trace}, {summary['requests']:,} requests on {run.device_name} under"
        f" {settings.scheduler}, mean response {duration(summary['mean_response_s'])}."
    ]
    if run.device_name != model.name:
        says.append(f"The device {run.device_name} is {model.name} with other values.")
    if settings.replay != "open":
        says.append(f"Requests arrive as in that run ({settings.replay}), regardless of other choices here.")
    return " ".join(says)
