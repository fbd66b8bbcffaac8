"""Options that several commands share, with their completion, and how their values are read."""

import sys
from typing import Annotated, Any

import typer

from .. import _native

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def _complete_device(incomplete: str) -> list[tuple[str, str]]:
    return [row for row in _native.devices() if row[0].startswith(incomplete)]


def _complete_scheduler(incomplete: str) -> list[tuple[str, str]]:
    return [row for row in _native.schedulers() if row[0].startswith(incomplete)]


def _complete_schedulers(incomplete: str) -> list[tuple[str, str]]:
    before, comma, last = incomplete.rpartition(",")
    return [(f"{before}{comma}{name}", text) for name, text in _complete_scheduler(last)]


def _complete_format(incomplete: str) -> list[tuple[str, str]]:
    return [row for row in _native.formats() if row[0].startswith(incomplete)]


def _complete_past_end(incomplete: str) -> list[tuple[str, str]]:
    return [row for row in _native.past_end_rules() if row[0].startswith(incomplete)]


def _complete_setting(incomplete: str) -> list[tuple[str, str]]:
    key, equals, value = incomplete.partition("=")
    if equals:
        choices = dict(_native.parameter_choices()).get(key, [])
        return [(f"{key}={name}", text) for name, text in choices if name.startswith(value)]
    keys = _native.parameter_keys()
    return [(f"{name}=", text) for name, _, text in keys if name.startswith(key)]


DeviceArgument = Annotated[
    str, typer.Argument(help="A built-in device or a device file.", autocompletion=_complete_device)
]
TraceArgument = Annotated[
    str,
    typer.Argument(
        help="A trace file, 'random:rate=1000,count=100000,seed=1', or 'demo' for the bundled ext4 trace.",
    ),
]
DeviceOption = Annotated[
    str,
    typer.Option("--device", "-d", help="A built-in device or a file.", autocompletion=_complete_device),
]
SchedulerOption = Annotated[
    str,
    typer.Option("--scheduler", "-s", help="The policy.", autocompletion=_complete_scheduler),
]
SchedulersOption = Annotated[
    str,
    typer.Option(help="Policies, with commas between.", autocompletion=_complete_schedulers),
]
FormatOption = Annotated[
    str | None,
    typer.Option(help="Format of the trace file; found out if not given.", autocompletion=_complete_format),
]
PastEndOption = Annotated[
    str,
    typer.Option(
        help="What to do with a request past the end of the device.", autocompletion=_complete_past_end
    ),
]
SortOption = Annotated[bool, typer.Option("--sort", help="Sort requests by arrival instead of refusing.")]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Change a parameter of the device; may be given several times.",
        autocompletion=_complete_setting,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def parse_settings(settings: list[str] | None) -> dict[str, Any]:
    """Read ``key=value`` options: values are TOML scalars, and bare words are strings.

    Raises:
        ParameterError: There is no ``=`` in one, or a key comes twice.
    """
    parameters: dict[str, Any] = {}
    for setting in settings or []:
        key, equals, value = setting.partition("=")
        key = key.strip()
        if not equals or not key:
            raise _native.ParameterError(f"--set: expected KEY=VALUE, found {setting!r}")
        if key in parameters:
            raise _native.ParameterError(f"--set: {key} is set twice")
        parameters[key] = _scalar(value.strip())
    return parameters


def parse_numbers(option: str, text: str) -> list[float]:
    """Read numbers with commas between.

    Raises:
        ParameterError: A part is not a number.
    """
    numbers = []
    for part in parse_names(option, text):
        try:
            numbers.append(float(part))
        except ValueError:
            raise _native.ParameterError(
                f"{option}: expected numbers with commas between, found {part!r}"
            ) from None
    return numbers


def parse_names(option: str, text: str) -> list[str]:
    """Read names with commas between, each once.

    Raises:
        ParameterError: There is none, or one comes twice.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise _native.ParameterError(f"{option}: expected names or numbers with commas between, found none")
    for name in names:
        if names.count(name) > 1:
            raise _native.ParameterError(f"{option}: {name} is given twice")
    return names


def _scalar(text: str) -> bool | int | float | str:
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
    return value if isinstance(value, bool | int | float | str) else text
