//! Copies of a device, all with the same state.

use super::Device;

/// Copies a device, including its state, `count` times.
pub(crate) fn copies<D: Device + Clone + 'static>(device: &D, count: u32) -> Vec<Box<dyn Device>> {
    (0..count).map(|_| Box::new(device.clone()) as Box<dyn Device>).collect()
}
