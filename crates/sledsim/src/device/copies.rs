//! Devices that begin alike.

use super::Device;

/// So many devices in the state of one.
pub(crate) fn copies<D: Device + Clone + 'static>(device: &D, count: u32) -> Vec<Box<dyn Device>> {
    (0..count).map(|_| Box::new(device.clone()) as Box<dyn Device>).collect()
}
