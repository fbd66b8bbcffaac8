//! Slices for the requests of the host, written if volumes divide these requests into parts for
//! their devices.

use std::io;

use super::lanes::lanes;
use super::names::{Argument, Name, Title};
use super::sequence::{Event, Kind, Sequence};
use super::tracks::Tracks;
use crate::record::Record;
use crate::request::Op;
use crate::time::Time;

/// Writes a slice for each request that is outstanding at some time in the window, from its arrival to its
/// completion at the host.
pub(super) fn write(tracks: &mut Tracks<'_>, record: &Record, [from, until]: [Time; 2]) -> io::Result<()> {
    let group = tracks.group("host")?;
    let times = record.arrival_ns.iter().zip(&record.completion_ns);
    let times = times.map(|(arrival, completion)| [*arrival, *completion].map(|ns| Time(ns as u64)));
    let rows: Vec<(usize, [Time; 2])> = times
        .enumerate()
        .filter(|(_, [arrival, completion])| *arrival <= until && *completion >= from && arrival < completion)
        .collect();
    let (edges, count) = lanes(rows.iter().map(|(_, times)| *times));
    let lanes: Vec<u64> =
        (0..count).map(|_| tracks.slices(group, "requests", 1)).collect::<io::Result<_>>()?;
    let mut sequence = Sequence::begin(tracks, lanes.first().copied().unwrap_or(group), &[])?;
    for edge in edges {
        let ((row, _), track) = (rows[edge.of], lanes[edge.lane]);
        if edge.is_begin {
            let kind = Kind::Begin(Name::Request(title(record, row)));
            let arguments = [(Argument::Request, row as u64)];
            sequence.write(tracks, Event { at: edge.at, kind, track }, &arguments, &[])?;
        } else {
            sequence.write(tracks, Event { at: edge.at, kind: Kind::End, track }, &[], &[])?;
        }
    }
    Ok(())
}

fn title(record: &Record, row: usize) -> Title {
    let op = if record.write[row] { Op::Write } else { Op::Read };
    Title { op, is_background: false, sectors: record.blocks[row] as u64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes a request that arrived at 2 ns and was complete at 5 ns; returns true if the file for
    /// `window` shows it.
    fn shows(window: [Time; 2]) -> bool {
        let mut record = Record::default();
        (record.arrival_ns, record.completion_ns) = (vec![2], vec![5]);
        (record.write, record.blocks) = (vec![false], vec![8]);
        let mut file = Vec::new();
        write(&mut Tracks::new(&mut file), &record, window).expect("a write to memory does not fail");
        file.windows(10).any(|text| text == b"read 4 KiB")
    }

    #[test]
    fn a_request_is_shown_where_it_touches_the_window() {
        for (from, until) in (0..8).flat_map(|from| (from..8).map(move |until| (from, until))) {
            assert_eq!(shows([Time(from), Time(until)]), from <= 5 && until >= 2, "from {from} to {until}");
        }
    }
}
