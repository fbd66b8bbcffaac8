//! Whole simulations: what must hold for every policy on every device.

mod bounds;
mod conformance;
mod decisions;
mod idle;
mod layering;
mod record;
mod support;
