//! Slices for requests that wait for a device, and a counter of the waiting requests.

use std::io;

use super::lanes::lanes;
use super::names::{Name, Phase};
use super::sequence::{Event, Kind, Sequence};
use super::tracks::Tracks;
use crate::simulation::{Served, Waited};
use crate::time::Time;

/// Writes a slice for each wait of a request, on as many tracks as needed, and the number of
/// waiting requests over time.
///
/// A wait of a request that is not served in the window is cut at the borders of the window.
pub(super) fn write<'w>(
    tracks: &mut Tracks<'_>,
    group: u64,
    waited: impl Iterator<Item = &'w Waited>,
    served: &[&Served],
    [from, until]: [Time; 2],
) -> io::Result<()> {
    let is_served = |start: Time| served.binary_search_by_key(&start, |served| served.start).is_ok();
    let shown = |waited: &Waited| {
        if is_served(waited.start) {
            [waited.arrival, waited.start]
        } else {
            [waited.arrival.max(from), waited.start.min(until)]
        }
    };
    let mut waited: Vec<_> = waited.map(shown).filter(|[from, until]| from < until).collect();
    waited.sort_unstable();
    let counter = tracks.counter(group, "requests waiting", (1, ""), 4)?;
    let (edges, count) = lanes(waited.iter().copied());
    let lanes: Vec<u64> =
        (0..count).map(|_| tracks.slices(group, "waiting", 3)).collect::<io::Result<_>>()?;
    let first = lanes.first().copied().unwrap_or(counter);
    let mut sequence = Sequence::begin(tracks, first, &[counter])?;
    let (mut number, mut has_begun) = (0, false);
    for edge in edges {
        // Slices that are cut at the end of the window do not change the number.
        let is_inside = edge.at >= from && edge.at < until;
        if is_inside && !has_begun && edge.at > from {
            let event = Event { at: from, kind: Kind::Counter(number), track: counter };
            sequence.write(tracks, event, &[], &[])?;
        }
        has_begun |= is_inside;
        number += if edge.is_begin { 1 } else { -1 };
        let kind = if edge.is_begin { Kind::Begin(Name::Of(Phase::Waiting)) } else { Kind::End };
        let values = [number];
        let event = Event { at: edge.at, kind, track: lanes[edge.lane] };
        sequence.write(tracks, event, &[], if is_inside { &values } else { &[] })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes a request that waits from 2 ns to 5 ns and is not served in `window`; returns true if
    /// the file shows the wait.
    fn shows(window: [Time; 2]) -> bool {
        let file = |waited: &[Waited]| {
            let mut file = Vec::new();
            write(&mut Tracks::new(&mut file), 1, waited.iter(), &[], window)
                .expect("a write to memory does not fail");
            file
        };
        file(&[Waited { device: 0, row: Some(0), arrival: Time(2), start: Time(5) }]) != file(&[])
    }

    /// Checks that a request that arrives at the end of the window, or is served at its start, does not wait
    /// in the window.
    #[test]
    fn waiting_is_shown_where_it_goes_on_in_the_window() {
        for (from, until) in (0..8).flat_map(|from| (from..8).map(move |until| (from, until))) {
            let lasts = 5.min(until) > 2.max(from);
            assert_eq!(shows([Time(from), Time(until)]), lasts, "from {from} to {until}");
        }
    }
}
