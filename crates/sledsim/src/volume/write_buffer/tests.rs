use super::{OPTIONS, ROW};
use crate::error::Result;
use crate::options::Options;
use crate::request::Op;
use crate::time::Time;
use crate::volume::{Action, Io, Part, Volume, VolumeRequest};

fn volume(options: &str) -> Result<Box<dyn Volume>> {
    (ROW.make.build)(&Options::parse("write-buffer", OPTIONS, options)?, &vec![vec![100_000], vec![10_000]])
}

fn submitted(io: &mut Io) -> Vec<Part> {
    let actions = std::iter::from_fn(|| io.next_action());
    actions
        .filter_map(|action| if let Action::Submit(part, _) = action { Some(part) } else { None })
        .collect()
}

fn write(volume: &mut dyn Volume, io: &mut Io, sector: u64) {
    let request = VolumeRequest { sector, sectors: 8, op: Op::Write, metadata: false };
    let job = io.begin();
    volume.submit(Time::ZERO, job, &request, io);
}

fn counted<const N: usize>(volume: &dyn Volume, names: [&str; N]) -> [f64; N] {
    let counts = volume.counts();
    names.map(|name| counts.iter().find(|(known, _)| *known == name).unwrap().1)
}

/// Completes a part, and returns the parts that the volume then sends.
fn done(volume: &mut dyn Volume, io: &mut Io, part: &Part) -> Vec<Part> {
    io.came_back(part, io.urgency(part.job));
    volume.done(Time::ZERO, part, io);
    submitted(io)
}

#[test]
fn writes_that_wait_become_one_append() {
    let (mut volume, mut io) = (volume("buffer_mb=1").unwrap(), Io::new(2, false));
    for sector in [800, 80, 8000] {
        write(&mut *volume, &mut io, sector);
    }
    let parts = submitted(&mut io);
    // The ring begins behind the sector that holds the note with the tail; a note follows the data of each append.
    assert_eq!(
        parts.iter().map(|part| (part.member, part.sector, part.sectors)).collect::<Vec<_>>(),
        [(1, 1, 9)]
    );
    let next = done(&mut *volume, &mut io, &parts[0]);
    assert_eq!((next.len(), next[0].sector, next[0].sectors), (1, 10, 17));
    assert!(done(&mut *volume, &mut io, &next[0]).is_empty());
    assert_eq!(counted(&*volume, ["appends", "appended_writes", "dirty_sectors"]), [2.0, 3.0, 24.0]);
}

#[test]
fn what_is_in_the_log_is_cleaned_in_the_order_of_the_disk() {
    let (mut volume, mut io) = (volume("buffer_mb=1,clean_after_ms=0").unwrap(), Io::new(2, false));
    for sector in [800, 80, 88] {
        write(&mut *volume, &mut io, sector);
    }
    volume.begin(Time::ZERO, &mut io);
    let mut parts = submitted(&mut io);
    let mut on_disk = Vec::new();
    while let Some(part) = parts.pop() {
        on_disk.extend((part.member == 0).then_some((part.sector, part.sectors)));
        parts.extend(done(&mut *volume, &mut io, &part));
    }
    // The first write became an append alone, and was in flight before the others arrived.
    assert_eq!(on_disk, [(800, 8), (80, 16)]);
    assert_eq!(counted(&*volume, ["cleaned_segments", "cleaned_sectors"]), [2.0, 24.0]);
}

#[test]
fn what_was_written_again_is_not_cleaned_and_does_not_count() {
    let (mut volume, mut io) = (volume("buffer_mb=1,clean_after_ms=0").unwrap(), Io::new(2, false));
    // The first write is in flight when the other two arrive, which overwrite all but 4 of its sectors.
    for sector in [800, 804, 808] {
        write(&mut *volume, &mut io, sector);
    }
    let mut parts = submitted(&mut io);
    while let Some(part) = parts.pop() {
        parts.extend(done(&mut *volume, &mut io, &part));
    }
    volume.begin(Time::ZERO, &mut io);
    let mut parts = submitted(&mut io);
    let mut on_disk = Vec::new();
    while let Some(part) = parts.pop() {
        on_disk.extend((part.member == 0).then_some((part.sector, part.sectors)));
        parts.extend(done(&mut *volume, &mut io, &part));
    }
    assert_eq!(on_disk, [(800, 16)]);
    assert_eq!(counted(&*volume, ["cleaned_segments", "cleaned_sectors"]), [1.0, 16.0]);
}

/// Checks that a segment of 1 MiB covers up to 2048 sectors of the log, of which each append takes one for its note.
#[test]
fn a_segment_is_as_long_as_it_may_be_and_no_longer() {
    for (second, segments) in [(1046, 1.0), (1047, 2.0)] {
        let (mut volume, mut io) =
            (volume("buffer_mb=4,segment_kib=1024,clean_after_ms=0").unwrap(), Io::new(2, false));
        // The second write waits until the first is in the log.
        for (sector, sectors) in [(10_000, 1000), (20_000, second)] {
            let request = VolumeRequest { sector, sectors, op: Op::Write, metadata: false };
            let job = io.begin();
            volume.submit(Time::ZERO, job, &request, &mut io);
        }
        let mut parts = submitted(&mut io);
        while let Some(part) = parts.pop() {
            parts.extend(done(&mut *volume, &mut io, &part));
        }
        volume.begin(Time::ZERO, &mut io);
        let mut parts = submitted(&mut io);
        while let Some(part) = parts.pop() {
            parts.extend(done(&mut *volume, &mut io, &part));
        }
        let counts = counted(&*volume, ["appends", "cleaned_segments", "cleaned_sectors"]);
        assert_eq!(counts, [2.0, segments, f64::from(1000 + second)]);
    }
}

#[test]
fn options_that_cannot_be_are_refused() {
    let refused = |options| volume(options).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(refused("buffer_mb=6")
        .contains("buffer_mb = 6: expected a number from 0.032768 to 5.12, the rest of the MEMS device"));
    assert!(refused("buffer_mb=0").contains("buffer_mb = 0"));
    assert!(
        refused("buffer_mb=1,clean_above=0.5").contains("clean_to = 0.7: expected a number from 0 to 0.5")
    );
    assert!(refused("buffer_mb=1,acknowledge=never").contains("expected log or memory"));
    assert!(refused("buffer_mb=1,clean_after_ms=-1").contains("clean_after_ms"));
}

#[test]
fn a_write_round_the_end_of_the_log_is_credited_with_both_appends() {
    // The ring has 63 sectors behind the note with the tail: 50 sectors and a note, which are cleaned and
    // given up at once; 11 sectors and a note up to the end of the ring; and 9 sectors from its beginning.
    let mut volume = volume("buffer_mb=0.032768,clean_above=0.1,clean_to=0").unwrap();
    let mut io = Io::new(2, false);
    let mut shares = Vec::new();
    for sectors in [50, 20] {
        let job = io.begin();
        let request = VolumeRequest { sector: 1000, sectors, op: Op::Write, metadata: false };
        volume.submit(Time::ZERO, job, &request, &mut io);
        while let Some(action) = io.next_action() {
            match action {
                Action::Submit(part, urgency) => {
                    io.came_back(&part, urgency);
                    volume.done(Time::ZERO, &part, &mut io);
                }
                Action::Credit(to, _, sectors, left) => {
                    assert_eq!(to, job);
                    shares.push((sectors, left));
                }
                _ => {}
            }
        }
    }
    assert_eq!(shares, [(50, 50), (11, 11), (9, 9)]);
}
