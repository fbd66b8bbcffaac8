"""The comparing claims of 000, on streams with the sequentiality of its traces (see ``p000/inputs.py``)."""

from .settings import LeftOut, Load, Made, Setting, said

_SMALL, _LARGE = "zsptf:zone=60x600", "zsptf:zone=240x2400"
_PYRAMID = "'pyramid:parity=split'"


def _stream(sequentiality: float, rate: int) -> Load:
    return Load(f"stream:sequentiality={sequentiality},rate={rate}")


SETTINGS = (
    Setting(
        "000-server",
        {"server": Made("mascots03-zones", {"sleds": 3})},
        {name: _stream(0.005, rate) for name, rate in (("light", 800), ("moderate", 1400), ("heavy", 1800))},
        (
            said(
                "000-C8a",
                "under heavy server loads small zones are slower than those of 120 x 1200 bits",
                f"mean({_SMALL}, heavy) > mean(zsptf, heavy)",
            ),
            said(
                "000-C9",
                "under server loads the largest zones and those of 120 x 1200 bits are alike (within 15 %)",
                *(
                    f"mean({one}, {load}) < 1.15 * mean({other}, {load})"
                    for load in ("light", "moderate")
                    for one, other in ((_LARGE, "zsptf"), ("zsptf", _LARGE))
                ),
            ),
            said(
                "000-C11a",
                "under heavy server loads ZSPTF responds sooner than C-SCAN and SSTF",
                *(f"mean(zsptf, heavy) < mean({other}, heavy)" for other in ("cscan", "sstf_track")),
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
                "000-C15",
                "responses under ZSPTF vary more than under ASPTF(5)",
                "cv2(zsptf, moderate) > cv2(asptf, moderate)",
            ),
            said(
                "000-C16a",
                "on the server trace responses under SPTF vary more than under ZSPTF",
                "cv2(sptf, moderate) > cv2(zsptf, moderate)",
            ),
            said(
                "000-C17a",
                "responses under FCFS vary least under moderate loads",
                *(f"cv2(fcfs, moderate) < cv2({one}, moderate)" for one in ("cscan", "zsptf", "sptf")),
            ),
            said(
                "000-C17b",
                "responses under C-SCAN and ZSPTF vary alike (within 15 %)",
                "cv2(zsptf, moderate) < 1.15 * cv2(cscan, moderate)",
                "cv2(cscan, moderate) < 1.15 * cv2(zsptf, moderate)",
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
        {name: _stream(0.829, rate) for name, rate in (("moderate", 1800), ("heavy", 2000))},
        (
            said(
                "000-C6",
                "under moderate and heavy user loads ZSPTF responds sooner than ZTSPTF",
                *(f"mean(zsptf, {load}) < mean(ztsptf, {load})" for load in ("moderate", "heavy")),
            ),
            said(
                "000-C7",
                "under moderate user loads responses under ZSPTF vary more than under ZTSPTF",
                "cv2(zsptf, moderate) > cv2(ztsptf, moderate)",
            ),
            said(
                "000-C8b",
                "under moderate and heavy user loads small zones are slower than those of 120 x 1200 bits",
                *(f"mean({_SMALL}, {load}) > mean(zsptf, {load})" for load in ("moderate", "heavy")),
            ),
            said(
                "000-C10",
                "under user loads the largest zones respond sooner and vary more than 120 x 1200 bits",
                f"mean({_LARGE}, moderate) < mean(zsptf, moderate)",
                f"cv2({_LARGE}, moderate) > cv2(zsptf, moderate)",
            ),
            said(
                "000-C11b",
                "under moderate and heavy user loads ZSPTF responds twice as soon as C-SCAN and SSTF",
                *(
                    f"mean(zsptf, {load}) < mean({other}, {load}) / 2"
                    for load in ("moderate", "heavy")
                    for other in ("cscan", "sstf_track")
                ),
            ),
            said(
                "000-C14",
                "under heavy user loads SPTF and ASPTF(5) respond sooner than ZSPTF",
                *(f"mean({one}, heavy) < mean(zsptf, heavy)" for one in ("sptf", "asptf")),
            ),
            said(
                "000-C16b",
                "on the user trace responses under SPTF vary more than under ZSPTF",
                "cv2(sptf, moderate) > cv2(zsptf, moderate)",
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
