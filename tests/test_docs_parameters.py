"""docs/parameters.md is what the program says of itself, and says it of everything."""

import json
from typing import Any

import pytest

import sledsim
from sledsim import _native, counters
from sledsim.device_studies import STUDIES, option_names

from .conftest import Cli
from .parameters_page import PAGE, page

TEXT = PAGE.read_text()


def test_the_page_is_what_its_generator_prints() -> None:
    assert page() == TEXT, "make parameters writes it again"


def named(section: str) -> str:
    return next(part for part in TEXT.split("\n## ") if part.startswith(section))


@pytest.mark.parametrize("name", sledsim.devices())
def test_every_key_and_characteristic_of_a_device_is_there(name: str) -> None:
    device = sledsim.device(name)
    here = named({"mems": "MEMS", "disk": "Disks", "flash": "Flash"}[device.kind])
    for key in [*device.parameters, *device.characteristics()]:
        assert key in ("name", "kind") or f"\n| `{key}` | " in here, key


@pytest.mark.parametrize("kind", sledsim.volumes())
def test_every_option_and_counter_of_a_volume_is_there(kind: str) -> None:
    here = next(part for part in named("Volumes").split("\n### ") if part.startswith(f"`{kind}`"))
    run = sledsim.simulate(sledsim.volume(kind), sledsim.demo_trace().rows(slice(0, 50)))
    counted = {name for counts in run.volumes.values() for name in counts}
    assert counted == set(counters.VOLUMES.get(kind, {})), "python/sledsim/counters.py"
    for name in [*sledsim.volume_options(kind), *sledsim.systems.volume_roles(kind), *counted]:
        assert f"\n| `{name}` | " in here, name


def test_what_devices_count_is_there() -> None:
    trace = sledsim.demo_trace().rows(slice(0, 50))
    faulty = sledsim.with_faults(sledsim.device("osdi00"), {"seed": 1})
    erased, large = sledsim.device("osdi00-erase"), sledsim.device("emsoft08")
    for device, known in zip((faulty, erased, large), counters.DEVICES.values(), strict=True):
        (counts,) = sledsim.simulate(device, trace).device_counts.values()
        assert set(counts) == set(known)


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_every_option_of_a_study_is_there(study: Any) -> None:
    for name in option_names(study.table):
        assert f"\n| `{study.name}` | `{name}` | " in named("Studies")


@pytest.mark.parametrize("kind", _native.kinds())
def test_meanings_say_something(kind: str) -> None:
    rows = [
        *_native.characteristic_keys(kind),
        *((key, text) for key, _, text in _native.parameter_keys(kind)),
    ]
    for key, text in rows:
        assert len(text) >= 5 and text == text.strip() and "  " not in text, key


def test_show_explains(cli: Cli) -> None:
    words = " ".join(cli("show", "atlas10k", "--explain").stdout.split())
    assert "What that is a part of" in words
    assert "Gamma: random accesses a second for each MiB a second of streaming" in words
    meanings = json.loads(cli("show", "atlas10k", "--explain", "--json").stdout)["meanings"]
    assert meanings["watermark_of"] == "What that is a part of" and "gamma_per_mib" in meanings
    reading = sledsim.device("atlas10k").parameters["read_ahead"]
    text = dict(dict(_native.parameter_choices("disk"))["read_ahead"])[reading]
    assert f"What is read into the cache behind a read. {reading}: {text}"[:60] in words


def test_a_kind_of_volume_is_explained(cli: Cli) -> None:
    words = " ".join(cli("volumes", "mcd").stdout.split())
    assert "clean_above=0.9 share of the log that is not clean above which it is cleaned" in words
    assert "bypassed writes writes that went past the log, because it was too full for them" in words
    listed = json.loads(cli("volumes", "mcd", "--json").stdout)
    assert listed["write-buffer"]["counters"] == dict(counters.VOLUMES["write-buffer"])
    done = cli("volumes", "raid55")
    assert done.returncode == 2 and 'did you mean "raid5"?' in done.stderr
