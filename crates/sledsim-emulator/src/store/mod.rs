//! The contents of the device.
