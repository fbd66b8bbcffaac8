"""docs/parameters.md, out of the texts that the program itself shows: ``make parameters`` writes it."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from sledsim import _native, counters, units
from sledsim.device_studies import STUDIES, described

PAGE = Path(__file__).parents[1] / "docs" / "parameters.md"

_KINDS = {"mems": "MEMS devices", "disk": "Disks", "flash": "Flash cards"}
_HEAD = """\
# Parameters, options and counters

What every key of a device file, every characteristic, and every option and counter means. `make parameters`
writes this page out of the texts that the program shows: `sledsim show NAME --explain`,
`sledsim volumes NAME`, `sledsim studies NAME`, `sledsim power-policies --json`. The options of schedulers are
in [schedulers.md](schedulers.md), those of workloads in [workloads.md](workloads.md). Papers are cited as in
[devices.md](devices.md).
"""


def page() -> str:
    """The whole page."""
    parts = [_HEAD, *_devices(), *_power_policies(), *_volumes(), *_device_counters(), *_studies()]
    return "\n".join(parts)


def _devices() -> Iterator[str]:
    for kind in _native.kinds():
        yield f'## {_KINDS[kind]}\n\nKeys of device files with `kind = "{kind}"`, and of `--set`.\n'
        yield _table(
            ("key", "unit", "meaning"),
            ((f"`{key}`", unit, text) for key, unit, text in _native.parameter_keys(kind)),
        )
        chosen = _native.parameter_choices(kind)
        if chosen:
            yield "Keys that are one of a few names:\n"
            rows = ((f"`{key}`", f"`{name}`", text) for key, names in chosen for name, text in names)
            yield _table(("key", "name", "meaning"), rows)
        yield "What follows from them (`sledsim show`; `Device.characteristics()` in SI units):\n"
        about = _native.characteristic_keys(kind)
        yield _table(
            ("characteristic", "shown as", "meaning"),
            ((f"`{key}`", units.label(key), text) for key, text in about),
        )


def _power_policies() -> Iterator[str]:
    yield "## Power policies\n\n`power_policy` of a MEMS device; options in the name: `timeout:ms=2`.\n"
    policies = _native.power_policies()
    yield _table(("policy", "what it does"), ((f"`{name}`", text) for name, text in policies))
    rows = [
        (f"`{name}`", f"`{option}`", default, unit, text)
        for name, _ in policies
        for option, unit, default, text in _native.power_policy_options(name)
    ]
    yield _table(("policy", "option", "default", "unit", "meaning"), rows)


def _volumes() -> Iterator[str]:
    yield "## Volumes\n\nOptions stand in the name (`raid5:devices=5`), `--set` or a file; see"
    yield "[volumes.md](volumes.md).\n"
    for name, alias, text in _native.volumes():
        options, roles = _native.volume_options(name)
        yield f"### `{name}`" + (f" (`{alias}`)" if alias else "") + f"\n\n{text[0].upper()}{text[1:]}.\n"
        if options:
            rows = ((f"`{option}`", default, unit, about) for option, unit, default, about in options)
            yield _table(("option", "default", "unit", "meaning"), rows)
        members = ((f"`{role}`", f"`{default}`", about) for role, default, about in roles)
        yield _table(("member", "default", "meaning"), members)
        if name in counters.VOLUMES:
            yield _counters(counters.VOLUMES[name])


def _device_counters() -> Iterator[str]:
    yield "## What devices count\n\nUnder a [plan of faults](faults.md):\n"
    yield _counters(counters.FAULTS)
    yield "Where the medium has to be erased (`erase_block_kib`):\n"
    yield _counters(counters.ERASING)
    yield "Where a logical block is larger than a sector of 512 bytes (`emsoft08`):\n"
    yield _counters(counters.PARTIAL_WRITES)


def _studies() -> Iterator[str]:
    yield "## Studies\n\nOptions of `sledsim study NAME -O option=value`; see [studies.md](studies.md).\n"
    rows = (
        (f"`{study.name}`", f"`{one.name}`", one.default, one.unit, one.meaning)
        for study in STUDIES
        for one in described(study.table)
    )
    yield _table(("study", "option", "default", "unit", "meaning"), rows)


def _counters(meanings: Mapping[str, str]) -> str:
    rows = ((f"`{name}`", text) for name, text in meanings.items())
    return _table(("counted in a run", "meaning"), rows)


def _table(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = tuple(headings)
    lines = (head, ("---",) * len(head), *rows)
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n" for row in lines)


if __name__ == "__main__":
    PAGE.write_text(page())
