//! A run in time, as Perfetto shows it: a trace file of track events, written without a library.
//!
//! The format is that of `protos/perfetto/trace/track_event` of Perfetto, <https://perfetto.dev>: packets in
//! sequences. Here
//! each sequence has its own clock, which counts on by the differences between its packets, and numbers for its names.

mod counters;
mod devices;
mod fields;
mod hosts;
mod lanes;
mod message;
mod names;
mod phases;
mod sequence;
mod tracks;
mod waiting;

use std::io::{self, Write};

use crate::record::Record;
use crate::simulation::{Journal, Served};
use tracks::Tracks;

/// Contents of a written file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Number of services, with their phases.
    pub services: u64,
    /// Number of bytes of the file.
    pub bytes: u64,
}

/// Writes a journal as a Perfetto trace.
///
/// # Arguments
/// `names` are those of the devices; `hosts` is the record of the requests, with what they asked for, where volumes
/// make
/// parts of them: they are shown then, too.
///
/// # Errors
/// Errors of `out`.
pub fn write(
    out: &mut dyn Write,
    names: &[&str],
    journal: &Journal,
    hosts: Option<&Record>,
) -> io::Result<Written> {
    let mut tracks = Tracks::new(out);
    if let Some(record) = hosts {
        hosts::write(&mut tracks, record, journal.window)?;
    }
    let served = by_device(journal, names.len());
    for (device, (name, served)) in names.iter().zip(served).enumerate() {
        let group = tracks.group(name)?;
        let rest = counters::rest(journal.rests[device].as_ref(), journal.window);
        devices::write(&mut tracks, group, &served, &rest, &journal.places[device])?;
        let waited = journal.waited.iter().filter(|waited| waited.device as usize == device);
        waiting::write(&mut tracks, group, waited, &served, journal.window)?;
    }
    Ok(Written { services: journal.served.len() as u64, bytes: tracks.bytes() })
}

/// The services of each device, in order.
fn by_device(journal: &Journal, devices: usize) -> Vec<Vec<&Served>> {
    let mut all = vec![Vec::new(); devices];
    for served in &journal.served {
        all[served.device as usize].push(served);
    }
    all
}
