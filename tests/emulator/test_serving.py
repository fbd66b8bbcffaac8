"""A simulated device under a client: contents, identity with the simulator, certificate."""

import json
import random
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sledsim
from sledsim.emulator.certificate import certificate, to_text
from sledsim.emulator.served import COLUMNS, Served, read_served
from sledsim.emulator.serving import MOST_LEAD_US, DeviceServer
from sledsim.model.volumes import Target
from sledsim.runs.result_writer import ResultWriter

from ..recomputed import HONG03, OSDI00, ZONES, Sled, first_come_first_served
from .client import FUA, READ, TRIM, WRITE, WRITE_ZEROES, Client

BLOCK = 4096


def named(target: str) -> Target:
    """Return the device or the volume of that name."""
    return sledsim.volume(target) if target in sledsim.volumes() else sledsim.device(target)


def served(work: Callable[[Client], Any], target: str | Target = "osdi00", **settings: Any) -> Served:
    """Run a client in its own thread, and return the record."""
    failed: list[BaseException] = []
    model = named(target) if isinstance(target, str) else target
    with DeviceServer(model, **{"time_scale": "1/50", **settings}) as server:

        def run() -> None:
            try:
                with Client(server.uri) as client:
                    work(client)
            except BaseException as error:
                failed.append(error)

        thread = threading.Thread(target=run)
        thread.start()
        with tempfile.TemporaryDirectory() as folder:
            record = Path(folder) / "run.parquet"
            assert server.serve(record, lambda status: not failed, "off", once=True)
            thread.join()
            if failed:
                raise failed[0]
            return read_served(record)


def mixed(client: Client) -> None:
    """Read and write at random, and check the data against earlier writes."""
    draw, written = random.Random(1), {}
    for number in range(200):
        offset = BLOCK * draw.randrange(3000)
        kind = draw.random()
        if kind < 0.4:
            written[offset] = bytes([number % 255 + 1]) * BLOCK
            client.do(WRITE, offset, BLOCK, written[offset], FUA if kind < 0.1 else 0)
        elif kind < 0.5:
            written[offset] = bytes(BLOCK)
            client.do(WRITE_ZEROES, offset, BLOCK)
        elif kind < 0.55:
            client.do(TRIM, offset, BLOCK)
        else:
            assert client.do(READ, offset, BLOCK) == written.get(offset, bytes(BLOCK))
    deep = draw.sample(range(3000), 64)
    found = client.read_all((BLOCK * block for block in deep), BLOCK)
    assert found == {BLOCK * block: written.get(BLOCK * block, bytes(BLOCK)) for block in deep}


@pytest.mark.parametrize(
    ("target", "scheduler"),
    [
        *(("osdi00", policy) for policy in ("fcfs", "sptf", "clook_cyl")),
        *((target, None) for target in ("stripe", "raid5", "mirror", "metadata", "write-buffer")),
        *(("atlas10k", "sptf"), ("cf-card", None)),
    ],
)
def test_what_was_served_is_what_the_simulator_says(
    target: str, scheduler: str | None, tmp_path: Path
) -> None:
    found = served(mixed, target, scheduler=scheduler)
    assert certificate(found)["identical"]
    rows = found.rows
    assert (rows["sent_ns"] >= rows["due_ns"]).all(), "without a lead nothing is sent before it is due"
    assert rows["zeroes"].sum() and not rows["zeroes"].all()
    path = found.write(tmp_path / "run.parquet")
    again = sledsim.simulate(
        named(target),
        sledsim.read_trace(path),
        found.run.settings.scheduler_in_full,
    )
    for name in ("arrival_ns", "start_ns", "completion_ns", "positioning_ns", "energy_j"):
        assert np.array_equal(again.columns[name], found.run.columns[name]), name


