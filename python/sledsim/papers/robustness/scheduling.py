"""The comparing claims of 001: schedulers, settling, layouts, arrays, power and seek control."""

from functools import lru_cache, partial

from ...model.devices import load_device
from ...traces.trace import Trace
from ..p001.file_layouts import file_trace
from ..shared.disk_traces import database
from .settings import COUNT, LeftOut, Load, Made, Setting, said

_LAYOUTS = ("random", "organ-pipe", "columnar", "subregioned")
_BARE = {"overhead_ms": 0.0, "bus_mb_per_s": 0.0}
_FILES = 2000


#: Requests are made once for what is compared under them: of the devices that are looked at, and some.
@lru_cache(maxsize=600)
def files(layout: str, count: int, seed: int) -> Trace:
    """Whole files where the file system puts them under a layout."""
    return file_trace(layout, count, seed)


def _layout(layout: str, **changes: float) -> Made:
    seeded = {"layout_seed": 1, "layout_extent_blocks": 16384} if layout == "random" else {}
    return Made("osdi00", {"layout": layout, **_BARE, **seeded, **changes})


def drawn_database(model: str, rate_per_s: float, count: int, seed: int) -> Trace:
    """What stands for TPC-C on a device."""
    return database(load_device(model), rate_per_s, count, seed)


def drawn(model: str, rate_per_s: float) -> Load:
    """What stands for TPC-C, as a load."""
    says = f"a drawn database in a part of the device, {rate_per_s:g} a second, {COUNT:,} requests"
    return Load(partial(drawn_database, model, rate_per_s), says=says)


