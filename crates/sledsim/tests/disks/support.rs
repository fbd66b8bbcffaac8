//! The disk drives that are built in.

/// Names of the built-in drives.
pub const NAMES: [&str; 8] =
    ["atlas10k", "atlas-iii", "barracuda", "cheetah4lp", "dec-rz26", "hp-c2247a", "hp-c2490a", "st41601n"];
