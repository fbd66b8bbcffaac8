//! Compare the contents after a power failure with a simple model, which replays the kept writes over the flushed
//! contents.

use std::io::ErrorKind;

use proptest::prelude::*;
use sledsim_emulator::store::{Coin, Fate, ImageFile, Memory, Store, Unflushed};

/// Number of sectors of the store, which are two whole chunks of the undo log and a part of a third chunk.
const SECTORS: usize = 300;
const SECTOR: usize = 512;

#[derive(Clone, Debug)]
enum Act {
    /// A write: first sector, number of sectors, value of the bytes, and true for a write through the cache. The value
    /// 0 stands for a request to fill the sectors with zeros.
    Write(usize, usize, u8, bool),
    /// A flush of all writes except the newest ones; the value is the number of newest writes that stay
    /// unflushed.
    Flush(u64),
    Cut(Coin),
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let small = (0..40usize, 1..9usize);
    let large = (0..SECTORS, 1..SECTORS);
    let range =
        prop_oneof![3 => small, 1 => large].prop_map(|(first, count)| (first, count.min(SECTORS - first)));
    let write = (range, prop_oneof![1 => Just(0u8), 3 => any::<u8>()], prop::bool::weighted(0.2))
        .prop_map(|((first, count), value, through)| Act::Write(first, count, value, through));
    let coin = (any::<u64>(), 0.0..1.0, any::<bool>())
        .prop_map(|(seed, kept, tears)| Act::Cut(Coin { seed, kept, tears }));
    let act = prop_oneof![12 => write, 2 => (0u64..6).prop_map(Act::Flush), 1 => coin];
    prop::collection::vec(act, 1..40)
}

struct Write {
    number: u64,
    first: usize,
    data: Vec<u8>,
    through: bool,
}

#[derive(Default)]
struct Model {
    flushed: Vec<u8>,
    unflushed: Vec<Write>,
}

impl Model {
    fn new() -> Self {
        Self { flushed: vec![0; SECTORS * SECTOR], unflushed: Vec::new() }
    }

    /// Return the contents that remain after a power failure: the flushed contents, with the kept sectors of
    /// unflushed writes applied in order.
    fn replayed(&self, keeps: impl Fn(&Write, usize) -> bool) -> Vec<u8> {
        let mut bytes = self.flushed.clone();
        for write in &self.unflushed {
            for (sector, data) in (write.first..).zip(write.data.chunks(SECTOR)) {
                if keeps(write, sector) {
                    bytes[sector * SECTOR..][..SECTOR].copy_from_slice(data);
                }
            }
        }
        bytes
    }

    fn flush(&mut self, below: u64) {
        self.flushed = self.replayed(|write, _| write.number < below);
        self.unflushed.retain(|write| write.number >= below);
    }

    fn cut(&mut self, coin: &Coin) {
        self.flushed =
            self.replayed(|write, sector| write.through || coin.keeps(write.number, sector as u64));
        self.unflushed.clear();
    }
}

fn contents(store: &impl Store) -> Vec<u8> {
    let mut bytes = vec![9; SECTORS * SECTOR];
    store.read(0, &mut bytes).unwrap();
    bytes
}

/// Return data for a write of `count` sectors; the sectors differ from each other and from those of other writes.
fn data(count: usize, value: u8) -> Vec<u8> {
    (0..count).flat_map(|sector| [value.wrapping_add(sector as u8); SECTOR]).collect()
}

fn write(cache: &mut Unflushed<impl Store>, first: usize, data: &[u8], zero: bool, through: bool) -> u64 {
    let (offset, bytes) = ((first * SECTOR) as u64, data.len() as u64);
    match (zero, through) {
        (false, false) => cache.write(offset, data),
        (false, true) => cache.write_through(offset, data),
        (true, false) => cache.zero(offset, bytes),
        (true, true) => cache.zero_through(offset, bytes),
    }
    .unwrap()
}

