"""Spaces of data formats and of values of other parameters."""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, TypedDict

from ... import _native
from ...common import toml
from ...common.declared import Declared, document_options
from ...common.error_places import errors_at
from ...common.output_files import PathLike
from ...common.points import check_points
from ...common.shown import counted, quoted
from ...model.devices import Device, DeviceOrName, device_of, load_device

#: The three parameters of a data format, in the order of the columns in results.
AXES = ("probes", "sectors", "sector_bytes")
#: Values in Table 1 of paper 004: seven numbers of active probes, five numbers of parallel sectors and five
#: sector sizes, which give 175 formats.
PROBES = (64, 128, 256, 512, 1024, 2048, 4096)
SECTORS = (1, 2, 4, 8, 16)
SECTOR_BYTES = (512, 1024, 2048, 4096, 8192)
#: The device of paper 004, whose data format can be chosen.
DEVICE = "emsoft08"


class FormatOptions(TypedDict, total=False):
    """Data formats to explore if no `Space` is given, and the files that the device must hold.

    Attributes:
        file_bytes: Sizes in bytes of files that the device must hold. A file occupies whole sectors: the
            unused rest of its last sector counts against the capacity of a format (004 5.4).
    """

    device: Annotated[
        Device | str, Declared("Device without a fixed format, such as ``emsoft08``, or its name", DEVICE)
    ]
    probes: Annotated[Sequence[int], Declared("Numbers of active probes", PROBES)]
    sectors: Annotated[Sequence[int], Declared("Numbers of sectors read in parallel", SECTORS)]
    sector_bytes: Annotated[Sequence[int], Declared("Sector sizes in bytes", SECTOR_BYTES)]
    parameters: Annotated[
        Mapping[str, Sequence[Any]] | None,
        Declared("Lists of values of other parameters, by key; each value is tried with each format"),
    ]
    file_bytes: Annotated[Sequence[int] | None, Declared("Sizes of the files to store, in bytes")]


document_options(FormatOptions)
#: Parameters of a device that its data format fixes; a space cannot vary them.
_OF_FORMAT = ("format", "active_tips", "tips_per_block", "sector_data_bytes", "sector_encoded_bits")


def format_characteristics(
    device: DeviceOrName, probes: int, sectors: int, sector_bytes: int
) -> dict[str, bool | int | float | str | None]:
    """Compute what a data format means for a device, such as its capacity and rate, without a simulation.

    Args:
        device: Device with ``ecc_data_bits``, ``subsector_overhead_bits`` and ``subsector_least_bits``, such
            as ``emsoft08``; or the name or file of such a device.
        probes: Number of probes that are active together, N in equation 004-F1.
        sectors: Number of sectors that the active probes read in parallel, M in equation 004-F1.
        sector_bytes: Sector size in bytes, S in equation 004-F1.

    Returns:
        ``feasible``; ``reason``, the arithmetic by which the format is not feasible, else None;
        ``subsector_bits`` (004-F2); ``capacity_bytes`` by the ratio of data to bits (004-F7) and
        ``packed_capacity_bytes`` if each track holds only whole subsectors (004-D2); ``utilization``, the
        ratio of data to bits; ``transfer_s`` of a group of sectors (004-F3); ``throughput_bytes_per_s``, the
        rate of all bits that the active probes pass, and ``data_bytes_per_s``, the rate of the data among
        these bits. A format that is not feasible has these figures, too.

    Raises:
        ParameterError: A count is not a whole number above 0, or the data format of the device cannot be
            chosen.
    """
    counts = map(_whole, AXES, (probes, sectors, sector_bytes))
    return _native.format_characteristics(device_of(device)._native, *counts)


