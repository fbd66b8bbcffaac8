//! Options of arrival times, which all generators share.

use crate::options::OptionRow;

/// Option for the mean arrival rate.
pub(super) const RATE: OptionRow =
    OptionRow::number("rate", "", [0.0, f64::INFINITY], "mean arrival rate; not with arrivals=asap")
        .unit("1/s")
        .above();
/// Option that selects the arrival process.
pub(super) const ARRIVALS: OptionRow = OptionRow::one_of(
    "arrivals",
    &["poisson", "constant", "bursts", "sessions", "self-similar", "asap"],
    "arrival process; asap: all requests arrive at time 0",
);
/// Option for the mean time during which a source is on.
pub(super) const ON: OptionRow = OptionRow::number(
    "on_ms",
    "100",
    [1e-3, 1e9],
    "mean length of a burst; only with arrivals=bursts or self-similar",
)
.unit("ms");
/// Option for the mean time during which a source is off.
pub(super) const OFF: OptionRow = OptionRow::number(
    "off_ms",
    "300",
    [1e-3, 1e9],
    "mean silence between two bursts; only with arrivals=bursts or self-similar",
)
.unit("ms");
/// Option for the Hurst parameter, which measures how long bursts affect later arrivals.
pub(super) const HURST: OptionRow = OptionRow::number(
    "hurst",
    "0.8",
    [0.5, 1.0],
    "Hurst parameter of the arrivals, near 0.5 hardly bursty; only with arrivals=self-similar",
)
.between();
/// Option for the number of sources of self-similar arrivals.
pub(super) const SOURCES: OptionRow = OptionRow::whole(
    "sources",
    "16",
    [1, 256],
    "number of superposed on-off sources (fewer sources are burstier); only with arrivals=self-similar",
);
/// Option for the mean number of requests of a session.
pub(super) const SESSION: OptionRow = OptionRow::number(
    "session",
    "18.3",
    [1.0, 1e6],
    "mean number of requests in a session (default: as measured in the trace hplajw of 1992); only with arrivals=sessions",
)
.unit("requests")
.above();
/// Option for the fraction of inter-arrival times that are short.
pub(super) const CLOSE: OptionRow = OptionRow::number(
    "close",
    "0.753",
    [0.0, 1.0],
    "fraction of inter-arrival times that are short; only with arrivals=sessions", // user trace of 000
);
/// Option for the limit below which an inter-arrival time counts as short. Lower limits than its
/// range permits would require times of fractions of a nanosecond.
pub(super) const CLOSE_GAP: OptionRow = OptionRow::number(
    "close_gap",
    "0.1045",
    [1e-6, 100.0],
    "limit of short inter-arrival times, as a fraction of the mean inter-arrival time; only with arrivals=sessions", // 000: 5 ms at 20.9/s
)
.unit("mean times");
/// Options that belong to some arrival processes only.
pub(super) const OWN: [OptionRow; 7] = [ON, OFF, HURST, SOURCES, SESSION, CLOSE, CLOSE_GAP];

/// Largest permitted arrival time in seconds: more than a century.
pub(super) const LATEST_S: f64 = 4e9;
