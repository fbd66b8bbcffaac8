//! The bus to the host that the members of a volume share: an option of every kind with several members.

use crate::error::Result;
use crate::media::SECTOR_BYTES;
use crate::options::{OptionRow, Options};

const NAME: &str = "bus_mb_per_s";

/// The option for a shared bus of the members.
pub(super) const SHARED_BUS: &[OptionRow] = &[OptionRow::number(
    NAME,
    "0",
    [1e-3, 1e6],
    "rate of a bus that all members share, in 10^6 bytes a second; the bus carries the data of one part at a time, first ready first; 0: no shared bus, only each member's own bus",
)
.unit("MB/s")
.or("0")];

/// Time of a sector on the shared bus, in nanoseconds; `None` without a shared bus.
///
/// # Errors An invalid rate.
pub fn shared_bus_ns_per_sector(options: &Options) -> Result<Option<f64>> {
    if options.pairs().all(|(name, _)| name != NAME) {
        return Ok(None);
    }
    let mb_per_s = options.number(NAME)?;
    Ok((mb_per_s > 0.0).then_some(SECTOR_BYTES as f64 * 1e3 / mb_per_s))
}
