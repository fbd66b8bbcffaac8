//! Shortest positioning time first.

use super::cost::Shortest;

/// Serves the request that the device can be positioned for soonest, exactly (001-F13, 000-F16; DiskSim: policy
/// 8, SPTF_OPT).
pub(super) type Sptf = Shortest<false>;