@pytest.mark.parametrize(
    ("target", "sled"), [("osdi00", OSDI00), ("mascots03-zones", ZONES), ("hong03", HONG03)]
)
def test_what_was_served_is_what_the_equations_give(target: str, sled: Sled) -> None:
    """Served responses in ns equal 000 Eqs 1 to 6 all over the sled: first come, first served, queued."""
    draw = random.Random(2)

    def all_over(client: Client) -> None:
        for number in range(30):
            last = sled.blocks * sled.block_bytes // BLOCK - 3
            places = [BLOCK * draw.randrange(last) for _ in range(4)]
            client.do(WRITE, places[0], 3 * BLOCK, bytes([number + 1]) * (3 * BLOCK))
            client.read_all(places, BLOCK)

    device = sledsim.device(target, bus_mb_per_s=100)
    # Requests arrive faster than the device serves them.
    rows = served(all_over, device, scheduler="fcfs", time_scale="1").run.columns
    asked = zip(*(rows[name].tolist() for name in ("arrival_ns", "lbn", "blocks", "write")), strict=True)
    own = first_come_first_served(sled, 200_000, 5_120, list(asked))
    assert rows["completion_ns"].tolist() == own
    assert len(own) == 150 and np.sum(rows["arrival_ns"][1:] < rows["completion_ns"][:-1]) > 20


def test_the_certificate_is_derived_again_to_the_same_bytes(tmp_path: Path) -> None:
    found = served(mixed, lead=25.0)
    text = to_text(certificate(found))
    again = read_served(found.write(tmp_path / "run.parquet"))
    assert to_text(certificate(again)) == text
    made = json.loads(text)
    late_us = (found.rows["sent_ns"] - found.rows["due_ns"]) / 1e3
    assert made["requests"] == len(late_us) == len(found.run.columns["lbn"])
    for name, part in (("p50", 0.5), ("p99", 0.99), ("max", 1.0)):
        assert made["lateness_us"][name] == np.quantile(late_us, part, method="inverted_cdf")
    assert made["worst"][0]["lateness_us"] == late_us[np.abs(late_us).argmax()]
    assert made["host"] and made["kernel"].startswith("Linux") and made["lead_us"] == 25.0


def test_blocks_that_the_device_loses_are_errors() -> None:
    plan = {"bad_blocks": [{"lbn": 8000 * number, "blocks": 1} for number in range(0, 200, 7)]}
    device = sledsim.with_faults(sledsim.device("osdi00"), plan)
    failed: list[int] = []

    def read(client: Client) -> None:
        for number in range(200):
            cookie = client.ask(READ, BLOCK * 1000 * number, BLOCK)
            _, error, _ = client.answer({cookie: BLOCK})
            assert error in (0, 5)
            failed.append(error)

    found = served(read, device)
    lost = found.run.columns["lost_blocks"] > 0
    assert lost.any() and not lost.all()
    assert [error > 0 for error in failed] == lost.tolist()


def test_a_device_that_stalls_and_slows_down_is_served_as_simulated(tmp_path: Path) -> None:
    episodes = [sledsim.Stall(0.005, 30, every_s=0.06), sledsim.Slow(0.04, 20, 3, every_s=0.06)]
    for bare in (sledsim.device("osdi00"), sledsim.volume("mirror")):
        found = served(mixed, sledsim.with_episodes(bare, episodes))
        assert certificate(found)["identical"]
        text = to_text(certificate(found))
        assert to_text(certificate(read_served(found.write(tmp_path / "run.parquet")))) == text
        columns = found.run.columns
        since_ns = columns["start_ns"] - columns["arrival_ns"][0] - 5_000_000
        assert (since_ns[since_ns >= 0] % 60_000_000 >= 30_000_000).all(), "none begins in a stall"


def altered(found: Served, **rows: Any) -> Served:
    """Return a copy with other columns of the server."""
    return Served(found.run, {**found.rows, **rows}, found.how)


