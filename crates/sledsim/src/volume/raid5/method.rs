//! Methods by which a write computes the new parity of a stripe.

use crate::error::Result;
use crate::options::{OptionRow, Options};

pub(super) const OPTION: OptionRow = OptionRow::one_of(
    "write",
    &["auto", "rmw", "reconstruct"],
    "method of computing the new parity of a write to a part of a stripe: rmw: reads the old data and the old parity; reconstruct: reads the other data of the stripe; auto: the method with fewer reads on the busiest device; if equal, with fewer reads in total; if equal, rmw",
);

pub(super) const MERGE_GAP: OptionRow = OptionRow::whole(
    "merge_gap_kib",
    "16",
    [0, 1 << 20],
    "largest gap between two ranges for which one request to a device reads both ranges and the gap (DiskSim: 16); 0: only adjacent ranges are read together",
)
.unit("KiB");

/// Reads from the options the method of computing parity; `None` if the volume chooses the method for each write.
pub(super) fn preferred(options: &Options) -> Result<Option<Method>> {
    options.one_of("write", &[None, Some(Method::Rmw), Some(Method::Reconstruct)])
}

/// The method by which a write computes the new parity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Method {
    /// The write computes no parity, because the device with the parity is missing.
    #[default]
    NoParity,
    /// All data of the stripe are written, so that the parity is computed from the new data alone.
    Full,
    /// The parity is computed from the old parity, the old data and the new data.
    Rmw,
    /// The parity is computed from the new data and the unchanged data of the stripe; the latter are read first.
    Reconstruct,
    /// All devices that are present are read, to reconstruct the data of the missing device; the parity is then
    /// computed from old and new data.
    Everything,
}

impl Method {
    /// True if the method reads the old parity.
    pub(super) fn reads_parity(self) -> bool {
        matches!(self, Self::Rmw | Self::Everything)
    }
}
