"""Options that several commands share, with their completion, and how their values are read."""

import glob
import math
from pathlib import Path
from typing import Annotated, Any

import typer

from .. import _native
from ..common.toml import tomllib
from ..model.tables import table

#: The groups of options in a help.
DEVICE_PANEL, TRACE_PANEL, OUTPUT_PANEL = "Device", "Trace", "Output"
#: More rates in a range than anybody waits for.
_MOST_RATES = 1000
#: The end of a range belongs to it in spite of the rounding of its step.
_ROUNDING = 1e-12


def _complete_trace(incomplete: str) -> list[tuple[str, str]]:
    name, colon, options = incomplete.partition(":")
    if colon:
        return _complete_workload_option(name, options)
    from ..traces.files import bundled_traces

    known = [
        *bundled_traces().items(),
        *((f"{name}:", row.summary) for name, row in table("workloads").items()),
    ]
    known = [row for row in known if row[0].startswith(incomplete)]
    # The shell offers files by itself where nothing else is offered.
    files = sorted(path.name for path in Path().iterdir()) if known else []
    return known + [(name, "") for name in files if name.startswith(incomplete)]


def _complete_workload_option(name: str, options: str) -> list[tuple[str, str]]:
    before, comma, last = options.rpartition(",")
    if last.startswith("file="):
        paths = sorted(Path().glob(f"{glob.escape(last.removeprefix('file='))}*"))
        return [(f"{name}:{before}{comma}file={path}", "") for path in paths]
    return complete_row("workloads", f"{name}:{options}")


def complete_row(kind: str, incomplete: str) -> list[tuple[str, str]]:
    """The rows of a table that begin so; behind a colon the options of the one that is named."""
    name, colon, given = incomplete.partition(":")
    rows = {known: row for row in table(kind).values() for known in row.names}
    if not colon or name not in rows:
        return [(known, row.summary) for known, row in rows.items() if known.startswith(incomplete)]
    before, comma, last = given.rpartition(",")
    options = [one for one in rows[name].options if one.name.startswith(last)]
    return [(f"{name}:{before}{comma}{one.name}=", one.meaning) for one in options]


def _complete_device(incomplete: str) -> list[tuple[str, str]]:
    return [(name, text) for name, _, text in _native.devices() if name.startswith(incomplete)]


def _complete_scheduler(incomplete: str) -> list[tuple[str, str]]:
    inner, plus, last = incomplete.rpartition("+")
    found = complete_row("wrappers" if plus else "schedulers", last)
    return [(f"{inner}{plus}{word}", text) for word, text in found]


def _complete_schedulers(incomplete: str) -> list[tuple[str, str]]:
    before, comma, last = incomplete.rpartition(",")
    return [(f"{before}{comma}{name}", text) for name, text in _complete_scheduler(last)]


def _complete_format(incomplete: str) -> list[tuple[str, str]]:
    from ..traces.formats import formats

    return [row for row in formats().items() if row[0].startswith(incomplete)]


def _complete_replay(incomplete: str) -> list[tuple[str, str]]:
    return complete_row("replays", incomplete)


def _complete_past_end(incomplete: str) -> list[tuple[str, str]]:
    return [row for row in _native.past_end_rules() if row[0].startswith(incomplete)]


