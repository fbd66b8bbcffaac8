//! Devices with the same initial state.

use super::Device;

/// Copies a device `count` times, state included.
pub(crate) fn copies<D: Device + Clone + 'static>(device: &D, count: u32) -> Vec<Box<dyn Device>> {
    (0..count).map(|_| Box::new(device.clone()) as Box<dyn Device>).collect()
}
