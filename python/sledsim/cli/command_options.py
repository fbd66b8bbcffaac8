"""Options that several commands share, and the parsers of their values."""

import math
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, ClassVar

import typer

from .. import _native
from .._native import ParameterError
from ..common import toml
from ..model.core_tables import table
from . import completion
from .shared import (
    ON,
    PAST_END,
    REPLAY,
    SCALE,
    SCHEDULERS,
    WORKERS,
    of_address as of_address,
    of_device as of_device,
    of_output as of_output,
    of_place as of_place,
    of_power as of_power,
    of_timing as of_timing,
    of_trace as of_trace,
    of_variation as of_variation,
)
from .trace_names import CutGapsOption

#: Largest number of arrival rates that one range ``start:stop:step`` may give.
_MOST_RATES = 1000
#: Relative rounding error that is allowed when the steps of ``start:stop:step`` are counted, so that the
#: range includes ``stop``.
_ROUNDING = 1e-12

# Options with one name and slightly different meanings in several commands.
of_named_device = partial(of_device, "--device", "-d", autocompletion=completion.complete_device)
of_named_volume = partial(of_device, "--volume", "-V", autocompletion=completion.complete_volume)
of_variable = partial(of_variation, autocompletion=completion.complete_setting)

_DEVICE = typer.Argument(
    help="A built-in device or a device file.", autocompletion=completion.complete_device
)
DeviceArgument = Annotated[str, _DEVICE]
OptionalDeviceArgument = Annotated[str | None, _DEVICE]
FormatArgument = Annotated[
    str | None,
    typer.Argument(
        help="Trace format to explain, with the options to read and write it.",
        autocompletion=completion.complete_format,
    ),
]
TraceArgument = Annotated[
    str,
    typer.Argument(
        help="A trace file, a workload such as 'random:rate=1000' ('sledsim list workloads'), or "
        "a bundled trace: 'demo' (ext4), 'ext3-4k', 'ext3-1k', 'ext2-4k', 'ext2-1k'.",
        autocompletion=completion.complete_trace,
    ),
]
DeviceOption = Annotated[str, of_named_device(help="A built-in device or a device file.")]
_scheduler = partial(of_device, "--scheduler", "-s", autocompletion=completion.complete_scheduler)
SchedulerOption = Annotated[str, _scheduler(help="Scheduling policy ('sledsim list schedulers').")]
InOrderOption = Annotated[
    str,
    _scheduler(
        help="Scheduling policy ('sledsim list schedulers'). The default serves requests in the "
        "order of arrival, so that only the devices differ."
    ),
]
OptionalSchedulerOption = Annotated[
    str | None,
    _scheduler(
        help="Scheduling policy ('sledsim list schedulers'). With --volume: the policy of each member "
        "for which the volume states no policy. \\[default: sptf]"
    ),
]
_schedulers = partial(SCHEDULERS, rich_help_panel="Device", autocompletion=completion.complete_schedulers)
SchedulersOption = Annotated[str, _schedulers()]
OptionalSchedulersOption = Annotated[str | None, _schedulers(". \\[default: sptf]")]
_PAST_END_RULES = ", ".join(f"{name} ({text})" for name, text in _native.past_end_rules())
_past_end = partial(PAST_END, rich_help_panel="Trace", autocompletion=completion.complete_past_end)
_replay = partial(REPLAY, rich_help_panel="Trace", autocompletion=completion.complete_replay)
ReplayOption = Annotated[
    str | None,
    _replay(
        ": 'open' (default): at the recorded times; 'closed:outstanding=16': a new request whenever one"
        " completes, so that 16 are always outstanding; 'think': a request that depends on an earlier request"
        " arrives the recorded think time after the earlier request completes on the simulated device"
    ),
]
MeasuredReplayOption = Annotated[
    str | None,
    _replay(
        ": 'think:longest_ms=inf' (default): each request arrives the recorded pause after the completion "
        "of the previous request; 'open': at the recorded times; 'closed:outstanding=16': a new request "
        "whenever one completes, so that 16 are always outstanding"
    ),
]
ScaleOption = Annotated[float, SCALE(rich_help_panel="Trace")]
SetOption = Annotated[
    list[str] | None,
    of_device(
        "--set",
        metavar="KEY=VALUE",
        help="Change a parameter of the device; may be given several times.",
        autocompletion=completion.complete_setting,
    ),
]
StudyArgument = Annotated[
    str | None,
    typer.Argument(help="Table to print ('sledsim list studies').", autocompletion=completion.complete_study),
]
StudyOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-O",
        metavar="KEY=VALUE",
        help="Change an option of the study, such as 'values=[1, 2]'; may be given several times. "
        "'sledsim list studies NAME' explains the options.",
        autocompletion=completion.complete_study_option,
    ),
]
ColumnsOption = Annotated[
    str | None,
    of_output(
        help="Columns to write to the file of --out, separated by commas: column names, or these sets: "
        f"{', '.join(f'{name} ({text})' for name, text in _native.column_sets())}. "
        "Needs --out. \\[default: all]",
        autocompletion=completion.complete_columns,
    ),
]
JsonOption = Annotated[bool, of_output("--json", help="Print JSON.")]
OnOption = Annotated[
    str | None,
    ON(
        ": 'threads' (default), 'local:N' for N processes, or 'dask://HOST:PORT' for a cluster; 'local' and"
        " 'dask' need pip install 'sledsim\\[cluster]'",
        rich_help_panel="Execution",
    ),
]
WorkersOption = Annotated[int | None, WORKERS(rich_help_panel="Execution")]


