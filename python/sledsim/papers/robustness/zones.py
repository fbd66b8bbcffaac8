"""The comparing claims of 000, on streams with the sequentiality of its traces (see ``p000/inputs.py``)."""

from .settings import LeftOut, Load, Made, Setting, said

_SMALL, _LARGE = "zsptf:zone=60x600", "zsptf:zone=240x2400"
_PYRAMID = "'pyramid:parity=split'"


def _stream(sequentiality: float, rate: int) -> Load:
    return Load(f"stream:sequentiality={sequentiality},rate={rate}")


_LIGHT, _MODERATE, _HEAVY = "light", "moderate", "heavy"
_EVERY, _BUSY = (_LIGHT, _MODERATE, _HEAVY), (_MODERATE, _HEAVY)


def _alike(figure: str, one: str, other: str, loads: tuple[str, ...]) -> tuple[str, ...]:
    """That a figure of two policies differs by no more than 15 %."""
    pairs = ((one, other), (other, one))
    return tuple(f"{figure}({a}, {load}) < 1.15 * {figure}({b}, {load})" for load in loads for a, b in pairs)


def _larger(figure: str, one: str, other: str, loads: tuple[str, ...], by: str = "") -> tuple[str, ...]:
    """That a figure of one policy is larger than that of another one, by a printed part."""
    times = f"{by} * " if by else ""
    return tuple(f"{figure}({one}, {load}) > {times}{figure}({other}, {load})" for load in loads)


