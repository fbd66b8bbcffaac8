//! Devices written in Python.

mod answers;
mod device;
mod registering;
mod request;

pub(crate) use registering::register_device;
pub(crate) use request::DeviceRequest;
