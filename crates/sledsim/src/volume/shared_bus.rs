//! The bus to the host that all members of a volume share, an option of every kind of volume with several members.

use crate::error::Result;
use crate::media::SECTOR_BYTES;
use crate::options::{OptionRow, Options};

const NAME: &str = "bus_mb_per_s";

/// The option that gives the rate of the shared bus.
pub(super) const SHARED_BUS: &[OptionRow] = &[OptionRow::number(
    NAME,
    "0",
    [1e-3, 1e6],
    "rate of a bus that all members share; it carries the data of one part at a time, in the order in which the parts become ready; 0: each member has only its own bus",
)
.unit("MB/s")
.or("0")];

/// Time in nanoseconds that the shared bus needs for a sector; `None` without a shared bus.
///
/// # Errors The rate is invalid.
pub fn shared_bus_ns_per_sector(options: &Options) -> Result<Option<f64>> {
    if options.pairs().all(|(name, _)| name != NAME) {
        return Ok(None);
    }
    let mb_per_s = options.number(NAME)?;
    Ok((mb_per_s > 0.0).then_some(SECTOR_BYTES as f64 * 1e3 / mb_per_s))
}