SETTINGS = (
    Setting(
        "000-server",
        {"server": Made("mascots03-zones", {"sleds": 3})},
        {name: _stream(0.005, rate) for name, rate in zip(_EVERY, (800, 1400, 1800), strict=True)},
        (
            said(
                "000-C7b",
                "on the server trace ZSPTF and ZTSPTF are alike in response and variation (within 15 %)",
                *_alike("mean", "zsptf", "ztsptf", _EVERY),
                *_alike("cv2", "zsptf", "ztsptf", _EVERY),
            ),
            said(
                "000-C8a",
                "under heavy server loads small zones are slower than those of 120 x 1200 bits",
                *_larger("mean", _SMALL, "zsptf", (_HEAVY,)),
            ),
            said(
                "000-C8b",
                "the same by 12 % or more, as printed",
                *_larger("mean", _SMALL, "zsptf", (_HEAVY,), "1.12"),
            ),
            said(
                "000-C9a",
                "under all server loads the largest zones and those of 120 x 1200 bits respond alike"
                " (within 15 %)",
                *_alike("mean", _LARGE, "zsptf", _EVERY),
            ),
            said("000-C9b", "and vary alike", *_alike("cv2", _LARGE, "zsptf", _EVERY)),
            said(
                "000-C11a",
                "under heavy server loads ZSPTF responds sooner than C-SCAN and SSTF",
                *_larger("mean", "cscan", "zsptf", (_HEAVY,)),
                *_larger("mean", "sstf_track", "zsptf", (_HEAVY,)),
            ),
            said(
                "000-C12a",
                "under light loads SPTF and ASPTF(5) are better than ZSPTF by at most 7 %",
                *(f"mean({one}, light) < mean(zsptf, light)" for one in ("sptf", "asptf")),
                *(f"mean(zsptf, light) < 1.07 * mean({one}, light)" for one in ("sptf", "asptf")),
            ),
            said(
                "000-C12b",
                "under moderate loads SPTF and ASPTF(5) are better than ZSPTF by 10 % or more",
                *(f"mean(zsptf, moderate) > 1.1 * mean({one}, moderate)" for one in ("sptf", "asptf")),
            ),
            said(
                "000-C13a",
                "under heavy server loads ZSPTF responds sooner than ASPTF(5)",
                "mean(zsptf, heavy) < mean(asptf, heavy)",
            ),
            said(
                "000-C13b",
                "under heavy server loads ZSPTF is almost as good as SPTF (within 15 %)",
                "mean(zsptf, heavy) < 1.15 * mean(sptf, heavy)",
            ),
            said(
                "000-C15a",
                "under moderate loads responses under ZSPTF vary more than under ASPTF(5)",
                *_larger("cv2", "zsptf", "asptf", (_MODERATE,)),
            ),
            said(
                "000-C15b", "and so they do under heavy loads", *_larger("cv2", "zsptf", "asptf", (_HEAVY,))
            ),
            said(
                "000-C16a",
                "under moderate and heavy server loads responses under SPTF vary more than under ZSPTF",
                *_larger("cv2", "sptf", "zsptf", _BUSY),
            ),
            said(
                "000-C16b",
                "the same by 16 % or more, as printed",
                *_larger("cv2", "sptf", "zsptf", _BUSY, "1.16"),
            ),
            said(
                "000-C17a",
                "responses under FCFS vary least under moderate and heavy loads",
                *(
                    condition
                    for other in ("cscan", "sstf_track", "sptf", "asptf", "zsptf")
                    for condition in _larger("cv2", other, "fcfs", _BUSY)
                ),
            ),
            said(
                "000-C17b",
                "responses under C-SCAN and ZSPTF vary alike under all loads (within 15 %)",
                *_alike("cv2", "zsptf", "cscan", _EVERY),
            ),
            said(
                "000-C19",
                "pyramids take away half of the difference between ZSPTF and ASPTF(5), moderate loads",
                f"mean(zsptf, moderate) - mean({_PYRAMID}, moderate)"
                " > 0.5 * (mean(zsptf, moderate) - mean(asptf, moderate))",
            ),
        ),
        by_load=True,
    ),
    Setting(
        "000-user",
        {"user": Made("mascots03-zones", {"sleds": 2})},
        {name: _stream(0.829, rate) for name, rate in zip(_BUSY, (1800, 2000), strict=True)},
        (
            said(
                "000-C6a",
                "under moderate and heavy user loads ZSPTF responds sooner than ZTSPTF",
                *_larger("mean", "ztsptf", "zsptf", _BUSY),
            ),
            said(
                "000-C6b",
                "the same by 31 % or more, as printed",
                *_larger("mean", "ztsptf", "zsptf", _BUSY, "1.31"),
            ),
            said(
                "000-C7a",
                "under moderate user loads responses under ZSPTF vary more than under ZTSPTF",
                *_larger("cv2", "zsptf", "ztsptf", (_MODERATE,)),
            ),
            said(
                "000-C8c",
                "under moderate and heavy user loads small zones are slower than those of 120 x 1200 bits",
                *_larger("mean", _SMALL, "zsptf", _BUSY),
            ),
            said(
                "000-C8d",
                "the same by 69 % or more, as printed",
                *_larger("mean", _SMALL, "zsptf", _BUSY, "1.69"),
            ),
            said(
                "000-C10a",
                "under moderate and heavy user loads the largest zones respond sooner than 120 x 1200 bits",
                *_larger("mean", "zsptf", _LARGE, _BUSY),
            ),
            said(
                "000-C10b",
                "the same by 18 % or more, as printed",
                *_larger("mean", "zsptf", _LARGE, _BUSY, "1.18"),
            ),
            said("000-C10c", "and vary more", *_larger("cv2", _LARGE, "zsptf", _BUSY)),
            said(
                "000-C10d",
                "the same by 22 % or more, as printed",
                *_larger("cv2", _LARGE, "zsptf", _BUSY, "1.22"),
            ),
            said(
                "000-C11b",
                "under moderate and heavy user loads ZSPTF responds twice as soon as C-SCAN and SSTF",
                *_larger("mean", "cscan", "zsptf", _BUSY, "2"),
                *_larger("mean", "sstf_track", "zsptf", _BUSY, "2"),
            ),
            said(
                "000-C14a",
                "under heavy user loads SPTF and ASPTF(5) respond sooner than ZSPTF",
                *(
                    condition
                    for one in ("sptf", "asptf")
                    for condition in _larger("mean", "zsptf", one, (_HEAVY,))
                ),
            ),
            said(
                "000-C14b",
                "the same by 30 % or more, as printed",
                *(
                    condition
                    for one in ("sptf", "asptf")
                    for condition in _larger("mean", "zsptf", one, (_HEAVY,), "1.3")
                ),
            ),
            said(
                "000-C16c",
                "under moderate and heavy user loads responses under SPTF vary more than under ZSPTF",
                *_larger("cv2", "sptf", "zsptf", _BUSY),
            ),
            said(
                "000-C16d",
                "the same by 83 % or more, as printed",
                *_larger("cv2", "sptf", "zsptf", _BUSY, "1.83"),
            ),
        ),
        by_load=True,
    ),
    Setting(
        "000-disks",
        {"sled": Made("mascots03"), "disk": Made("atlas10k")},
        {"reads": Load("random:rate=10,reads=1")},
        (
            said(
                "000-C20",
                "MEMS devices position 10 times sooner than disks, and more; read with rotation, of reads",
                "positioning(sled) < positioning(disk) / 10",
            ),
        ),
        scheduler="fcfs",
    ),
)
LEFT_OUT = (
    LeftOut("000-C4", "a decision costs less by zones", "it is the time of a processor, not of a device"),
    LeftOut(
        "000-C18", "in a zone wait 10 to 100 times fewer than in all", "no figure of a run has queues by zone"
    ),
    LeftOut("000-C21", "ZSPTF varies 50 to 160 % less than SPTF", "it contradicts itself; 000-C16 is there"),
)