@dataclass(frozen=True)
class Reading:
    """Group of options that state how to read a trace file; a command declares the group as one argument."""

    format: Annotated[
        str | None,
        of_trace(
            help="File format of the trace ('sledsim list formats'). \\[default: detected]",
            autocompletion=completion.complete_format,
        ),
    ] = None
    map: Annotated[
        str | None,
        of_trace(
            metavar="FIELD=COLUMN[:UNIT],...",
            help="Columns of a CSV file by field: 'time=ts:us, lbn=sector, size=bytes:B, op=type'. Other "
            "fields are detected from the header; 'op=-' states that no column has the field op.",
        ),
    ] = None
    skip_bad: Annotated[
        bool,
        of_trace("--skip-bad", help="Skip lines and records that cannot be read, and print their number."),
    ] = False
    traced_devices: Annotated[
        str | None,
        of_trace(
            "--traced-device",
            metavar="NUMBER|NAME,...",
            help="Replay only the requests to these devices of the trace. If the trace has several devices, "
            "each is replayed on its own copy of the simulated device.",
        ),
    ] = None

    def arguments(self) -> dict[str, Any]:
        """Return the options for reading a trace file, by the argument names of `open_trace`."""
        return {"format": self.format, "map": self.map, "skip_bad": self.skip_bad}

    def studied(self) -> dict[str, Any]:
        """Return the options for reading a trace file, by the keys under which a ledger stores a study."""
        return {**self.arguments(), "traced_devices": self.traced_devices}

    def given(self) -> dict[str, object]:
        """Return those options for reading a trace file that the user typed: their values by option name."""
        options = {"--format": self.format, "--map": self.map, "--skip-bad": self.skip_bad or None}
        return {option: value for option, value in options.items() if value is not None}


@dataclass(frozen=True)
class Fitting(Reading):
    """Group of options that state how to read a trace, and what to do with requests past the device's end."""

    #: Default rule for requests past the end of the device.
    usual: ClassVar[str] = "error"
    past_end: Annotated[str | None, _past_end(f": {_PAST_END_RULES}. \\[default: error]")] = None
    fit: Annotated[
        bool,
        of_trace(
            "--fit",
            help="Make a trace fit that reaches past the end of the device: add sleds, join several disks or "
            "cards into one address space, take a larger device (only without --device), or scale the "
            "addresses down; print the change.",
        ),
    ] = False

    def rule(self) -> str:
        """Return the rule for requests past the end of the device.

        Raises:
            ParameterError: ``--past-end`` and ``--fit`` are both given.
        """
        if self.fit and self.past_end is not None:
            raise ParameterError(
                f"--fit, --past-end {self.past_end}: expected one of these two options, found both"
            )
        return self.past_end or self.usual


@dataclass(frozen=True)
class Replaying(Fitting):
    """Group of options that state how to read a trace, fit it to the device, and replay it."""

    replay: ReplayOption = None


@dataclass(frozen=True)
class Scaled(Replaying):
    """Group of options that state how to read a trace, fit it to the device, and replay it at one speed."""

    scale: ScaleOption = 1.0


#: Option `--past-end` of commands that compare designs of different capacities: its default is `wrap`.
WrappingOption = Annotated[
    str | None, _past_end(f": {_PAST_END_RULES}. \\[default: wrap, because designs differ in capacity]")
]


@dataclass(frozen=True)
class Rewriting(Reading):
    """Group of options that state how to read a trace file, and in which file format to write the result."""

    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            help="File format to write. \\[default: the format of the file's ending, such as SPC for "
            "x.spc.gz]",
            autocompletion=completion.complete_writable,
        ),
    ] = None
    cut_gaps: CutGapsOption = None


