//! Copies of a device, all with the same state.

use super::Device;

/// Creates `count` copies of a device, each in the same state as the device.
pub(crate) fn copies<D: Device + Clone + 'static>(device: &D, count: u32) -> Vec<Box<dyn Device>> {
    (0..count).map(|_| Box::new(device.clone()) as Box<dyn Device>).collect()
}