def _complete_setting(context: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    key, equals, value = incomplete.partition("=")
    kind = _kind(str(context.params.get("device_name") or context.params.get("name") or ""))
    if equals:
        choices = dict(_native.parameter_choices(kind)).get(key, [])
        return [(f"{key}={name}", text) for name, text in choices if name.startswith(value)]
    keys = _native.parameter_keys(kind)
    return [(f"{name}=", text) for name, _, text in keys if name.startswith(key)]


def _kind(device_name: str) -> str:
    """The kind of a device that has been typed; the first kind, if it is none."""
    try:
        return _native.Device.load(device_name, {}).kind
    except (_native.ParameterError, OSError):
        return _native.kinds()[0]


def _complete_study(incomplete: str) -> list[tuple[str, str]]:
    from ..studies import STUDIES

    return [(row.name, row.description) for row in STUDIES if row.name.startswith(incomplete)]


def _complete_study_option(context: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    from ..studies import STUDIES, described

    # An option without its value keeps what stands before it from being parsed.
    typed = (context.params.get("name"), *context.args)
    studies = [row for row in STUDIES if row.name in typed]
    options = [option for row in studies for option in described(row.table)]
    return [(f"{one.name}=", one.meaning) for one in options if one.name.startswith(incomplete)]


DeviceArgument = Annotated[
    str, typer.Argument(help="A built-in device or a device file.", autocompletion=_complete_device)
]
TraceArgument = Annotated[
    str,
    typer.Argument(
        help="A trace file, a workload such as 'random:rate=1000' ('sledsim workloads' lists them), or "
        "a bundled trace: 'demo' (ext4), 'ext3-4k', 'ext3-1k', 'ext2-4k', 'ext2-1k'.",
        autocompletion=_complete_trace,
    ),
]
DeviceOption = Annotated[
    str,
    typer.Option(
        "--device",
        "-d",
        help="A built-in device or a file.",
        rich_help_panel=DEVICE_PANEL,
        autocompletion=_complete_device,
    ),
]
SchedulerOption = Annotated[
    str,
    typer.Option(
        "--scheduler",
        "-s",
        help="Scheduling policy; 'sledsim schedulers' lists them.",
        rich_help_panel=DEVICE_PANEL,
        autocompletion=_complete_scheduler,
    ),
]
OptionalSchedulerOption = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        "-s",
        help="Scheduling policy, 'sledsim schedulers' lists them; in a volume that of every device that has "
        "none of its own. 'sptf' if not given: what a MEMS device would have.",
        rich_help_panel=DEVICE_PANEL,
        autocompletion=_complete_scheduler,
    ),
]
SchedulersOption = Annotated[
    str,
    typer.Option(
        help="Scheduling policies, with commas between; 'all' is every one.",
        rich_help_panel=DEVICE_PANEL,
        autocompletion=_complete_schedulers,
    ),
]
FormatOption = Annotated[
    str | None,
    typer.Option(
        help="Format of the trace file; found out if not given.",
        rich_help_panel=TRACE_PANEL,
        autocompletion=_complete_format,
    ),
]
_PAST_END = typer.Option(
    help="What to do with a request past the end of the device: "
    f"{', '.join(f'{name} ({text})' for name, text in _native.past_end_rules())}.",
    rich_help_panel=TRACE_PANEL,
    autocompletion=_complete_past_end,
)
PastEndOption = Annotated[str, _PAST_END]
ReplayOption = Annotated[
    str | None,
    typer.Option(
        help="What decides when requests come: 'open' (if not given), at the recorded times; "
        "'closed:outstanding=16', so many always outstanding; 'think', a dependent request waits for the "
        "simulated device, and then as long as in the trace.",
        rich_help_panel=TRACE_PANEL,
        autocompletion=_complete_replay,
    ),
]
MeasuredReplayOption = Annotated[
    str | None,
    typer.Option(
        help="What decides when requests come: 'think:longest_ms=inf' (if not given: each as long after the "
        "one before was complete as in the trace), 'open', at the recorded times, 'closed:outstanding=16', "
        "so many always outstanding.",
        rich_help_panel=TRACE_PANEL,
        autocompletion=_complete_replay,
    ),
]
#: Where the option may mean nothing, so that it has to be known whether it was given.
OptionalPastEndOption = Annotated[str | None, _PAST_END]
MapOption = Annotated[
    str | None,
    typer.Option(
        metavar="FIELD=COLUMN[:UNIT],...",
        help="Which column of a CSV file holds what: 'time=ts:us,lbn=sector,size=bytes:B,op=type'.",
        rich_help_panel=TRACE_PANEL,
    ),
]
SkipBadOption = Annotated[
    bool,
    typer.Option(
        "--skip-bad",
        help="Skip lines and records that cannot be read, and count them.",
        rich_help_panel=TRACE_PANEL,
    ),
]
TracedDevicesOption = Annotated[
    str | None,
    typer.Option(
        "--traced-device",
        metavar="NUMBER|NAME,...",
        help="Only the requests to these devices of the trace; each is replayed on a device of its own.",
        rich_help_panel=TRACE_PANEL,
    ),
]
#: Where a part of a trace is looked at, and nothing is replayed.
ChosenDevicesOption = Annotated[
    str | None,
    typer.Option(
        "--traced-device",
        metavar="NUMBER|NAME,...",
        help="Only the requests to these devices of the trace.",
        rich_help_panel=TRACE_PANEL,
    ),
]
ScaleOption = Annotated[
    float,
    typer.Option(
        help="Speed-up of the trace: with 2 requests come twice as fast.", rich_help_panel=TRACE_PANEL
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Change a parameter of the device; may be given several times.",
        rich_help_panel=DEVICE_PANEL,
        autocompletion=_complete_setting,
    ),
]
StudyArgument = Annotated[
    str | None,
    typer.Argument(help="The study; 'sledsim studies' lists them.", autocompletion=_complete_study),
]
StudyOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-O",
        metavar="KEY=VALUE",
        help="Change an option of the study, such as 'values=[1, 2]'; may be given several times. "
        "'sledsim studies NAME' says what they mean.",
        autocompletion=_complete_study_option,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.", rich_help_panel=OUTPUT_PANEL)]