def parse_settings(settings: list[str] | None) -> dict[str, Any]:
    """Read the ``KEY=VALUE`` texts of ``--set``: a value is a TOML scalar, and a bare word is a string.

    Raises:
        ParameterError: A text has no ``=``, or two texts have the same key.
    """
    return {key: _scalar(text) for key, text in _pairs("--set", settings).items()}


def parse_texts(option: str, values: list[str] | None) -> dict[str, str]:
    """Read the ``KEY=VALUE`` texts of an option, and return each VALUE as a text, not as a number.

    Raises:
        ParameterError: A text has no ``=``, or two texts have the same key.
    """
    return _pairs(option, values)


def parse_values(option: str, values: list[str] | None) -> dict[str, Any]:
    """Read the ``KEY=VALUE`` texts of an option: a value is any TOML value, and a bare word is a string.

    Raises:
        ParameterError: A text has no ``=``, or two texts have the same key.
    """
    return {key: _value(text) for key, text in _pairs(option, values).items()}


def _pairs(option: str, words: list[str] | None) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for word in words or []:
        key, equals, text = word.partition("=")
        key = key.strip()
        if not equals or not key:
            raise ParameterError(f"{option}: expected KEY=VALUE, found {word!r}")
        if key in pairs:
            raise ParameterError(f"{option}: expected {key} once, found it twice")
        pairs[key] = text.strip()
    return pairs


def parse_numbers(option: str, text: str) -> list[float]:
    """Read the numbers in the text of an option, separated by commas.

    Raises:
        ParameterError: A text between two commas is not a number, or a number occurs twice.
    """
    numbers = []
    for part in parse_names(option, text):
        try:
            numbers.append(float(part))
        except ValueError:
            raise ParameterError(f"{option}: expected numbers separated by commas, found {part!r}") from None
    return numbers


def parse_names(option: str, text: str) -> list[str]:
    """Read the names in the text of an option, separated by commas; no name may come twice.

    Raises:
        ParameterError: The text has no name, or a name comes twice.
    """
    return _each_once(option, [name.strip() for name in text.split(",") if name.strip()])


def parse_schedulers(option: str, text: str) -> list[str]:
    """Read policies separated by commas; ``all`` stands for every policy, and no policy may come twice.

    A user's policy, such as ``file.py:Fair``, is imported and replaced by its name.

    The options of one policy are separated by commas, too. ``parity=joined`` in
    ``zsptf:zone=120x1200,parity=joined`` has a ``=`` before any ``:``, so it belongs to the policy before it.

    Raises:
        ParameterError: The text names no policy, a policy occurs twice, or the text begins with an option,
            which needs a policy before it.
    """
    from ..model.typed import imported_schedulers

    names: list[str] = []
    for part in filter(None, map(str.strip, text.split(","))):
        if "=" in part.partition(":")[0]:
            if not names:
                found = f"found its option alone, {part!r}"
                raise ParameterError(f"{option}: expected a policy, such as asptf:{part}, {found}")
            names[-1] += f",{part}"
        else:
            names += table("schedulers") if part == "all" else [part]
    return _each_once(option, imported_schedulers(names))


def parse_rates(option: str, text: str) -> list[float]:
    """Read arrival rates separated by commas, each a number or ``start:stop:step``, and return them sorted.

    Raises:
        ParameterError: A text between commas is neither a rate nor a range, a range has no rate or more than
            1,000 rates, or a rate comes twice.
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
        expected = "rates or start:stop:step, separated by commas"
        raise ParameterError(f"{option}: expected {expected}, found {text!r}") from None
    if not (step > 0 and 1 <= count <= _MOST_RATES):
        raise ParameterError(
            f"{option}: expected an ascending range of 1 to {_MOST_RATES} rates, found {text!r}"
        )
    return [start + at * step for at in range(count)]


def _each_once(option: str, names: list[str]) -> list[str]:
    if not names:
        raise ParameterError(f"{option}: expected names or numbers separated by commas, found none")
    for name in names:
        if names.count(name) > 1:
            raise ParameterError(f"{option}: expected {name} once, found it twice")
    return names


def _scalar(text: str) -> bool | int | float | str:
    value = _value(text)
    return value if isinstance(value, bool | int | float | str) else text


def _value(text: str) -> Any:
    try:
        return toml.loads(f"value = {text}")["value"]
    except toml.TOMLDecodeError:
        return text