def test_a_certificate_is_refused_with_the_first_reason() -> None:
    found = served(mixed)
    due = found.rows["due_ns"]
    true = altered(found, sent_ns=due + 10_000)
    assert certificate(true)["reason"] is None and certificate(true)["certified"]
    late = due + 10_000
    late[: len(late) // 50] += 2_000_000
    assert (
        "of the replies were in time, expected at least 99%"
        in certificate(altered(found, sent_ns=late))["reason"]
    )
    one = due + 10_000
    one[5] += 1_100_000
    assert certificate(altered(found, sent_ns=one))["reason"].startswith("1 of 1,000 replies was 1,1")
    unanswered = certificate(altered(found, sent_ns=np.full_like(due, -1)))
    assert (unanswered["reason"], unanswered["unanswered"]) == ("no request had a reply", len(due))
    columns = dict(true.run.columns)
    columns["completion_ns"] = columns["completion_ns"] + 1
    lying = Served(type(true.run)(columns, true.run.totals, true.run.settings), true.rows, true.how)
    assert (
        certificate(lying)["reason"]
        == "the simulator gives other values of completion_ns for the same requests"
    )


def test_the_tolerance_is_of_the_time_that_the_client_saw() -> None:
    found = served(mixed, time_scale="2")
    response_ns = found.run.columns["completion_ns"] - found.run.columns["arrival_ns"]
    # Two hundredths of twice the simulated time.
    on_time = altered(found, sent_ns=found.rows["due_ns"] + (response_ns * 2 * 2) // 100 - 1)
    assert certificate(on_time)["share_in_time"] == 1.0


def test_contents_stay_in_their_file_and_nothing_else_fits_it(tmp_path: Path) -> None:
    image = tmp_path / "disk.img"
    served(lambda client: client.do(WRITE, BLOCK, BLOCK, b"x" * BLOCK), image=image, size_bytes=1 << 20)
    assert image.stat().st_size == 1 << 20
    assert image.read_bytes()[BLOCK : 2 * BLOCK] == b"x" * BLOCK

    def check(client: Client) -> None:
        assert client.do(READ, BLOCK, BLOCK) == b"x" * BLOCK
        cookie = client.ask(WRITE, 0, BLOCK, bytes(BLOCK))
        assert client.answer({}) == (cookie, 1, b"")

    served(check, image=image, size_bytes=1 << 20, is_read_only=True)
    with pytest.raises(
        sledsim.ParameterError,
        match="expected a file of 2097152 bytes, the size of the device, found 1048576",
    ):
        DeviceServer(sledsim.device("osdi00"), image=image, size_bytes=1 << 21)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"size_bytes": 1000},
            "size: expected a multiple of 512 up to the .* bytes of osdi00, found 1000",
        ),
        ({"size_bytes": 1 << 50}, "size: expected"),
        ({"time_scale": "fast"}, "time scale: expected a number such as 10"),
        ({"cache": "lyin"}, 'unknown cache "lyin": did you mean "lying"\\? known: none, volatile, lying'),
        *(
            ({"lead": lead}, "lead: expected auto, off or microseconds from 0 to 1000")
            for lead in ("on", -1, 1001)
        ),
        ({"tcp": "localhost"}, "tcp: expected an address with a port, such as 127.0.0.1:10809"),
        ({"scheduler": "sptff"}, "unknown scheduler"),
        ({"socket": "s", "tcp": "127.0.0.1:0"}, "expected one address, found two"),
        *(({"tcp": f"{host}:0"}, "tcp: expected a loopback address") for host in ("0.0.0.0", "[::]")),
    ],
)
def test_what_cannot_be_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(sledsim.ParameterError, match=message):
        DeviceServer(sledsim.device("osdi00"), **settings)


@pytest.mark.xdist_group("registered")
def test_what_is_written_in_python_is_refused() -> None:
    """A scheduler in Python would take the interpreter's lock at each decision."""

    def first(*_: object) -> int:
        """Serve the first request."""
        return 0

    sledsim.extend.register_scheduler("served-own", first)
    sledsim.extend.register_seek_model("served-seeks", lambda from_m, *_: np.zeros(len(from_m)))
    plain, seeking = sledsim.device("osdi00"), sledsim.device("osdi00", seek_model="served-seeks")
    for target, scheduler, message in (
        (
            plain,
            "served-own+deadline:after_ms=5",
            'scheduler: expected a built-in name, found "served-own", written in Python',
        ),
        (
            sledsim.volume("stripe"),
            "served-own",
            'scheduler: expected a built-in name, found "served-own", written in Python',
        ),
        (seeking, "fcfs", 'seek_model: expected a built-in name, found "served-seeks", written in Python'),
    ):
        with pytest.raises(sledsim.ParameterError, match=message):
            DeviceServer(target, scheduler)


