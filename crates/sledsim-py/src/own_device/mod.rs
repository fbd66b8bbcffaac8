//! Devices written in Python.

mod answers;
mod device;
mod registering;
mod request;

pub(crate) use registering::{own_key, register_device, Parameter};
pub(crate) use request::DeviceRequest;