SETTINGS = (
    Setting(
        "001-random",
        {"sled": Made("osdi00")},
        {"high": Load("random:rate=1500")},
        (
            said(
                "001-C20a",
                "FCFS saturates first",
                *(f"mean(fcfs, high) > mean({one}, high)" for one in ("sstf_lbn", "clook_lbn", "sptf")),
            ),
            said(
                "001-C20b",
                "SSTF_LBN responds sooner than C-LOOK_LBN",
                "mean(sstf_lbn, high) < mean(clook_lbn, high)",
            ),
            said(
                "001-C20c",
                "SPTF responds soonest",
                *(f"mean(sptf, high) < mean({one}, high)" for one in ("sstf_lbn", "clook_lbn", "fcfs")),
            ),
            said(
                "001-C20d",
                "C-LOOK_LBN starves least: its responses vary less than under SSTF_LBN and SPTF",
                *(f"cv2(clook_lbn, high) < cv2({one}, high)" for one in ("sstf_lbn", "sptf")),
            ),
        ),
        by_load=True,
    ),
    Setting(
        "001-settling",
        {"none": Made("osdi00", {"settle_ms": 0.0}), "twice": Made("osdi00", {"settle_ms": 0.44})},
        {"fast": Load("random:rate=1800"), "slow": Load("random:rate=1050")},
        (
            said(
                "001-C21a",
                "with twice the settling time SPTF, SSTF_LBN and C-LOOK_LBN are alike (within 15 %)",
                *(
                    f"mean({one}, twice, slow) < 1.15 * mean({other}, twice, slow)"
                    for one, other in (
                        ("sstf_lbn", "sptf"),
                        ("clook_lbn", "sptf"),
                        ("sptf", "sstf_lbn"),
                        ("sptf", "clook_lbn"),
                    )
                ),
            ),
            said(
                "001-C21b",
                "without settling SPTF is better than SSTF_LBN and C-LOOK_LBN by a large margin (15 %)",
                *(
                    f"mean(sptf, none, fast) < 0.85 * mean({one}, none, fast)"
                    for one in ("sstf_lbn", "clook_lbn")
                ),
            ),
        ),
        by_load=True,
    ),
    Setting(
        "001-traces",
        {"sled": Made("osdi00")},
        {
            "tpcc": drawn("osdi00", 1600),
            "cello": Load("random:rate=1450"),
        },
        (
            said(
                "001-C22",
                "SPTF wins by a much larger margin (15 %) on Cello than on TPC-C",
                *(
                    f"mean(sptf, cello) / mean({one}, cello) < 0.85 * mean(sptf, tpcc) / mean({one}, tpcc)"
                    for one in ("sstf_lbn", "clook_lbn")
                ),
            ),
        ),
        by_load=True,
    ),
    Setting(
        "001-layouts",
        {
            **{name.replace("-", "_"): _layout(name) for name in _LAYOUTS},
            **{
                f"{name.replace('-', '_')}_unsettled": _layout(name, settle_ms=0.0)
                for name in ("organ-pipe", "columnar", "subregioned")
            },
        },
        {
            f"files_{name.replace('-', '_')}": Load(
                partial(files, name), _FILES, says=f"{_FILES:,} reads of whole files, placed by {name}"
            )
            for name in _LAYOUTS
        },
        (
            said(
                "001-C14a",
                "organ pipe, columnar and subregioned layouts take 12 % from the access (6 or more)",
                *(
                    f"service({name}, files_{name}) < 94% * service(random, files_random)"
                    for name in ("organ_pipe", "columnar", "subregioned")
                ),
            ),
            said(
                "001-C14b",
                "these layouts are better than placing files at random at all",
                *(
                    f"service({name}, files_{name}) < service(random, files_random)"
                    for name in ("organ_pipe", "columnar", "subregioned")
                ),
            ),
            said(
                "001-C14c",
                "without settling the subregioned layout is clearly better still (by half of 12 %)",
                *(
                    "service(subregioned_unsettled, files_subregioned)"
                    f" < 94% * service({name}_unsettled, files_{name})"
                    for name in ("organ_pipe", "columnar")
                ),
            ),
        ),
        scheduler="fcfs",
    ),
    Setting(
        "001-arrays",
        {
            **{
                f"{kind}_{of}": Made(kind, {"devices": count, "stripe_unit_kib": 64, "device": name}, (name,))
                for kind, count in (("stripe", 4), ("raid5", 5))
                for of, name in (("disks", "atlas10k"), ("sleds", "osdi00"))
            },
        },
        {"disks": Load("random:rate=75", count=2000), "sleds": Load("random:rate=300", count=2000)},
        (
            said(
                "001-C17a",
                "RAID-5 costs less over striping on MEMS devices than on disks",
                "mean(raid5_sleds, sleds) / mean(stripe_sleds, sleds)"
                " < mean(raid5_disks, disks) / mean(stripe_disks, disks)",
            ),
            said(
                "001-C17b",
                "and costs no more than half as much there (27 % against 77 %)",
                "mean(raid5_sleds, sleds) / mean(stripe_sleds, sleds) - 1"
                " < 0.5 * (mean(raid5_disks, disks) / mean(stripe_disks, disks) - 1)",
            ),
        ),
        scheduler="fcfs",
    ),
    Setting(
        "001-rewriting",
        {"sled": Made("osdi00"), "disk": Made("atlas10k", {"write_back": False})},
        {"alone": Load("rmw:rate=10,sizes=fixed", count=1000)},
        (
            said(
                "001-C15",
                "a read and the write of the same blocks take a disk 5 times as long, or more",
                "mean(sled) < mean(disk) / 5",
            ),
        ),
        scheduler="fcfs",
    ),
    Setting(
        "001-power",
        {
            "at_once": Made("osdi00-power", {"power_policy": "immediate"}),
            "late": Made("osdi00-power", {"power_policy": "timeout:ms=100"}),
            "never": Made("osdi00-power", {"power_policy": "always-on"}),
        },
        {"rare": Load("random:rate=1", count=600), "some": Load("random:rate=100", count=1500)},
        (
            said(
                "001-E-12a",
                "to rest as soon as nothing waits takes less energy than after 100 ms",
                *(f"energy(at_once, {load}) < energy(late, {load})" for load in ("rare", "some")),
            ),
            said(
                "001-E-12b",
                "restarting is so quick that it does not matter: less than 0.5 ms a response",
                *(f"mean(at_once, {load}) - mean(never, {load}) < 0.5e-3" for load in ("rare", "some")),
            ),
        ),
        scheduler="fcfs",
    ),
    Setting(
        "001-control",
        {"slewing": Made("osdi00"), "linear": Made("osdi00", {"seek_model": "linear-system"})},
        {"slewed": Load("random:rate=1500"), "looped": Load("random:rate=350")},
        (
            said(
                "001-E-13",
                "with seeks by a linear loop SPTF gains more over SSTF_LBN than with slew and settle",
                "mean(sptf, linear, looped) / mean(sstf_lbn, linear, looped)"
                " < mean(sptf, slewing, slewed) / mean(sstf_lbn, slewing, slewed)",
            ),
        ),
        by_load=True,
    ),
)
LEFT_OUT = (
    LeftOut(
        "001-C7", "positioning costs more beside streaming on disks", "other disks, whose files are not there"
    ),
    LeftOut(
        "001-C12",
        "seeks take 14 to 21 % longer in a corner than in the centre",
        "a formula over places, without a run",
    ),
    LeftOut(
        "001-C13",
        "the distance in x matters little to a large request",
        "a formula over places, without a run",
    ),
    LeftOut("001-C18", "a start takes less than 0.5 ms", "it is a parameter of the device itself"),
    LeftOut(
        "001-C19", "8 to 22 % of the energy of low-power disks", "no such disk is there, nor its power in 001"
    ),
    LeftOut("001-C23", "disks stream at a third or less", "rates that 001 cites of other disks"),
    LeftOut(
        "001-C24",
        "springs make short seeks longer and long ones shorter",
        "a formula over distances, without a run",
    ),
    LeftOut("001-E-11", "spare tips keep the service time unchanged", "it holds by construction"),
)
