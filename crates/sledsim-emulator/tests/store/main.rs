//! Stores, which keep the contents of the device.

mod file;
mod stores;
mod unflushed;
mod unreadable;
