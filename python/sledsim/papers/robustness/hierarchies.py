"""The comparing claims of 003: a disk, and a MEMS device as metadata storage and write buffer before it."""

from functools import lru_cache, partial

from ...model.devices import load_device
from ...traces.generators import workload
from ...traces.trace import Trace
from .settings import COUNT, LeftOut, Load, Made, Setting, said

_DISK, _MEMS = "atlas10k", "hong03"
_QUEUE = {"mems.scheduler": "sptf"}
_TABLE = {"table": "memory", "unit_kib": 1}


#: Requests are made once for what is compared under them: of the devices that are looked at, and some.
@lru_cache(maxsize=600)
def day(name: str, count: int, seed: int) -> Trace:
    """The beginning of a day that is drawn by the counts of 003's Table 2."""
    return workload("metadata", load_device(_DISK), day=name, count=count, seed=seed)


def _load(name: str, scale: float = 1.0) -> Load:
    says = f"the first {COUNT:,} requests of a day drawn by 003's Table 2, as of {name}"
    return Load(partial(day, name), scale=scale, says=says)


def _volume(kind: str, **settings: object) -> Made:
    return Made(kind, {**_QUEUE, **settings}, (_MEMS, _DISK))


_BOTH = ("heavy", "light")
SETTINGS = (
    Setting(
        "003-systems",
        {
            "disk": Made(_DISK),
            "mmd": _volume("mmd", **_TABLE, flush_every_s=0),
            "mcd": _volume("mcd"),
            "mmcd": _volume("mmcd", **_TABLE, flush_every_s=0),
        },
        {
            "heavy": _load("1999-01-13"),
            "light": _load("1999-01-14"),
            "heavy5": _load("1999-01-13", 5.0),
            "light5": _load("1999-01-14", 5.0),
            "light20": _load("1999-01-14", 20.0),
        },
        (
            said(
                "003-C2a",
                "metadata on a MEMS device (MMD) make responses shorter than the disk's",
                *(f"mean(mmd, {load}) < mean(disk, {load})" for load in _BOTH),
            ),
            said(
                "003-C2b",
                "the same by 28 % or more, as printed",
                *(f"mean(disk, {load}) > 1.28 * mean(mmd, {load})" for load in _BOTH),
            ),
            said(
                "003-C3a",
                "a MEMS write buffer (MCD) makes them shorter than both DISK and MMD",
                *(
                    f"mean(mcd, {load}) < mean({other}, {load})"
                    for load in _BOTH
                    for other in ("disk", "mmd")
                ),
            ),
            said(
                "003-C3b",
                "MCD responds 2.7 times as soon as DISK, or more",
                *(f"mean(mcd, {load}) < mean(disk, {load}) / 2.7" for load in _BOTH),
            ),
            said(
                "003-C4a",
                "both together (MMCD) respond soonest",
                *(
                    f"mean(mmcd, {load}) < mean({other}, {load})"
                    for load in _BOTH
                    for other in ("disk", "mmd", "mcd")
                ),
            ),
            said(
                "003-C4b",
                "MMCD responds 3.3 times as soon as DISK, or more",
                *(f"mean(mmcd, {load}) < mean(disk, {load}) / 3.3" for load in _BOTH),
            ),
            said(
                "003-C5a",
                "on the light day responses of MCD and MMCD vary less than those of DISK",
                *(f"cv2({one}, light) < cv2(disk, light)" for one in ("mcd", "mmcd")),
            ),
            said(
                "003-C5b",
                "and so they do on the heavy day",
                *(f"cv2({one}, heavy) < cv2(disk, heavy)" for one in ("mcd", "mmcd")),
            ),
            said(
                "003-C5c",
                "responses of MMD vary more than those of DISK",
                *(f"cv2(mmd, {load}) > cv2(disk, {load})" for load in _BOTH),
            ),
            said(
                "003-C5d",
                "on the light day those of MCD and MMCD vary 2.4 times less, or more",
                *(f"cv2({one}, light) < cv2(disk, light) / 2.4" for one in ("mcd", "mmcd")),
            ),
            said(
                "003-C6a",
                "five times as fast, the light day is still served soon; beyond it is not",
                "mean(mcd, light5) < 2 * mean(mcd, light)",
                "mean(mcd, light20) > 2 * mean(mcd, light5)",
            ),
            said(
                "003-C6b",
                "on the heavy day made faster MMCD responds clearly sooner than MCD (by 15 %)",
                "mean(mmcd, heavy5) < 0.85 * mean(mcd, heavy5)",
            ),
            said(
                "003-C8",
                "a write buffer of 128 MB makes responses 5 times as short, or more",
                *(f"mean(mcd, {load}) < mean(disk, {load}) / 5" for load in _BOTH),
            ),
        ),
        scheduler="fcfs",
    ),
    Setting(
        "003-devices",
        {"sled": Made(_MEMS), "disk": Made(_DISK)},
        {"reads": Load("random:rate=10,reads=1")},
        (
            said(
                "003-C10",
                "a MEMS device positions 10 times sooner than a disk, or more; read with rotation, of reads",
                "positioning(sled) < positioning(disk) / 10",
            ),
        ),
        scheduler="fcfs",
    ),
)
LEFT_OUT = (
    LeftOut(
        "003-C7", "MEMS serves 50 to 80 % of the requests", "a count of the workload: no device changes it"
    ),
    LeftOut("003-C13", "prices of NVRAM, disk and MEMS", "no price is simulated"),
    LeftOut(
        "003-C14",
        "three strategies save 54 % of the power",
        "one of them merges requests outside of a run; 003-E-10 varies the powers",
    ),
)
