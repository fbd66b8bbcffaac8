//! The activity of a device: a slice for each request, slices for its phases below, and slices for
//! the bus.

use std::io;

use super::counters::{powers, Counters};
use super::lanes::lanes;
use super::names::{Argument, Name, Phase, Title};
use super::phases::{decisive, meanwhile, phases};
use super::sequence::{Event, Kind, Sequence};
use super::tracks::Tracks;
use crate::simulation::Served;
use crate::time::Time;

/// Writer of the tracks of one device, with the state of writing.
struct Shown<'t, 'o> {
    tracks: &'t mut Tracks<'o>,
    sequence: Sequence,
    track: u64,
    counters: Counters,
}

/// Writes the slices of the services `served` of a device, in the order of time, and the powers
/// `rest` of the idle time after the last service.
pub(super) fn write(
    tracks: &mut Tracks<'_>,
    group: u64,
    served: &[&Served],
    rest: &[(Time, i64)],
    places: &[&str],
) -> io::Result<()> {
    let track = tracks.slices(group, "requests", 1)?;
    let counters = Counters::new(tracks, group, 5, places)?;
    let sequence = Sequence::begin(tracks, track, counters.tracks())?;
    let mut shown = Shown { tracks, sequence, track, counters };
    let mut before: Option<&Served> = None;
    for (number, one) in served.iter().enumerate() {
        shown.powers(before, &powers(one), one.start)?;
        match served.get(number + 1) {
            Some(next) => shown.service(before, one, &powers(next))?,
            None => shown.service(before, one, rest)?,
        }
        before = Some(one);
    }
    shown.powers(before, rest, Time::MAX)?;
    write_bus(shown.tracks, group, served)
}

/// Writes a slice for the time from the end of a service on the medium until all its data have crossed the
/// bus. Slices that overlap, because data wait for other data, lie on several tracks.
fn write_bus(tracks: &mut Tracks<'_>, group: u64, served: &[&Served]) -> io::Result<()> {
    let times = served.iter().map(|one| [one.end(), one.completion]).filter(|[end, until]| end < until);
    let (edges, count) = lanes(times);
    let lanes: Vec<u64> =
        (0..count.max(1)).map(|_| tracks.slices(group, "bus", 2)).collect::<io::Result<_>>()?;
    let mut sequence = Sequence::begin(tracks, lanes[0], &[])?;
    for edge in edges {
        let kind = if edge.is_begin { Kind::Begin(Name::Of(Phase::Bus)) } else { Kind::End };
        sequence.write(tracks, Event { at: edge.at, kind, track: lanes[edge.lane] }, &[], &[])?;
    }
    Ok(())
}

impl Shown<'_, '_> {
    fn write(
        &mut self,
        at: Time,
        kind: Kind,
        arguments: &[(Argument, u64)],
        counters: &[i64],
    ) -> io::Result<()> {
        self.sequence.write(self.tracks, Event { at, kind, track: self.track }, arguments, counters)
    }

    /// Writes the powers of an idle time that begin before `until`, except a power already written
    /// at the end of the previous service `before`.
    fn powers(&mut self, before: Option<&Served>, powers: &[(Time, i64)], until: Time) -> io::Result<()> {
        let (track, told) = (self.counters.tracks()[0], before.map(Served::end));
        for &(at, power) in powers {
            if at < until && Some(at) != told {
                let event = Event { at, kind: Kind::Counter(power), track };
                self.sequence.write(self.tracks, event, &[], &[])?;
            }
        }
        Ok(())
    }

    fn service(
        &mut self,
        before: Option<&Served>,
        served: &Served,
        follows: &[(Time, i64)],
    ) -> io::Result<()> {
        let Served { service, sectors, op, is_background, .. } = served;
        let title = Title { op: *op, is_background: *is_background, sectors: sectors.end - sectors.start };
        let mut arguments: Vec<_> =
            served.row.map(|row| (Argument::Request, row.into())).into_iter().collect();
        let lost = u64::from(service.lost_blocks);
        arguments.extend((lost > 0).then_some((Argument::LostBlocks, lost)));
        let counters = self.counters.at_start(before, served);
        self.write(served.start, Kind::Begin(Name::Request(title)), &arguments, &counters)?;
        let mut at = served.start;
        for (phase, lasts) in phases(service) {
            let other_axis = if phase == Phase::Positioning { meanwhile(service) } else { None };
            self.write(at, Kind::Begin(Name::Of(phase)), other_axis.as_slice(), &[])?;
            let end = at + lasts;
            if phase == Phase::Positioning {
                self.positioning([at, end], served)?;
            }
            self.write(end, Kind::End, &[], &[])?;
            at = end;
        }
        let counters = self.counters.at_end(served, follows);
        self.write(at, Kind::End, &[], &counters)
    }

    /// Writes slices for the phases of positioning on the axis that takes longer: seek and settling
    /// in x, or seek and turnarounds in y.
    fn positioning(&mut self, [mut at, end]: [Time; 2], served: &Served) -> io::Result<()> {
        for (phase, lasts) in decisive(&served.service) {
            // A phase ends with the positioning at the latest: the time in which a sled woke up counts as waiting.
            let until = (at + lasts).min(end);
            if until > at {
                self.write(at, Kind::Begin(Name::Of(phase)), &[], &[])?;
                self.write(until, Kind::End, &[], &[])?;
            }
            at = until;
        }
        Ok(())
    }
}
