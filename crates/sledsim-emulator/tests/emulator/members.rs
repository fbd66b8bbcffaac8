//! Power failures of volumes whose members keep the contents. After a power failure, each kind of volume must
//! still have those answered writes that it promises to keep.

use std::collections::BTreeSet;

use proptest::prelude::*;
use sledsim::record::{select, Record};
use sledsim::sched::Policy;
use sledsim::simulation::Simulation;
use sledsim::system::System;
use sledsim_emulator::emulator::{Contents, Durability, Emulator, Loss, Medium, Members, PowerCut, Torn};
use sledsim_emulator::store::{list_beside, Memory, Store, Unreadable};
use tempfile::TempDir;

use super::powered::Shared;
use super::simulation;
use super::volume_client::{Act, Client, Kept, Model, Session};

const SALT: u64 = 0x5a17;
/// Number of the first sector beyond the range of sectors that requests use.
const LAST: u64 = 2140;

/// The volumes under test, each with the versions of a sector that may remain after a power failure. Their
/// options make the volumes so small that the requests fill them.
const KINDS: &[(&str, Kept)] = &[
    ("single", Kept::Newest),
    ("sleds:devices=2", Kept::Newest),
    ("stripe:devices=3,stripe_unit_kib=4", Kept::Newest),
    ("mirror:devices=2,intent_s=0.002,read=round-robin", Kept::Newest),
    ("mirror:devices=3,read=nearest,intent_s=1", Kept::Newest),
    ("raid5:devices=4,stripe_unit_kib=4,intent_s=1", Kept::Newest),
    ("raid5:devices=4,stripe_unit_kib=4,intent_s=1,failed_device=1", Kept::NewestIfQuiet),
    ("raid5:devices=3,stripe_unit_kib=2,intent_s=0.002", Kept::Newest),
    ("write-buffer:buffer_mb=0.05,segment_kib=16", Kept::Newest),
    ("write-buffer:buffer_mb=0.05,acknowledge=memory,clean_after_ms=2", Kept::PerhapsOlder),
    ("metadata:metadata_mb=0.18,unit_kib=2", Kept::Newest),
    ("metadata:metadata_mb=0.18,mapping=direct,unit_kib=1,zone_kib=3,zone_every_kib=7", Kept::Newest),
    ("metadata+write-buffer:metadata_mb=0.07,unit_kib=4,buffer_mb=0.05,segment_kib=8", Kept::Newest),
    ("virtual-disk:segment_kib=4,size_ratio=0.001", Kept::Newest),
    ("cache:cache_mb=0.05,read_ahead_kib=8", Kept::Newest),
    ("cache:cache_mb=0.05,writes=back,dirty_ms=5", Kept::PerhapsOlder),
    ("merge", Kept::Newest),
    ("stripe:devices=3,stripe_unit_kib=4,bus_mb_per_s=20", Kept::Newest),
    ("raid5:devices=3,stripe_unit_kib=2,intent_s=0.002,bus_mb_per_s=20", Kept::Newest),
    (
        "metadata+write-buffer:metadata_mb=0.07,unit_kib=4,buffer_mb=0.05,segment_kib=8,bus_mb_per_s=20",
        Kept::Newest,
    ),
];

