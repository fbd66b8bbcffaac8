//! A run in time: a trace file of track events for Perfetto, written without a library.
//!
//! The format is that of `protos/perfetto/trace/track_event` of Perfetto, <https://perfetto.dev>:
//! sequences of packets. Each sequence has its own clock, which each packet advances by a time
//! difference, and its own numbers for names.

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

/// The contents of a file that was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Number of services in the file.
    pub services: u64,
    /// Number of bytes of the file.
    pub bytes: u64,
}

/// Writes a journal as a trace file for Perfetto.
///
/// # Arguments
/// `names` are the names of the devices. `hosts` is the record with the requests of the host, given if
/// volumes divide these requests into parts; the file then shows the requests, too.
///
/// # Errors
/// The errors of writing to `out`.
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

/// The services of each device, in the order of time.
fn by_device(journal: &Journal, devices: usize) -> Vec<Vec<&Served>> {
    let mut all = vec![Vec::new(); devices];
    for served in &journal.served {
        all[served.device as usize].push(served);
    }
    all
}
