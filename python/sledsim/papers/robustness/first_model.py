"""The comparing claims of 002: the first sled beside a disk, its velocity and settling, schedulers."""

from .scheduling import drawn
from .settings import LeftOut, Load, Made, Setting, said

_DEVICE = "sigmetrics00"
_BY_NUMBER = ("sstf_lbn", "clook_lbn")
_ROOM = {"spare_travel_nm": 50_000}

SETTINGS = (
    Setting(
        "002-disk",
        {"sled": Made(_DEVICE), "disk": Made("cheetah4lp")},
        {"reads": Load("random:rate=10,reads=1")},
        (
            said(
                "002-C10",
                "access is five times as fast as on a disk, or more; read of reads",
                "mean(sled) < mean(disk) / 5",
            ),
        ),
        scheduler="fcfs",
    ),
    Setting(
        "002-velocity",
        # With all the room that the file has to turn around in, which a slow one needs at 60 mm/s.
        {
            **{
                f"v{mm}": Made(_DEVICE, {"access_velocity_mm_per_s": float(mm), **_ROOM})
                for mm in (1, 10, 20, 60)
            },
            **{
                f"quick{mm}": Made(
                    _DEVICE, {"access_velocity_mm_per_s": float(mm), "acceleration_m_per_s2": 400.0, **_ROOM}
                )
                for mm in (20, 60)
            },
        },
        {"alone": Load("random:rate=10")},
        (
            said(
                "002-C12a",
                "from 1 to 10 mm/s the access gets much shorter (by half)",
                "service(v10) < 0.5 * service(v1)",
            ),
            said("002-C12b", "beyond 20 mm/s a faster sled loses", "service(v60) > service(v20)"),
            said("002-C12c", "unless it accelerates by 400 m/s^2", "service(quick60) < service(quick20)"),
        ),
        scheduler="fcfs",
    ),
    Setting(
        "002-constants",
        {f"n{count}": Made(_DEVICE, {"settle_time_constants": float(count)}) for count in (1, 2, 4)},
        {"alone": Load("random:rate=10")},
        (
            said(
                "002-C13",
                "the access grows in proportion to the time constants of settling (within 10 %)",
                "service(n4) - service(n2) < 2.2 * (service(n2) - service(n1))",
                "service(n4) - service(n2) > 1.8 * (service(n2) - service(n1))",
            ),
        ),
        scheduler="fcfs",
    ),
    Setting(
        "002-random",
        {
            "sled": Made(_DEVICE),
            "none": Made(_DEVICE, {"settle_time_constants": 0.0}),
            "two": Made(_DEVICE, {"settle_time_constants": 2.0}),
        },
        {"high": Load("random:rate=550"), "fast": Load("random:rate=650"), "slow": Load("random:rate=350")},
        (
            said(
                "002-C15a",
                "FCFS saturates first",
                *(f"mean(fcfs) > mean({one})" for one in (*_BY_NUMBER, "sptf")),
            ),
            said("002-C15b", "SSTF_LBN responds sooner than C-LOOK", "mean(sstf_lbn) < mean(clook_lbn)"),
            said(
                "002-C15c",
                "SPTF responds soonest",
                *(f"mean(sptf) < mean({one})" for one in (*_BY_NUMBER, "fcfs")),
            ),
            said(
                "002-C15d",
                "C-LOOK resists starvation best",
                *(f"cv2(clook_lbn) < cv2({one})" for one in ("sstf_lbn", "sptf")),
            ),
            said(
                "002-C15e",
                "with two time constants SSTF_LBN is very close to SPTF (within 15 %)",
                "mean(sstf_lbn, two, slow) < 1.15 * mean(sptf, two, slow)",
                "mean(sptf, two, slow) < 1.15 * mean(sstf_lbn, two, slow)",
            ),
            said(
                "002-C15f",
                "without settling SPTF is better than the others by a large margin (15 %)",
                *(f"mean(sptf, none, fast) < 0.85 * mean({one}, none, fast)" for one in _BY_NUMBER),
            ),
        ),
        by_load=True,
    ),
    Setting(
        "002-traces",
        {"sled": Made(_DEVICE)},
        {
            "tpcc": drawn(_DEVICE, 620),
            "cello": Load("random:rate=500"),
        },
        (
            said(
                "002-C16",
                "SPTF wins by a much larger margin (15 %) on TPC-C than on Cello",
                *(
                    f"mean(sptf, tpcc) / mean({one}, tpcc) < 0.85 * mean(sptf, cello) / mean({one}, cello)"
                    for one in _BY_NUMBER
                ),
            ),
        ),
        by_load=True,
    ),
)
LEFT_OUT = (
    LeftOut(
        "002-C14", "the seek in x mostly outlasts the seek in y", "no figure of a run has the axes apart"
    ),
)