@pytest.mark.dear("a served device answers in real time", every_change="127.0.0.1:0")
@pytest.mark.parametrize("tcp", [None, "127.0.0.1:0"])
def test_a_probe_reads_beside_the_client(tcp: str | None) -> None:
    """The client does not wait for the probe, whose requests are in the record like all others."""

    def read(client: Client) -> None:
        # The probe rests for 50 ms between its requests.
        end = time.monotonic() + 0.5
        while time.monotonic() < end:
            client.do(READ, 0, BLOCK)

    found = served(read, probe=True, lead="auto", tcp=tcp)
    how, made = found.how, certificate(found)
    own = found.rows["connection"] == how["probe"]["connection"]
    assert own.sum() - made["probe"]["requests"] in (0, 1)
    assert made["probe"]["requests"] == len(how["probe"]["latency_ns"])
    assert (found.run.columns["blocks"][own] == BLOCK // 512).all() and not own.all()
    assert made["identical"]
    floor = how["floor_us"]
    assert how["lead_us"] == min(floor["start"]["p50"], MOST_LEAD_US) > 0
    assert all(0 < floor[when]["p50"] <= floor[when]["p99"] for when in ("start", "end"))


def test_no_other_result_is_taken_for_what_was_served(tmp_path: Path) -> None:
    run = sledsim.simulate(
        sledsim.device("osdi00"), sledsim.workload("random:rate=100,count=10", sledsim.device("osdi00"))
    )
    path = run.write(tmp_path / "run.parquet")
    with pytest.raises(
        sledsim.TraceError, match="expected a record of 'sledsim serve --record', found a result"
    ):
        read_served(path)


def test_a_port_is_an_address_too() -> None:
    found = served(lambda client: client.do(READ, 0, BLOCK), tcp="127.0.0.1:0")
    assert len(found.run.columns["lbn"]) == 1
    assert {*found.rows} == {*COLUMNS}


@pytest.mark.parametrize(
    ("target", "is_rotational"), [("osdi00", True), ("atlas10k", True), ("raid5", True), ("cf-card", False)]
)
def test_devices_with_a_mechanism_report_rotation(target: str, is_rotational: bool) -> None:
    flags: list[int] = []

    def look(client: Client) -> None:
        flags.append(client.flags)
        client.do(READ, 0, BLOCK)

    served(look, target)
    assert bool(flags[0] & 1 << 4) == is_rotational


def test_other_machines_connect_if_allowed() -> None:
    with DeviceServer(sledsim.device("osdi00"), tcp="0.0.0.0:0", allow_remote=True) as server:
        assert server.uri.startswith("nbd://0.0.0.0:")


def test_rows_are_written_on_the_way(tmp_path: Path) -> None:
    """More rows than one batch are written, and none is left for the end."""

    def read(client: Client) -> None:
        for number in range(3000):
            client.do(READ, BLOCK * (number * 7919 % 20_000), BLOCK)

    found = served(read, "cf-card")
    assert len(found.rows["sent_ns"]) == 3000 == len(found.run.columns["lbn"])
    assert certificate(found)["identical"]
    assert found.run.totals["requests"] == 3000


def test_a_part_without_rows_is_left_out(tmp_path: Path) -> None:
    run = sledsim.simulate(
        sledsim.device("osdi00"), sledsim.workload("random:rate=100,count=10", sledsim.device("osdi00"))
    )
    names = [device["device"] for device in run.devices]
    with ResultWriter(tmp_path / "run.parquet") as writer:
        for rows in (slice(0, 0), slice(0, 10), slice(10, 20)):
            writer.add({name: column[rows] for name, column in run.columns.items()}, names)
        writer.finish(run._about())
    again = sledsim.read_run(tmp_path / "run.parquet")
    assert np.array_equal(again.columns["lbn"], run.columns["lbn"])
