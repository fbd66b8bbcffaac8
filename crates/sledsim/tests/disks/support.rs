//! The parameters of drives.

use std::path::Path;

use sledsim::params::DiskParams;

/// The drives that come with the program.
pub const NAMES: [&str; 8] =
    ["atlas10k", "atlas-iii", "barracuda", "cheetah4lp", "dec-rz26", "hp-c2247a", "hp-c2490a", "st41601n"];

pub fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("devices/{name}.toml"));
    std::fs::read_to_string(path).unwrap()
}

pub fn parameters(name: &str) -> DiskParams {
    DiskParams::read(&text(name)).unwrap()
}
