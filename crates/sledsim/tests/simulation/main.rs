//! Whole simulations: properties of every policy on every device.

mod announced;
mod approach;
mod beginning;
mod bounds;
mod bus;
mod checks;
mod coarse;
mod conformance;
mod data_moves;
mod decisions;
mod episodes;
mod erasing;
mod fitted;
mod flash;
mod generators;
mod idle;
mod imports;
mod journal;
mod layering;
/// The example of a custom device, tested here.
#[path = "../../examples/own_device.rs"]
#[allow(dead_code)]
mod own_device;
mod own_devices;
/// The example of a custom scheduler. It registers a policy, so that the tests of all policies include it.
#[path = "../../examples/own_scheduler.rs"]
#[allow(dead_code)]
mod own_scheduler;
mod perfetto;
mod power;
mod power_loss;
mod record;
mod registered;
mod shared_bus;
mod sled;
mod stepped;
mod streamed;
mod support;
mod systems;
mod unchanged;
mod watching;
