use std::collections::BTreeMap;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::location_table::{bits, Mapping, Table, PAGE};
use super::rule::Rule;
use super::settings::OPTIONS;
use super::{ROW, ROW_WITH_BUFFER};
use crate::options::Options;
use crate::request::Op;
use crate::time::Time;
use crate::volume::{Action, Io, Part, Urgency, Volume, VolumeRequest};

#[test]
fn zones_have_their_places_by_arithmetic() {
    // Zones of 128 KiB of metadata begin at every multiple of 2176 KiB (003-D4).
    let (zone, every, unit) = (256, 4352, 16);
    let table = Table::new(Mapping::Direct { zone, every }, unit, 1 << 20);
    for sector in [0, 240, 255, 256, 4351, 4352, 4608, 100 * 4352 + 37] {
        let (group, at) = (sector / every, sector % every);
        let place =
            table.direct(sector / unit).map(|slot| table.sector(slot) - table.sector(0) + sector % unit);
        assert_eq!(place, (at < zone).then_some(zone * group + at), "{sector}");
    }
}

#[test]
fn the_table_and_its_slots_fill_the_area() {
    for (area, unit) in [(100, 2), (1000, 16), (1 << 20, 32), (9, 8)] {
        let table = Table::new(Mapping::Table, unit, area);
        let slots = table.slots;
        assert!(slots > 0 && slots.div_ceil(PAGE) + slots * unit <= area, "{area}");
        assert!((slots + 1).div_ceil(PAGE) + (slots + 1) * unit > area, "{area}");
    }
}

#[test]
fn bits_have_runs() {
    assert_eq!(bits(0, 32), u32::MAX);
}

