//! Valid files of every format and the files of the corpus, damaged at random: no reader may panic, hang, or report more
//! requests than the file can hold.
//!
//! `SLEDSIM_FUZZ_CASES=10000000 cargo test -p sledsim --test trace_readers mutations` reads 10 million files.

use std::io::Cursor;
use std::ops::ControlFlow;

use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sledsim::trace::{Input, Op, ReadOptions, TraceReader, FORMATS};

use crate::samples::{corpus, samples};
use crate::support::{gzip, xz, zstd};

/// Number of damaged files that an ordinary test run reads.
const CASES: u64 = 500_000;
/// Number of files of which one is compressed; a compressed file takes longer, because it needs a decoder.
const COMPRESSED_ONE_IN: u64 = 200;
/// Largest size of a damaged file in bytes: small, so that many can be read.
const BYTES_MAX: usize = 2_000;

const WORDS: [&[u8]; 24] = [
    b"18446744073709551615",
    b"18446744073709551616",
    b"9223372036854775807",
    b"9223372034707292161",
    b"99999999999999999999999999",
    b"2147483647",
    b"2147483648",
    b"1099511627776",
    b"-1",
    b"0",
    b"1e308",
    b"1e-308",
    b"0.9999999999999999999999",
    b".",
    b"nan",
    b"0x",
    b"ffffffff",
    b"\n",
    b" ",
    b",",
    b"\t",
    b"\r\n",
    b"#",
    b"\x0c",
];

const NUMBERS: [u64; 10] =
    [0, 1, 0x7f, 0xff, 1 << 15, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, i64::MAX as u64, u64::MAX];

#[test]
fn damaged_files_are_read_or_refused() {
    let cases = std::env::var("SLEDSIM_FUZZ_CASES").map_or(CASES, |cases| cases.parse().unwrap());
    let plain = [samples(), corpus()].concat();
    let compressed: Vec<(&str, Vec<u8>)> = plain
        .iter()
        .flat_map(|(name, content)| [gzip(content), zstd(content), xz(content)].map(|bytes| (*name, bytes)))
        .collect();
    let mut rng = Pcg64::seed_from_u64(1);
    let mut content = Vec::new();
    for case in 0..cases {
        let files = if case % COMPRESSED_ONE_IN == 0 { &compressed } else { &plain };
        let (name, sample) = pick(files, &mut rng);
        content.clear();
        content.extend_from_slice(sample);
        for _ in 0..=rng.random_range(0..4) {
            damage(&mut content, &pick(files, &mut rng).1, &mut rng);
        }
        content.truncate(BYTES_MAX);
        let format = match rng.random_range(0..8) {
            0..3 => None,
            3 => Some(pick(&FORMATS.rows(), &mut rng).name),
            _ => Some(*name),
        };
        check(&content, format, rng.random());
    }
}

fn pick<'a, T>(from: &'a [T], rng: &mut Pcg64) -> &'a T {
    &from[rng.random_range(0..from.len())]
}

/// Changes the content of a file in one random way, such as a flipped bit, a cut or a piece of `other`.
fn damage(content: &mut Vec<u8>, other: &[u8], rng: &mut Pcg64) {
    let end = content.len();
    let (at, length) = (rng.random_range(0..=end), rng.random_range(0..=64));
    let range = at..(at + length).min(end);
    match rng.random_range(0..9) {
        0 if at < end => content[at] ^= 1 << rng.random_range(0..8),
        1 if at < end => content[at] = rng.random(),
        2 => content.truncate(at),
        3 => drop(content.drain(range)),
        4 => content.extend_from_within(range),
        5 => drop(content.splice(range, WORDS[rng.random_range(0..WORDS.len())].iter().copied())),
        6 => {
            let from = rng.random_range(0..=other.len());
            let piece = &other[from..(from + length).min(other.len())];
            drop(content.splice(at..at, piece.iter().copied()));
        }
        7 => {
            let number = NUMBERS[rng.random_range(0..NUMBERS.len())];
            let bytes = if rng.random() { number.to_le_bytes() } else { number.to_be_bytes() };
            let width = [2, 4, 8][rng.random_range(0..3)];
            let aligned = at & !1;
            for (place, byte) in content.iter_mut().skip(aligned).zip(&bytes[..width]) {
                *place = *byte;
            }
        }
        _ => {
            let mut noise = [0; 8];
            rng.fill_bytes(&mut noise);
            drop(content.splice(range, noise));
        }
    }
}

fn check(content: &[u8], format: Option<&str>, skip_bad: bool) {
    let options = ReadOptions { format, skip_bad, ..ReadOptions::default() };
    let input = Input::Reader(Box::new(Cursor::new(content.to_vec())), String::new());
    let Ok(mut reader) = TraceReader::open(input, &options) else { return };
    let mut latest_ns = i64::MIN;
    let mut requests = 0;
    while let Ok(Some(rows)) = reader.next_batch(&mut |_| ControlFlow::Continue(())) {
        requests += rows.len();
        for row in 0..rows.len() {
            let request = rows.row(row);
            let is_right = request.arrival_ns >= latest_ns
                && request.lbn >= 0
                && request.device >= 0
                && request.blocks >= 0
                && (request.blocks == 0) == (request.op == Op::Flush)
                && request.response_ns >= 0
                && request.service_ns >= 0;
            assert!(is_right, "{request:?} of {format:?} {}", content.escape_ascii());
            latest_ns = request.arrival_ns;
        }
    }
    let about = reader.about();
    assert!(skip_bad || about.bad.count == 0);
    // No entry is shorter than two bytes; compressed data may hold more than their length.
    let entries = requests as u64
        + about.bad.count
        + about.skipped.commands
        + about.skipped.empty
        + about.skipped.other;
    assert!(about.bad.first.len() <= 3 && about.notes().len() < 10, "{about:?}");
    assert!(entries < 100 * (BYTES_MAX as u64), "{about:?}");
}