fn check_fate(fate: &Fate, coin: &Coin, model: &Model) {
    for (numbers, name) in [(&fate.kept, "kept"), (&fate.lost, "lost"), (&fate.torn, "torn")] {
        assert!(numbers.is_sorted());
        for number in numbers {
            let write = model.unflushed.iter().find(|write| write.number == *number).expect(name);
            assert!(!write.through);
            if !coin.tears {
                assert_ne!(name, "torn");
                assert_eq!(coin.keeps(*number, 0), name == "kept");
            }
        }
    }
}

fn check(store: impl Store, acts: &[Act]) {
    let (mut cache, mut model) = (Unflushed::new(store), Model::new());
    for act in acts {
        match *act {
            Act::Write(first, count, value, through) => {
                let data = if value == 0 { vec![0; count * SECTOR] } else { data(count, value) };
                let number = write(&mut cache, first, &data, value == 0, through);
                model.unflushed.push(Write { number, first, data, through });
            }
            Act::Flush(but) => {
                let below = cache.next().saturating_sub(but);
                cache.flush(below);
                model.flush(below);
                assert!(but > 0 || cache.is_clean());
            }
            Act::Cut(coin) => {
                let fate = cache.cut(&coin).unwrap();
                check_fate(&fate, &coin, &model);
                model.cut(&coin);
                assert!(cache.is_clean() && cache.held() == 0);
            }
        }
        assert!(contents(cache.store()) == model.replayed(|_, _| true));
        // The replaced bytes, and a little per write for at most four chunks.
        let most: usize = model.unflushed.iter().map(|write| write.data.len() + 4 * 128).sum();
        assert!(cache.held() <= most as u64);
    }
}

proptest! {
    #[test]
    fn a_cut_keeps_a_subset_in_order(acts in acts()) {
        check(Memory::new((SECTORS * SECTOR) as u64), &acts);
    }

    #[test]
    fn a_cut_of_a_file_does_so_too(acts in acts()) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("image");
        check(ImageFile::open(&path, (SECTORS * SECTOR) as u64).unwrap(), &acts);
    }
}

fn memory() -> Unflushed<Memory> {
    Unflushed::new(Memory::new((SECTORS * SECTOR) as u64))
}

/// Return the values of the first `N` sectors.
fn values<const N: usize>(cache: &Unflushed<Memory>) -> [u8; N] {
    let bytes = contents(cache.store());
    std::array::from_fn(|sector| bytes[sector * SECTOR])
}

#[test]
fn of_overlapping_writes_any_may_be_kept() {
    // A write of 1 to sectors 0 and 1, then a write of 2 to sectors 1 and 2, over zeros.
    let left = |keeps: [bool; 2]| {
        let mut cache = memory();
        cache.write(0, &[1; 1024]).unwrap();
        cache.write(512, &[2; 1024]).unwrap();
        cache.cut_by(|number, _| keeps[number as usize]).unwrap();
        values(&cache)
    };
    assert_eq!(left([true, true]), [1, 2, 2]);
    assert_eq!(left([true, false]), [1, 1, 0]);
    assert_eq!(left([false, true]), [0, 2, 2]);
    assert_eq!(left([false, false]), [0, 0, 0]);
}

#[test]
fn a_write_through_the_cache_is_the_last_of_its_sectors_and_saves_no_others() {
    for keeps in [false, true] {
        let mut cache = memory();
        cache.write(0, &[1; 1024]).unwrap();
        assert_eq!(cache.write_through(512, &[2; 512]).unwrap(), 1);
        cache.cut_by(|_, _| keeps).unwrap();
        assert_eq!(values(&cache), [if keeps { 1 } else { 0 }, 2, 0]);
    }
}

