//! The methods of writing to a stripe.

use crate::error::Result;
use crate::options::{OptionRow, Options};

pub(super) const OPTION: OptionRow = OptionRow::one_of(
    "write",
    &["auto", "rmw", "reconstruct"],
    "method to write part of a stripe: rmw (reads the old data and parity), reconstruct (reads the other data of the stripe), auto (the method with fewer successive requests, then with fewer requests in total, then rmw)",
);

pub(super) const MERGE_GAP: OptionRow = OptionRow::whole(
    "merge_gap_kib",
    "16",
    [0, 1 << 20],
    "largest gap between two ranges on a device for which one request covers both ranges and the gap (DiskSim: 16); 0: only adjacent ranges",
)
.unit("KiB");

/// Returns the preferred method; `None` if the number of requests decides.
pub(super) fn preferred(options: &Options) -> Result<Option<Method>> {
    options.one_of("write", &[None, Some(Method::Rmw), Some(Method::Reconstruct)])
}

/// The method by which the new parity is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Method {
    /// No parity: its device is missing.
    #[default]
    NoParity,
    /// Parity of all the data, which are new.
    Full,
    /// Parity from the old parity and the changes: old data are read where new data are written.
    Rmw,
    /// Parity of all the data: the data that do not change are read.
    Reconstruct,
    /// Parity of all the data, after the data of the missing device are reconstructed from all other devices.
    Everything,
}

impl Method {
    /// True if the old parity is read.
    pub(super) fn reads_parity(self) -> bool {
        matches!(self, Self::Rmw | Self::Everything)
    }
}