fn sessions() -> impl Strategy<Value = Vec<Session>> {
    let sector = || prop_oneof![3 => 0..120_u64, 1 => 2000..2100_u64];
    let write = (sector(), 1..40_u32, 0..6).prop_map(|(sector, sectors, zeroes)| Act::Write {
        sector,
        sectors,
        zeroes: zeroes == 0,
    });
    let read = (sector(), 1..40_u32).prop_map(|(sector, sectors)| Act::Read { sector, sectors });
    let act = prop_oneof![3 => write, 1 => read];
    let act = prop_oneof![12 => act, 1 => Just(Act::Flush)];
    let act = (prop_oneof![Just(0), 0..2_500_000_u64], act);
    // An empty list of acts loses power while the volume recovers, resynchronises members or writes back.
    let acts = prop_oneof![3 => prop::collection::vec(act, 1..50), 1 => Just(Vec::new())];
    let torn = prop::sample::select(vec![Torn::Unreadable, Torn::Old, Torn::New]);
    // Most writes of this length take less than a millisecond.
    let after_ns = prop_oneof![3 => 0..1_500_000_u64, 2 => 0..6_000_000_u64, 1 => (0..40_u64).prop_map(|at| at * 2_500_000)];
    let cut = prop::option::weighted(0.8, (after_ns, torn));
    let session =
        (acts, cut, any::<bool>()).prop_map(|(acts, cut, is_checked)| Session { acts, cut, is_checked });
    prop::collection::vec(session, 1..7)
}

/// The media of a volume's members. They outlive the emulator, as media outlive a power failure.
struct Shelf {
    media: Vec<Shared>,
    lists: TempDir,
}

impl Shelf {
    fn of(target: &str) -> Self {
        let simulation = simulation(target, "fcfs");
        let sectors = simulation.stations().into_iter().map(|(_, station)| station.device().sectors());
        let media = sectors.map(|sectors| Shared::of(sectors * 512)).collect();
        Self { media, lists: tempfile::tempdir().unwrap() }
    }

    /// Return an emulator of the volume `target` on these media. `were_used` is true if an earlier session has
    /// used the media.
    fn volume(&self, target: &str, were_used: bool) -> Emulator {
        let simulation = simulation(target, "fcfs");
        let medium = |(number, shared): (usize, &Shared)| {
            let list = list_beside(&self.lists.path().join(number.to_string()));
            let unreadable = Unreadable::load(&list, u64::MAX).unwrap();
            Medium::new(Box::new(shared.clone()), unreadable).with_list(list)
        };
        let media = self.media.iter().enumerate().map(medium).collect();
        let nothing =
            Contents::new(Box::new(Memory::new(0)), Unreadable::default(), Durability::WriteThrough);
        let mut emulator = Emulator::new(simulation, nothing, "1".parse().unwrap(), 0);
        emulator.keep_on_members(Members::new(media, SALT), were_used).unwrap();
        emulator
    }
}

impl Shelf {
    /// Check that all copies are equal and all parities are right, so that the volume `target` can lose any one
    /// member.
    fn check_redundancy(&self, target: &str) {
        let sectors = |medium: &Shared| {
            let mut bytes = vec![0; LAST as usize * 512];
            medium.read(0, &mut bytes).unwrap();
            bytes
        };
        let all: Vec<Vec<u8>> = self.media.iter().map(sectors).collect();
        match target.split(':').next().unwrap() {
            "mirror" => assert!(all.iter().all(|copy| *copy == all[0]), "{target}: copies are equal"),
            "raid5" => {
                let sum = |at: usize| all.iter().fold(0, |sum, member| sum ^ member[at]);
                assert!(
                    (0..all[0].len()).all(|at| sum(at) == 0),
                    "{target}: every parity equals the exclusive or of its data"
                );
            }
            _ => {}
        }
    }
}

/// Read twice each sector that was ever written, because the second read may use another member of the volume.
fn check_all(emulator: Emulator, model: Model) -> Result<Model, TestCaseError> {
    let sectors: BTreeSet<u64> = model.sectors.keys().copied().collect();
    let mut client = Client { emulator, model, now_ns: 0, number: 1 << 32 };
    for sector in sectors.into_iter().flat_map(|sector| [sector; 2]) {
        client.ask(&Act::Read { sector, sectors: 1 })?;
        while !client.model.asked.is_empty() {
            client.wait(u64::MAX)?;
        }
    }
    client.emulator.finish().unwrap();
    Ok(client.model)
}

