//! The options of arrival times, common to every generator.

use crate::options::OptionRow;

/// Option of the mean rate of arrivals.
pub(super) const RATE: OptionRow =
    OptionRow::number("rate", "", [0.0, f64::INFINITY], "mean arrival rate; not with arrivals=asap")
        .unit("1/s")
        .above();
/// Option of the arrival process.
pub(super) const ARRIVALS: OptionRow = OptionRow::one_of(
    "arrivals",
    &["poisson", "constant", "bursts", "sessions", "self-similar", "asap"],
    "arrival process; asap: all at time 0",
);
/// Option of the mean time for which a source is on.
pub(super) const ON: OptionRow =
    OptionRow::number("on_ms", "100", [1e-3, 1e9], "mean length of a burst (bursts, self-similar)")
        .unit("ms");
/// Option of the mean time for which a source is off.
pub(super) const OFF: OptionRow =
    OptionRow::number("off_ms", "300", [1e-3, 1e9], "mean silence between two bursts (bursts, self-similar)")
        .unit("ms");
/// Memory of arrivals.
pub(super) const HURST: OptionRow = OptionRow::number(
    "hurst",
    "0.8",
    [0.5, 1.0],
    "Hurst parameter of the arrivals (self-similar); near 0.5: hardly bursty",
)
.between();
/// Number of sources of self-similar arrivals.
pub(super) const SOURCES: OptionRow = OptionRow::whole(
    "sources",
    "16",
    [1, 256],
    "number of superposed on-off sources (self-similar); fewer sources are burstier",
);
/// Option of the mean number of requests of a session.
pub(super) const SESSION: OptionRow = OptionRow::number(
    "session",
    "18.3",
    [1.0, 1e6],
    "mean number of requests in a session (sessions; the default was measured in hplajw, 1992)",
)
.unit("requests")
.above();
/// Option of the share of short times between arrivals.
pub(super) const CLOSE: OptionRow = OptionRow::number(
    "close",
    "0.753",
    [0.0, 1.0],
    "fraction of short times between arrivals (sessions)", // user trace of 000
);
/// Option of the limit of short times; smaller values would need times in parts of a nanosecond.
pub(super) const CLOSE_GAP: OptionRow = OptionRow::number(
    "close_gap",
    "0.1045",
    [1e-6, 100.0],
    "largest short time between arrivals, as a fraction of the mean time between arrivals (sessions)", // 000: 5 ms at 20.9/s
)
.unit("mean times");
/// Options that belong to a single arrival process each.
pub(super) const OWN: [OptionRow; 7] = [ON, OFF, HURST, SOURCES, SESSION, CLOSE, CLOSE_GAP];

/// Largest arrival time: more than a century.
pub(super) const LATEST_S: f64 = 4e9;