def parse_settings(settings: list[str] | None) -> dict[str, Any]:
    """Read ``key=value`` options: values are TOML scalars, and bare words are strings.

    Raises:
        ParameterError: There is no ``=`` in one, or a key comes twice.
    """
    return {key: _scalar(text) for key, text in _pairs("--set", settings).items()}


def parse_values(option: str, values: list[str] | None) -> dict[str, Any]:
    """Read ``key=value`` options: values are TOML values, lists too, and bare words are strings.

    Raises:
        ParameterError: There is no ``=`` in one, or a key comes twice.
    """
    return {key: _value(text) for key, text in _pairs(option, values).items()}


def _pairs(option: str, words: list[str] | None) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for word in words or []:
        key, equals, text = word.partition("=")
        key = key.strip()
        if not equals or not key:
            raise _native.ParameterError(f"{option}: expected KEY=VALUE, found {word!r}")
        if key in pairs:
            raise _native.ParameterError(f"{option}: {key} is set twice")
        pairs[key] = text.strip()
    return pairs


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
    return _each_once(option, [name.strip() for name in text.split(",") if name.strip()])


def parse_schedulers(option: str, text: str) -> list[str]:
    """Read policies with commas between, each once; ``all`` stands for every one there is.

    Parameters of a policy have commas between, too: a part with ``=`` before any ``:``, as the second of
    ``zsptf:zone=120x1200,parity=joined``, goes on with the policy before it.

    Raises:
        ParameterError: There is none, one comes twice, or a parameter comes before any policy.
    """
    names: list[str] = []
    for part in filter(None, map(str.strip, text.split(","))):
        if "=" in part.partition(":")[0]:
            if not names:
                raise _native.ParameterError(f"{option}: expected a policy before {part!r}")
            names[-1] += f",{part}"
        else:
            names += table("schedulers") if part == "all" else [part]
    return _each_once(option, names)


def parse_rates(option: str, text: str) -> list[float]:
    """Read rates with commas between, each a number or ``start:stop:step`` with both ends, in any order.

    Raises:
        ParameterError: A part is no such thing, a range has no or too many rates, or one comes twice.
    """
    rates = [rate for part in parse_names(option, text) for rate in _range(option, part)]
    _each_once(option, [f"{rate:.15g}" for rate in rates])
    return sorted(rates)


def _range(option: str, text: str) -> list[float]:
    try:
        start, *rest = (float(number) for number in text.split(":"))
        stop, step = rest or (start, 1.0)
        count = math.floor((stop - start) / step * (1 + _ROUNDING)) + 1
    except (ValueError, ZeroDivisionError, OverflowError):
        expected = "rates or start:stop:step with commas between"
        raise _native.ParameterError(f"{option}: expected {expected}, found {text!r}") from None
    if not (step > 0 and 1 <= count <= _MOST_RATES):
        raise _native.ParameterError(f"{option}: expected 1 to {_MOST_RATES} rates, upwards, found {text!r}")
    return [start + at * step for at in range(count)]


def _each_once(option: str, names: list[str]) -> list[str]:
    if not names:
        raise _native.ParameterError(f"{option}: expected names or numbers with commas between, found none")
    for name in names:
        if names.count(name) > 1:
            raise _native.ParameterError(f"{option}: {name} is given twice")
    return names


def _scalar(text: str) -> bool | int | float | str:
    value = _value(text)
    return value if isinstance(value, bool | int | float | str) else text


def _value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (tomllib.TOMLDecodeError, RecursionError):
        return text
