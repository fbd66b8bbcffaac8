//! Every kind of store keeps the bytes that were written.

use std::io::ErrorKind;

use proptest::prelude::*;
use sledsim_emulator::store::{ImageFile, Memory, Store};

const BYTES: usize = 300_000;

#[derive(Clone, Debug)]
enum Act {
    Write(usize, Vec<u8>),
    Zero(usize, usize),
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let range = || {
        let aligned = (0usize..70, 0usize..20).prop_map(|(page, pages)| (page * 4096, pages * 4096));
        let any = (0usize..BYTES, 0usize..20_000);
        prop_oneof![aligned, any].prop_map(|(at, bytes)| (at, bytes.min(BYTES - at)))
    };
    let write = (range(), 0u8..4).prop_map(|((at, bytes), value)| Act::Write(at, vec![value; bytes]));
    let zero = range().prop_map(|(at, bytes)| Act::Zero(at, bytes));
    prop::collection::vec(prop_oneof![2 => write, 1 => zero], 0..20)
}

/// Apply the same acts to a store and to a vector of bytes, and compare the contents.
fn check(mut store: impl Store, acts: &[Act], reads: &[(usize, usize)]) {
    let mut model = vec![0; BYTES];
    for act in acts {
        match act {
            Act::Write(at, data) => {
                if data.len() % 3 == 0 {
                    while store.make_ready(data.len() as u64) {}
                }
                store.write(*at as u64, data).unwrap();
                model[*at..*at + data.len()].copy_from_slice(data);
            }
            Act::Zero(at, bytes) => {
                store.zero(*at as u64, *bytes as u64).unwrap();
                model[*at..*at + *bytes].fill(0);
            }
        }
    }
    let mut all = vec![9; BYTES];
    store.read(0, &mut all).unwrap();
    assert!(all == model);
    for &(at, bytes) in reads {
        let range = at..(at + bytes).min(BYTES);
        let mut part = vec![9; range.len()];
        store.read(at as u64, &mut part).unwrap();
        assert!(part == model[range.clone()]);
        let data = store.next_data(range.start as u64..range.end as u64).unwrap();
        let first = range.clone().find(|&at| model[at] != 0);
        match data {
            None => assert_eq!(first, None),
            Some(data) => {
                assert!(
                    range.start as u64 <= data.start && data.start < data.end && data.end <= range.end as u64
                );
                assert!(first.is_none_or(|first| data.start <= first as u64));
            }
        }
    }
    store.sync().unwrap();
}

proptest! {
    #[test]
    fn what_was_written_is_read(
        acts in acts(),
        reads in prop::collection::vec((0..BYTES, 0usize..50_000), 0..8),
    ) {
        check(Memory::new(BYTES as u64), &acts, &reads);
        let folder = tempfile::tempdir().unwrap();
        check(ImageFile::open(&folder.path().join("image"), BYTES as u64).unwrap(), &acts, &reads);
    }
}

#[test]
fn nothing_past_the_end_is_read_or_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = ImageFile::open(&folder.path().join("image"), 8192).unwrap();
    let stores: [Box<dyn Store>; 2] = [Box::new(Memory::new(8192)), Box::new(file)];
    for mut store in stores {
        for (offset, bytes) in [(8192, 1), (8191, 2), (0, 8193), (u64::MAX, 1), (u64::MAX - 1, 2)] {
            let mut room = vec![0; bytes as usize];
            let errors = [
                store.read(offset, &mut room).unwrap_err(),
                store.write(offset, &room).unwrap_err(),
                store.zero(offset, bytes).unwrap_err(),
            ];
            for error in errors {
                assert_eq!(error.kind(), ErrorKind::InvalidInput);
                assert_eq!(
                    error.to_string(),
                    format!("range of bytes: expected one within 8192 bytes, found {bytes} bytes from byte {offset} on")
                );
            }
        }
        store.read(8192, &mut []).unwrap();
        store.write(8192, &[]).unwrap();
        store.write(0, &[1; 8192]).unwrap();
        for at in [0, 100, 4096, 8192] {
            assert_eq!(store.next_data(at..at).unwrap(), None, "an empty range contains no data");
        }
        assert_eq!(store.bytes(), 8192);
    }
}

#[test]
fn memory_is_taken_for_what_was_written_alone() {
    const TERABYTE: u64 = 1 << 40;
    let mut store = Memory::new(8 * TERABYTE);
    store.zero(0, 8 * TERABYTE).unwrap();
    assert_eq!(store.held(), 0);
    store.write(7 * TERABYTE - 100, &[1; 200]).unwrap();
    assert_eq!(store.held(), 2 * 4096);
    store.write(0, &[0; 1 << 20]).unwrap();
    assert_eq!(store.held(), 2 * 4096, "zeros take no memory");
    let data = store.next_data(0..8 * TERABYTE).unwrap().unwrap();
    assert_eq!(data, 7 * TERABYTE - 4096..7 * TERABYTE + 4096);
    store.zero(7 * TERABYTE - 4096, 4096).unwrap();
    assert_eq!(store.held(), 4096, "pages that were filled with zeros are freed");
    store.zero(0, 8 * TERABYTE).unwrap();
    assert_eq!((store.held(), store.next_data(0..8 * TERABYTE).unwrap()), (0, None));
}
