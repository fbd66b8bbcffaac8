//! Shortest access time first.

use super::cost::Shortest;

/// Serves the request that the medium can be done with soonest: positioning and transfer, exactly (Jacobson and
/// Wilkes 1991; DiskSim: policy 10, SATF_OPT).
pub(super) type Satf = Shortest<true>;
