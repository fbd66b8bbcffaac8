//! A server in a separate thread, and clients over sockets of the operating system.
#![cfg(target_os = "linux")]

mod client;
mod clients;
mod door;
mod ending;
mod hostile;
mod power;
mod probing;
mod serving;
#[path = "../nbd/wire.rs"]
#[allow(dead_code)]
mod wire;