fn keeps_its_promise(target: &str, kept: Kept, sessions: &[Session]) -> Result<u64, TestCaseError> {
    let is_torn = sessions.iter().any(|session| matches!(session.cut, Some((_, Torn::Unreadable))));
    // These volumes write in place at segments or at the head of the log, and lose that data with its sector.
    let writes_in_place = target.starts_with("virtual-disk") || target.contains("write-buffer");
    let kept = if is_torn && writes_in_place { Kept::PerhapsOlder } else { kept };
    let shelf = Shelf::of(target);
    let may_lose_flushed = is_torn && writes_in_place;
    let mut model = Model { may_lose_flushed, ..Model::default() };
    for (number, session) in sessions.iter().enumerate() {
        let emulator = shelf.volume(target, number > 0);
        let client = Client { emulator, model, now_ns: 0, number: 0 };
        (model, _) = client.run(session, kept)?;
        if session.is_checked {
            model = check_all(shelf.volume(target, true), model)?;
        }
    }
    model = check_all(shelf.volume(target, true), model)?;
    if kept == Kept::Newest && !is_torn {
        shelf.check_redundancy(target);
    }
    Ok(model.checked)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn volumes_keep_what_they_promise((target, kept) in prop::sample::select(KINDS), sessions in sessions()) {
        keeps_its_promise(target, kept, &sessions)?;
    }
}

/// Return the number that the first eight bytes of a sector of a member contain.
fn word(medium: &Shared, sector: u64) -> u64 {
    let mut bytes = [0; 8];
    medium.read(sector * 512, &mut bytes).unwrap();
    u64::from_le_bytes(bytes)
}

#[test]
fn a_part_is_on_its_member_when_the_medium_has_it() {
    let shelf = Shelf::of("single");
    let emulator = shelf.volume("single", false);
    let mut client = Client { emulator, model: Model::default(), now_ns: 0, number: 0 };
    client.ask(&Act::Write { sector: 8, sectors: 8, zeroes: false }).unwrap();
    while client.model.asked.len() == 1 {
        assert_eq!(word(&shelf.media[0], 8), 0, "the write has not reached the medium yet");
        let wake_ns = client.emulator.wake_ns().unwrap();
        client.wait(wake_ns).unwrap();
    }
    assert_eq!(word(&shelf.media[0], 8), 1);
}

#[test]
fn a_volume_on_members_answers_nothing_early() {
    // A cache knows in advance when it answers a hit.
    for target in ["single", "cache:cache_mb=0.05,writes=back"] {
        let mut emulator = Shelf::of(target).volume(target, false);
        emulator.lead(400_000);
        let mut client = Client { emulator, model: Model::default(), now_ns: 0, number: 0 };
        for act in [Act::Write { sector: 8, sectors: 8, zeroes: false }, Act::Read { sector: 8, sectors: 8 }]
        {
            client.ask(&act).unwrap();
            assert!(client.wait(u64::MAX).unwrap());
        }
        let (_, rows) = client.emulator.finish().unwrap();
        let lateness: Vec<_> = rows.iter().map(|row| row.lateness_ns()).collect();
        assert_eq!(lateness, [Some(0); 2], "{target}");
    }
}

