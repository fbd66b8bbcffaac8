"""The simulator as WebAssembly is the same simulator: to the last bit, with every device and every policy."""

import base64
import lzma
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sledsim
from sledsim import _native
from sledsim.model.scheduling import REGISTERED

from .conftest import LIVE, Calls

#: The module is built once.
pytestmark = pytest.mark.xdist_group("browser")
#: Requests of a run: enough for a queue.
COUNT = 250
#: A rate at which every kind of device has a queue, in requests a second.
RATES = {"mems": 1500, "disk": 150, "flash": 800}

Called = Callable[[Calls], list[Any]]


def hash_of(times_ns: "np.ndarray[Any, Any]") -> str:
    """FNV-1a over words of 64 bits."""
    found = 0xCBF29CE484222325
    for time_ns in times_ns.tolist():
        found = (found ^ time_ns) * 0x100000001B3 & (1 << 64) - 1
    return f"{found:016x}"


def policies() -> list[str]:
    return [name for name in sledsim.schedulers() if name not in REGISTERED]


def workload(device: "sledsim.Device") -> str:
    return f"random:rate={RATES[device.kind]},count={COUNT},seed=11"


def calls_of(device: str, schedulers: list[str], settings: dict[str, Any] | None = None) -> Calls:
    """A run under each policy, of the same requests."""
    model = sledsim.device(device, **(settings or {}))
    calls: Calls = [("draw", {"workload": workload(model), "sectors": _native.sectors(model._native)})]
    for scheduler in schedulers:
        of = {"device": device, "scheduler": scheduler, "requests": "$requests"}
        calls += [("build", of | {"parameters": settings or {}}), ("finish", {"run": "$run"})]
    return calls


def same(called: Called, device: str, schedulers: list[str], settings: dict[str, Any] | None = None) -> None:
    """Check that page and program give the same times of completion, and the same means."""
    found = called([*calls_of(device, schedulers, settings)])[2::2]
    model = sledsim.device(device, **(settings or {}))
    requests = sledsim.workload(workload(model), model)
    for scheduler, page in zip(schedulers, found, strict=True):
        run = sledsim.simulate(model, requests, scheduler)
        assert page["count"] == COUNT, f"{device}, {scheduler}: {page}"
        assert page["completions_hash"] == hash_of(run.columns["completion_ns"]), f"{device}, {scheduler}"
        assert page["mean_response_ns"] == pytest.approx(1e9 * run.summary()["mean_response_s"])


@pytest.mark.dear("the page runs in a browser", every_change="cf-card")
@pytest.mark.parametrize("device", sorted(sledsim.devices()))
def test_every_policy_serves_every_device_to_the_same_bit(called: Called, device: str) -> None:
    assert len(policies()) > 15
    same(called, device, policies())


@pytest.mark.dear("the page runs in a browser", every_change=True)
@pytest.mark.parametrize(
    "settings", [{"settle_ms": 0.31}, {"layout": "organ-pipe"}, {"seek_model": "piecewise"}]
)
def test_parameters_mean_the_same(called: Called, settings: dict[str, Any]) -> None:
    same(called, "osdi00", ["sptf", "clook_lbn"], settings)


def test_hashes_differ_where_one_time_does() -> None:
    times = np.arange(1000)
    changed = times.copy()
    changed[500] += 1
    assert hash_of(times) != hash_of(changed) != hash_of(times[::-1])


@pytest.mark.dear("the page runs in a browser")
def test_it_is_small(node: str, module: Path) -> None:
    done = subprocess.run(
        [node, LIVE / "tools" / "size.js", module], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    print(done.stdout)


def test_it_asks_nothing_of_its_host(node: str, module: Path) -> None:
    code = (
        "WebAssembly.compile(require('fs').readFileSync(process.argv[1])).then((module) => "
        "console.log(WebAssembly.Module.imports(module).length))"
    )
    done = subprocess.run([node, "-e", code, module], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0"


def test_a_compression_that_it_is_without_is_named(called: Called) -> None:
    text = b"0.0 0 100 8 1\n1.0 0 200 8 0\n"
    plain, packed = (base64.b64encode(data).decode() for data in (text, lzma.compress(text)))
    read, refused = called([("read", {"name": "my.trace"}, plain), ("read", {"name": "my.xz"}, packed)])
    assert read["count"] == 2
    assert refused["error"] == (
        "my.xz: this build of sledsim cannot read xz: expected an uncompressed file, found a file"
        " compressed with xz; decompress the file first"
    )


@pytest.mark.dear("the page runs in a browser", every_change=True)
def test_what_is_wrong_does_not_end_it(called: Called) -> None:
    wrong: Calls = [
        ("build", {"requests": 1}),
        ("device", {"device": "osdi00", "parameters": {"tips": 1e300}}),
        ("device", {"device": "osdi00", "parameters": {"stroke_x_nm": 1}}),
        ("device", {"device": "/etc/passwd"}),
        ("device", {"device": "x.toml"}),
        ("draw", {"workload": "random:rate=1,count=99999999999", "sectors": 1}),
        ("read", {"name": "nothing"}, ""),
        ("device", {"device": "osdi00"}),
    ]
    *refused, last = called(wrong)
    assert all(answer.get("error") for answer in refused), refused
    assert last["name"] == "osdi00"