#[test]
fn what_comes_after_a_flush_is_not_in_it() {
    let mut cache = memory();
    for value in [1, 2, 3] {
        cache.write(0, &[value; 512]).unwrap();
    }
    cache.flush(2);
    assert!(!cache.is_clean());
    let fate = cache.cut(&Coin { kept: 0.0, ..Coin::new(0) }).unwrap();
    assert_eq!(fate, Fate { lost: vec![2], ..Fate::default() });
    assert_eq!(values(&cache), [2]);
}

#[test]
fn a_write_is_torn_only_by_a_coin_that_tears() {
    let fate = |tears| {
        let mut cache = memory();
        cache.write(0, &[1; 64 * SECTOR]).unwrap();
        let fate = cache.cut(&Coin { tears, ..Coin::new(5) }).unwrap();
        let left: [u8; 64] = values(&cache);
        (fate.torn.len(), left.iter().filter(|&&value| value == 1).count())
    };
    let (torn, left) = fate(true);
    assert!(torn == 1 && (10..54).contains(&left), "{left}");
    let (torn, left) = fate(false);
    assert!(torn == 0 && (left == 0 || left == 64));
}

#[test]
fn the_oldest_writes_settle_first() {
    for before in [9, 0] {
        let mut cache = memory();
        cache.write_through(0, &[before; 40 * SECTOR]).unwrap();
        for sector in 0..40 {
            cache.write(sector * 512, &[1; 512]).unwrap();
        }
        // Data written through are not in the cache.
        cache.write_through(39 * 512, &[2; 512]).unwrap();
        cache.settle(10 * 512);
        cache.cut_by(|_, _| false).unwrap();
        let left: [u8; 39] = values(&cache);
        assert_eq!(left, std::array::from_fn(|sector| if sector < 29 { 1 } else { before }), "over {before}");
    }
}

#[test]
fn zeros_over_zeros_are_kept_where_something_may_come_back() {
    let mut cache = memory();
    cache.write(0, &[1; 512]).unwrap();
    cache.zero(0, 512).unwrap();
    cache.zero(0, 512).unwrap();
    cache.cut_by(|number, _| number != 1).unwrap();
    assert_eq!(values(&cache), [0]);
}

#[test]
fn zeros_over_nothing_take_nothing() {
    const BYTES: u64 = 8 << 40;
    let mut cache = Unflushed::new(Memory::new(BYTES));
    cache.zero(0, BYTES).unwrap();
    assert!(cache.is_clean());
    cache.write(BYTES - 4096, &[1; 4096]).unwrap();
    assert!(cache.held() < 200, "replaced zeros are not stored");
    cache.zero(0, BYTES).unwrap();
    cache.cut_by(|number, _| number == 1).unwrap();
    let mut found = [0; 4096];
    cache.store().read(BYTES - 4096, &mut found).unwrap();
    assert_eq!(found, [1; 4096], "zeros over unflushed data can be undone as other writes");
}

#[test]
fn parts_of_sectors_are_refused() {
    let mut cache = memory();
    for (offset, bytes) in [(0, 0), (0, 100), (100, 512), (512, 513)] {
        let data = vec![1; bytes];
        let errors = [
            cache.write(offset, &data).unwrap_err(),
            cache.write_through(offset, &data).unwrap_err(),
            cache.zero(offset, bytes as u64).unwrap_err(),
            cache.zero_through(offset, bytes as u64).unwrap_err(),
        ];
        for error in errors {
            assert_eq!(error.kind(), ErrorKind::InvalidInput);
            let expected =
                format!("range of bytes: expected whole sectors of 512 bytes, found {bytes} bytes from byte {offset} on");
            assert_eq!(error.to_string(), expected);
        }
    }
    let end = (SECTORS * SECTOR) as u64;
    assert_eq!(cache.write(end, &[1; 512]).unwrap_err().kind(), ErrorKind::InvalidInput);
    assert_eq!((cache.next(), cache.is_clean()), (0, true));
    assert_eq!(cache.into_store().held(), 0);
}