@dataclass(frozen=True, repr=False)
class Space:
    """All combinations of given formats and given values of other parameters.

    Attributes:
        device: Device with the values of all parameters that do not vary.
        probes: Numbers of active probes; paper 004 has 64 to 4096.
        sectors: Numbers of sectors read in parallel; paper 004 has 1 to 16.
        sector_bytes: Sector sizes in bytes; paper 004 has 512 to 8192.
        parameters: Values of other parameters of the device, by key.

    Raises:
        ParameterError: `probes`, `sectors` or `sector_bytes` is empty or has a value that is not a whole
            number above 0, or `parameters` has the key of a parameter that every format fixes, such as
            ``active_tips``.
    """

    device: Device
    probes: Sequence[int] = PROBES
    sectors: Sequence[int] = SECTORS
    sector_bytes: Sequence[int] = SECTOR_BYTES
    parameters: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in AXES:
            values = _values(name, getattr(self, name))
            object.__setattr__(self, name, tuple(_whole(name, value) for value in values))
        checked = {key: tuple(_values(key, values)) for key, values in self.parameters.items()}
        axes = zip((*AXES, *checked), (*self._formats, *checked.values()), strict=True)
        check_points(axes, "take fewer values, or search with 'sledsim study optimise'")
        for key, varied in checked.items():
            if key in _OF_FORMAT:
                raise _native.ParameterError(
                    f"{key}: follows from the format: vary {', '.join(AXES)} instead"
                )
            # Check keys and values before a long run.
            for value in varied:
                self.device.with_parameters(**{key: value})
        object.__setattr__(self, "parameters", checked)

    def __repr__(self) -> str:
        return f"<sledsim.design.Space of {quoted(self.device.name)}: {counted(len(self), 'point')}>"

    def __len__(self) -> int:
        return math.prod(map(len, (*self._formats, *self.parameters.values())))

    @property
    def _formats(self) -> tuple[Sequence[int], ...]:
        return (self.probes, self.sectors, self.sector_bytes)

    def points(self) -> Iterator[dict[str, Any]]:
        """Yield all points, each with ``probes``, ``sectors``, ``sector_bytes`` and the other parameters."""
        names = (*AXES, *self.parameters)
        for values in itertools.product(*self._formats, *self.parameters.values()):
            yield dict(zip(names, values, strict=True))


def variant(point: Mapping[str, Any]) -> dict[str, Any]:
    """Return the device parameters that a point of a space changes: the format, and others that vary."""
    others = {key: value for key, value in point.items() if key not in AXES}
    return {"format": "x".join(str(point[axis]) for axis in AXES), **others}


def read_space(path: PathLike, device_name: str | None = None) -> Space:
    """Read a space of data formats from a TOML file.

    The file may have the key ``device``, a table ``[format]`` with lists ``probes``, ``sectors`` and
    ``sector_bytes`` (default: the values of 004 Table 1), and a table ``[parameters]`` with a list of values
    for each key.

    Args:
        path: TOML file to read.
        device_name: Device to use instead of the device that the file names.

    Raises:
        ParameterError: The file does not describe a space; the message names the file and the key.
        OSError: The file cannot be read.
    """
    try:
        given = toml.loads(_native.read_text(path))
    except toml.TOMLDecodeError as error:
        raise _native.ParameterError(f"{path}: {error}") from None
    with errors_at(str(path)):
        _known("space", given, ("device", "format", "parameters"))
        formats = _table(given, "format")
        _known("format", formats, AXES)
        name = device_name or given.get("device", DEVICE)
        if not isinstance(name, str):
            raise _native.ParameterError(f"device = {name!r}: expected the name of a device")
        return Space(load_device(name), **formats, parameters=_table(given, "parameters"))


def _table(given: dict[str, Any], name: str) -> dict[str, Any]:
    table = given.get(name, {})
    if not isinstance(table, dict):
        raise _native.ParameterError(f"{name} = {table!r}: expected a table, [{name}]")
    return table


def _known(where: str, given: Mapping[str, Any], names: Sequence[str]) -> None:
    for name in given:
        if name not in names:
            raise _native.ParameterError(f"{where}: unknown key {name!r}: expected one of {', '.join(names)}")


def _values(name: str, values: Any) -> list[Any]:
    if hasattr(values, "__array__"):  # An array, or a column of a table.
        values = [one.item() if hasattr(one, "item") else one for one in values]
    if isinstance(values, str | bytes) or not isinstance(values, Sequence) or not values:
        raise _native.ParameterError(f"{name} = {values!r}: expected a list of at least one value")
    if len(set(map(repr, values))) < len(values):
        raise _native.ParameterError(f"{name} = {values!r}: a value is given twice")
    return list(values)


def _whole(name: str, value: object) -> int:
    number = value.__index__() if hasattr(value, "__index__") and not isinstance(value, bool) else 0
    if number < 1:
        raise _native.ParameterError(f"{name} = {value!r}: expected a whole number from 1")
    return int(number)