#[test]
fn a_rule_tells_metadata_by_where_they_begin() {
    let rule = |text: &str| Rule::read(&Options::parse("metadata", OPTIONS, text).unwrap());
    let by_rule = rule("metadata_from=rule,metadata_sectors=100-199+0-9+150-300").unwrap();
    let holds =
        |rule: &Rule, sector| rule.holds(&VolumeRequest { sector, sectors: 8, op: Op::Read, metadata: true });
    let found: Vec<u64> =
        [0, 9, 10, 99, 100, 199, 250, 300, 301].into_iter().filter(|at| holds(&by_rule, *at)).collect();
    assert_eq!(found, [0, 9, 100, 199, 250, 300]);
    assert!(holds(&rule("").unwrap(), 10));
    for wrong in ["metadata_from=rule", "metadata_sectors=1-2", "metadata_from=rule,metadata_sectors=9-8"] {
        assert!(rule(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn options_that_cannot_be_are_refused() {
    let members = vec![vec![100_000], vec![10_000]];
    let refused = |options: &str| {
        let alone = Options::parse("metadata", OPTIONS, options)
            .and_then(|options| (ROW.make.build)(&options, &members));
        alone.err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert!(refused("").contains(
        "metadata_mb = 1000: expected a number from 0.008704 to 5.12, the capacity of the MEMS device"
    ));
    assert!(refused("metadata_mb=1,unit_kib=3").contains("unit_kib = 3: expected 1, 2, 4, 8 or 16"));
    assert!(refused("metadata_mb=1,mapping=direct,zone_kib=12")
        .contains("zone_kib = 12: expected a multiple of unit_kib = 8"));
    assert!(refused("metadata_mb=1,mapping=direct,zone_kib=128,zone_every_kib=64")
        .contains("zone_every_kib = 64"));
    for given in ["zone_kib=64", "zone_every_kib=4352"] {
        let (name, _) = given.split_once('=').unwrap();
        let expected = format!("mapping = table: expected direct, because {name} is given");
        assert!(refused(&format!("metadata_mb=1,{given}")).ends_with(&expected), "{given}");
    }
    assert_eq!(refused("metadata_mb=1"), "");
    let both =
        Options::parse("both", &ROW_WITH_BUFFER.options.concat(), "metadata_mb=4,buffer_mb=2").unwrap();
    let text = (ROW_WITH_BUFFER.make.build)(&both, &members).err().unwrap().to_string();
    assert!(text.contains("buffer_mb = 2: expected a number from 0.032768 to 1.12"), "{text}");
}

/// Submits a request, and returns all parts that the volume sends for it and for its own work. Members complete each
/// part immediately.
fn sent(volume: &mut dyn Volume, io: &mut Io, request: &VolumeRequest) -> Vec<Part> {
    let job = io.begin();
    volume.submit(Time::ZERO, job, request, io);
    let mut sent = Vec::new();
    while let Some(action) = io.next_action() {
        match action {
            Action::Submit(part, urgency) => {
                sent.push(part);
                io.came_back(&part, urgency);
                volume.done(Time::ZERO, &part, io);
            }
            Action::Complete(job, _) => io.forget(job),
            _ => {}
        }
    }
    sent
}

#[test]
fn of_what_is_read_only_that_is_brought_of_which_there_is_no_copy() {
    let options = Options::parse("metadata", OPTIONS, "metadata_mb=1").unwrap();
    let mut volume = (ROW.make.build)(&options, &vec![vec![100_000], vec![10_000]]).unwrap();
    let mut io = Io::new(2, false);
    let ask = |sector, sectors, op, metadata| VolumeRequest { sector, sectors, op, metadata };
    // Six sectors are written before a request accesses them as metadata: the MEMS device has no copy of their unit.
    sent(&mut *volume, &mut io, &ask(1610, 6, Op::Write, false));
    let sent = sent(&mut *volume, &mut io, &ask(1610, 69, Op::Read, true));
    let on = |member: u32, op: Op| {
        let own = sent.iter().filter(move |part| part.member == member && part.op == op);
        own.map(|part| part.sectors).sum::<u32>()
    };
    // The other sectors of the read lie on the MEMS device; one more sector written there is the page of the table.
    assert_eq!((on(0, Op::Read), on(1, Op::Read), on(1, Op::Write)), (6, 63, 6 + 1));
    let counts = volume.counts();
    let count = |name: &str| counts.iter().find(|(count, _)| *count == name).unwrap().1;
    assert_eq!((count("moved_sectors"), count("unflushed_sectors")), (6.0, 6.0));
}

/// Checks that the MEMS device has a copy of sectors that were read as other data but never written, before a request
/// accessed them as metadata.
#[test]
fn of_what_was_only_read_there_is_a_copy() {
    let members_asked = |op: Op| {
        let options = Options::parse("metadata", OPTIONS, "metadata_mb=1").unwrap();
        let mut volume = (ROW.make.build)(&options, &vec![vec![100_000], vec![10_000]]).unwrap();
        let mut io = Io::new(2, false);
        let ask = |op, metadata| VolumeRequest { sector: 1610, sectors: 4, op, metadata };
        sent(&mut *volume, &mut io, &ask(op, false));
        let sent = sent(&mut *volume, &mut io, &ask(Op::Read, true));
        sent.iter().map(|part| (part.member, part.op)).next()
    };
    assert_eq!(members_asked(Op::Read), Some((1, Op::Read)));
    assert_eq!(members_asked(Op::Write), Some((0, Op::Read)), "the version on the disk is newer");
}

#[test]
fn a_flush_is_not_asked_for_more_often_than_a_thousand_times_a_second() {
    let built = |every: &str| {
        let text = format!("metadata_mb=1,flush_every_s={every}");
        let options = Options::parse("metadata", OPTIONS, &text).unwrap();
        (ROW.make.build)(&options, &vec![vec![100_000], vec![10_000]]).err().map(|error| error.to_string())
    };
    assert_eq!(["0", "0.001", "1e6"].map(built), [const { None }; 3]);
    for wrong in ["1e-10", "1e-9", "-1", "1.1e6", "1e300"] {
        let text = built(wrong).unwrap();
        assert!(text.ends_with("expected 0, or a number from 0.001 to 1e6 (s)"), "{text}");
    }
}

#[test]
fn a_first_write_is_followed_by_one_of_the_table_only_where_there_is_one_to_keep() {
    // Two sectors of each of 300 units are written.
    let writes = |options: &str| {
        let options = Options::parse("metadata", OPTIONS, options).unwrap();
        let mut volume = (ROW.make.build)(&options, &vec![vec![100_000], vec![10_000]]).unwrap();
        let mut io = Io::new(2, false);
        let mut parts = 0;
        for turn in 0..2 {
            for unit in 0..300 {
                // Zones of 16 units begin at every multiple of 17 units.
                let sector = unit / 16 * 272 + unit % 16 * 16 + turn;
                let request = VolumeRequest { sector, sectors: 1, op: Op::Write, metadata: true };
                let sent = sent(&mut *volume, &mut io, &request);
                assert!(sent.iter().all(|part| part.member == 1 && part.op == Op::Write));
                parts += sent.len();
            }
        }
        let counts = volume.counts();
        let pages = counts.iter().find(|(name, _)| *name == "table_pages_written").unwrap().1;
        assert_eq!(parts as f64, 600.0 + pages);
        pages
    };
    let direct = "metadata_mb=4,mapping=direct,zone_kib=128,zone_every_kib=136";
    // A sector that is not yet valid becomes valid, so that each of these writes also writes a page.
    assert_eq!(writes("metadata_mb=4"), 600.0);
    assert_eq!(writes("metadata_mb=4,table=memory"), 0.0);
    assert_eq!(writes(direct), 1.0);
    assert_eq!(writes(&format!("{direct},table=memory")), 0.0);
    // With at_start=disk the addresses do not tell which metadata have been copied, so that pages are written.
    assert_eq!(writes(&format!("{direct},at_start=disk")), 600.0);
}

/// A volume whose parts stay in flight until the test completes them; the test compares the volume with a
/// model of every sector.
struct Watched {
    volume: Box<dyn Volume>,
    io: Io,
    now: Time,
    /// Parts in flight, each with the number of the step in which it was sent.
    flying: Vec<(Part, Urgency, u64)>,
    wakes: Vec<(Time, u64)>,
    /// Number of steps taken so far.
    step: u64,
}

impl Watched {
    fn new(options: &str) -> Self {
        let options = Options::parse("metadata", OPTIONS, options).unwrap();
        let volume = (ROW.make.build)(&options, &vec![vec![100_000], vec![10_000]]).unwrap();
        let (flying, wakes) = Default::default();
        Self { volume, io: Io::new(2, false), now: Time::ZERO, flying, wakes, step: 0 }
    }

    /// Collects the parts and the wake-ups that the volume has requested since the last call.
    fn look(&mut self) {
        while let Some(action) = self.io.next_action() {
            match action {
                Action::Submit(part, urgency) => self.flying.push((part, urgency, self.step)),
                Action::Promote(job) => {
                    for (part, urgency, _) in self.flying.iter_mut().filter(|(part, ..)| part.job == job) {
                        *urgency = Urgency::Foreground;
                        self.io.promoted(part);
                    }
                    self.volume.promoted(self.now, job, &mut self.io);
                }
                Action::Complete(job, _) => self.io.forget(job),
                Action::Wake(at, token) => self.wakes.push((at, token)),
                _ => {}
            }
        }
        self.step += 1;
    }

    fn submit(&mut self, request: &VolumeRequest) {
        let job = self.io.begin();
        self.volume.submit(self.now, job, request, &mut self.io);
        self.look();
    }

    /// Completes the part with the index `at` in `flying`; returns the part, and the number of the step in which it was
    /// sent.
    fn arrive(&mut self, at: usize) -> (Part, u64) {
        let (part, urgency, since) = self.flying.swap_remove(at);
        self.io.came_back(&part, urgency);
        self.volume.done(self.now, &part, &mut self.io);
        self.look();
        (part, since)
    }

    /// Wakes the volume once for each wake-up that it has requested.
    fn wake(&mut self) {
        for (at, token) in std::mem::take(&mut self.wakes) {
            self.now = self.now.max(at);
            self.volume.woken(self.now, token, &mut self.io);
        }
        self.look();
    }

    fn count(&self, name: &str) -> u64 {
        self.volume.counts().iter().find(|(count, _)| *count == name).unwrap().1 as u64
    }
}

/// Checks that a flush ends, whether it has few or many units. Metadata that change during the flush are copied by the
/// next one.
#[test]
fn a_flush_ends_when_everything_is_on_the_disk() {
    for units in [1, 63, 64, 65, 200] {
        let mut watched = Watched::new(
            "metadata_mb=4,mapping=direct,table=memory,flush_every_s=0.001,zone_kib=8192,zone_every_kib=8192",
        );
        let write = |watched: &mut Watched, sectors| {
            watched.submit(&VolumeRequest { sector: 0, sectors, op: Op::Write, metadata: true });
            watched.arrive(watched.flying.len() - 1);
        };
        write(&mut watched, 16 * units);
        watched.wake();
        write(&mut watched, 16);
        for flushes in 1..=2 {
            while !watched.flying.is_empty() {
                watched.arrive(0);
            }
            assert_eq!(watched.count("flushes"), flushes, "{units}");
            assert_eq!(watched.wakes.len(), usize::from(flushes == 1), "{units}");
            watched.wake();
        }
        assert_eq!((watched.count("unflushed_sectors"), watched.wakes.len()), (0, 0), "{units}");
        assert!(watched.count("flushed_sectors") >= u64::from(16 * units), "{units}");
    }
}

#[test]
fn a_sector_is_unflushed_once_while_the_disk_has_something_older() {
    // One zone is the whole disk, so that the MEMS device has the sectors of the disk in the same order
    // behind the table.
    let mut watched = Watched::new(
        "metadata_mb=1,mapping=direct,table=memory,flush_every_s=0.001,zone_kib=8192,zone_every_kib=8192",
    );
    let table = watched.count("metadata_slots").div_ceil(PAGE);
    let mut rng = Pcg64::seed_from_u64(12);
    // The step of the last write of each sector that is newer on the MEMS device, and the step in which the
    // flush read each flushed sector.
    let mut newer = BTreeMap::new();
    let mut read_since = BTreeMap::new();
    let mut overtaken = 0;
    // The first write makes all sectors valid on the MEMS device.
    watched.submit(&VolumeRequest { sector: 0, sectors: 340, op: Op::Write, metadata: true });
    watched.arrive(0);
    newer.extend((0..340).map(|sector| (sector, 0)));
    for _ in 0..4000 {
        match rng.random_range(0..8) {
            0..3 => {
                let (sector, sectors) = (rng.random_range(0..300), rng.random_range(1..40));
                watched.submit(&VolumeRequest { sector, sectors, op: Op::Write, metadata: true });
            }
            3 => watched.wake(),
            _ if watched.flying.is_empty() => {}
            _ => {
                let at = rng.random_range(0..watched.flying.len());
                let (part, since) = watched.arrive(at);
                let sectors = part.sector..part.sector + u64::from(part.sectors);
                match (part.member, part.op) {
                    (1, Op::Write) => newer.extend(sectors.map(|sector| (sector - table, watched.step - 1))),
                    (1, Op::Read) => read_since.extend(sectors.map(|sector| (sector - table, since))),
                    _ => {
                        for sector in sectors {
                            let is_newest = newer[&sector] <= read_since[&sector];
                            overtaken += u32::from(!is_newest);
                            if is_newest {
                                newer.remove(&sector);
                            }
                        }
                    }
                }
            }
        }
        assert_eq!(watched.count("unflushed_sectors"), newer.len() as u64);
    }
    assert!(overtaken > 100 && watched.count("flushed_sectors") > 1000, "{overtaken}");
}

#[test]
fn a_unit_for_which_there_is_no_slot_is_counted_once_a_request() {
    // Zones of 8 units begin at every multiple of 20 units; each unit of a zone has its slot.
    let mut watched =
        Watched::new("metadata_mb=4,mapping=direct,flush_every_s=0,zone_kib=64,zone_every_kib=160");
    let mut rng = Pcg64::seed_from_u64(13);
    let mut expected = 0;
    for _ in 0..500 {
        let (sector, sectors) = (rng.random_range(0..15_000), rng.random_range(1..200_u32));
        let metadata = rng.random::<f64>() < 0.7;
        let op = if rng.random::<f64>() < 0.5 { Op::Read } else { Op::Write };
        let units = sector / 16..=(sector + u64::from(sectors) - 1) / 16;
        expected += if metadata { units.filter(|unit| unit % 20 >= 8).count() as u64 } else { 0 };
        watched.submit(&VolumeRequest { sector, sectors, op, metadata });
        while rng.random::<f64>() < 0.9 && !watched.flying.is_empty() {
            watched.arrive(rng.random_range(0..watched.flying.len()));
        }
    }
    while !watched.flying.is_empty() {
        watched.arrive(0);
    }
    assert_eq!(watched.count("units_without_room"), expected);
}

#[test]
fn what_says_that_all_metadata_are_there_is_written_once() {
    let direct = "metadata_mb=4,mapping=direct,flush_every_s=0,zone_kib=64,zone_every_kib=160";
    for requests in [&[(0, 4)][..], &[(0, 40)], &[(0, 4), (320, 4)], &[(0, 100), (3, 90), (640, 17)]] {
        let mut watched = Watched::new(direct);
        for &(sector, sectors) in requests {
            watched.submit(&VolumeRequest { sector, sectors, op: Op::Write, metadata: true });
        }
        while !watched.flying.is_empty() {
            watched.arrive(0);
        }
        assert_eq!(watched.count("table_pages_written"), 1, "{requests:?}");
    }
}