#[test]
fn a_torn_row_of_a_member_is_old_new_or_unreadable() {
    const SECTORS: u32 = 400;
    // The loss of a power cut at that time, and the number of sectors of the write on the member.
    let cut = |after_ns: u64, torn: Torn| -> (Loss, u64) {
        let shelf = Shelf::of("single");
        let emulator = shelf.volume("single", false);
        let mut client = Client { emulator, model: Model::default(), now_ns: 0, number: 0 };
        client.ask(&Act::Write { sector: 0, sectors: SECTORS, zeroes: false }).unwrap();
        assert!(!client.wait(after_ns).unwrap(), "the write is in flight");
        let loss = client.emulator.lose_power(after_ns, PowerCut { seed: 0, torn }).unwrap();
        (loss, (0..SECTORS.into()).map(|sector| word(&shelf.media[0], sector)).sum())
    };
    let times = (1..100).map(|at| at * 100_000);
    let is_midway = |loss: &Loss| loss.torn_sectors > 0 && loss.written_sectors > 0;
    let (at_ns, (unreadable, _)) = times
        .map(|at_ns| (at_ns, cut(at_ns, Torn::Unreadable)))
        .find(|(_, (loss, _))| is_midway(loss))
        .unwrap();
    let (old, new) = (cut(at_ns, Torn::Old), cut(at_ns, Torn::New));
    let whole = unreadable.written_sectors;
    assert_eq!((old.0.written_sectors, old.0.torn_sectors, old.1), (whole, 0, whole));
    let finished = whole + unreadable.torn_sectors;
    assert_eq!((new.0.written_sectors, new.0.torn_sectors, new.1), (finished, 0, finished));
}

#[test]
fn members_of_another_volume_are_refused() {
    let members = |sectors: &[u64]| {
        let medium = |sectors: &u64| Medium::new(Box::new(Memory::new(sectors * 512)), Unreadable::default());
        Members::new(sectors.iter().map(medium).collect(), SALT)
    };
    let nothing = || Contents::new(Box::new(Memory::new(0)), Unreadable::default(), Durability::WriteThrough);
    let refused = |target: &str, sectors: &[u64]| {
        let mut emulator = Emulator::new(simulation(target, "fcfs"), nothing(), "1".parse().unwrap(), 0);
        emulator.keep_on_members(members(sectors), false).unwrap_err().to_string()
    };
    let message = "movements of data: expected a volume, found a bare device";
    assert_eq!(refused("osdi00", &[6_750_000]), message);
    let message = "sizes of the members in sectors: expected [6750000, 6750000], found [1, 2]";
    assert_eq!(refused("mirror:devices=2", &[1, 2]), message);
}

#[test]
fn data_go_through_volumes_below_and_cannot_come_back_on_them() {
    let table: toml::Table = "disk = { volume = 'raid5', devices = 3 }".parse().unwrap();
    let system =
        System::volume("write-buffer:buffer_mb=0.05", table, &Policy::parse("fcfs").unwrap()).unwrap();
    let simulation = || Simulation::new(&system, 1, Record::new(select("all").unwrap(), 0)).unwrap();
    let built = simulation();
    let stations = built.stations().into_iter();
    let media: Vec<Shared> =
        stations.map(|(_, station)| Shared::of(station.device().sectors() * 512)).collect();
    let emulator = |were_used: bool| {
        let nothing =
            Contents::new(Box::new(Memory::new(0)), Unreadable::default(), Durability::WriteThrough);
        let mut emulator = Emulator::new(simulation(), nothing, "1".parse().unwrap(), 0);
        let medium = |shared: &Shared| Medium::new(Box::new(shared.clone()), Unreadable::default());
        let members = Members::new(media.iter().map(medium).collect(), SALT);
        emulator.keep_on_members(members, were_used).map(|()| emulator)
    };
    let mut client =
        Client { emulator: emulator(false).unwrap(), model: Model::default(), now_ns: 0, number: 0 };
    for number in 0..200_u64 {
        let (sector, sectors) = (number * 37 % 400, 1 + (number % 24) as u32);
        client.ask(&Act::Write { sector, sectors, zeroes: false }).unwrap();
        client.ask(&Act::Read { sector: number * 53 % 400, sectors }).unwrap();
        client.wait(client.now_ns + 900_000).unwrap();
    }
    while !client.model.asked.is_empty() {
        client.wait(u64::MAX).unwrap();
    }
    assert!(client.model.checked > 1000, "{}", client.model.checked);
    client.emulator.finish().unwrap();
    let message = "restart after a power failure: expected a volume whose members are devices, found a member that is a volume";
    assert_eq!(emulator(true).err().unwrap().to_string(), message);
}
