//! Kinds of requests: the sequence in which they occur in a session, and the sizes of their
//! requests.

use rand::RngExt;
use rand_pcg::Pcg64;

use super::super::draws::weighted;
use super::day::Day;
use crate::trace::Op;

/// Probability that a request of a session repeats the kind of the previous request instead of
/// drawing a kind, as measured in a trace.
pub(super) const REPEATS: f64 = 0.55;

/// Number of sectors in a fragment, the smallest piece of a file (1 KiB).
pub(super) const FRAGMENT_SECTORS: u64 = 2;

/// A kind of requests: its operation, whether it is for metadata, and whether it is written
/// immediately or by a flush.
pub(super) struct RequestKind {
    pub op: Op,
    pub metadata: bool,
    /// True if the request is a write that waits for the next flush.
    pub flushed: bool,
    blocks: Blocks,
}

/// Request sizes by class of block (the numbers of HP-UX): pairs of a size in fragments of 1 KiB
/// and the number of requests of this size in the measured trace.
type Blocks = &'static [(u8, &'static [(u64, u64)])];

/// Class number of user data in HP-UX; the numbers of the other classes follow.
const USER_DATA: u8 = 1;
const INODE: u8 = 2;
const DIRECTORY: u8 = 3;
const INDIRECT: u8 = 4;
const SUPERBLOCK: u8 = 5;
const CYLINDER_GROUP: u8 = 6;

/// The table of all kinds of requests.
pub(super) static KINDS: [RequestKind; 6] = [
    RequestKind { op: Op::Read, metadata: false, flushed: false, blocks: READ_DATA },
    RequestKind { op: Op::Write, metadata: false, flushed: false, blocks: WRITTEN_DATA },
    RequestKind { op: Op::Write, metadata: false, flushed: true, blocks: FLUSHED_DATA },
    RequestKind { op: Op::Read, metadata: true, flushed: false, blocks: READ_METADATA },
    RequestKind { op: Op::Write, metadata: true, flushed: false, blocks: WRITTEN_METADATA },
    RequestKind { op: Op::Write, metadata: true, flushed: true, blocks: FLUSHED_METADATA },
];

const READ_DATA: Blocks =
    &[(USER_DATA, &[(1, 761), (2, 154), (3, 131), (4, 126), (5, 72), (6, 63), (7, 71), (8, 2722)])];
const WRITTEN_DATA: Blocks =
    &[(USER_DATA, &[(1, 968), (2, 6), (3, 18), (4, 10), (5, 8), (6, 1), (7, 9), (8, 5111)])];
const FLUSHED_DATA: Blocks =
    &[(USER_DATA, &[(1, 319), (2, 141), (3, 66), (4, 88), (5, 64), (6, 119), (7, 42), (8, 853)])];
const READ_METADATA: Blocks = &[
    (INODE, &[(8, 1128)]),
    (DIRECTORY, &[(1, 480), (2, 40), (3, 24), (4, 8), (5, 36), (6, 14), (8, 12)]),
    (INDIRECT, &[(8, 198)]),
    (CYLINDER_GROUP, &[(2, 200), (8, 1)]),
];
const WRITTEN_METADATA: Blocks = &[
    (INODE, &[(8, 6560)]),
    (DIRECTORY, &[(1, 2543), (2, 1318), (3, 2)]),
    (INDIRECT, &[(8, 76)]),
    (SUPERBLOCK, &[(2, 2)]),
    (CYLINDER_GROUP, &[(2, 15), (8, 1)]),
];
const FLUSHED_METADATA: Blocks = &[
    (INODE, &[(8, 9492)]),
    (INDIRECT, &[(8, 133)]),
    (SUPERBLOCK, &[(2, 751)]),
    (CYLINDER_GROUP, &[(2, 2423)]),
];

impl RequestKind {
    /// All request sizes of this kind: class, size in fragments of 1 KiB, and number of requests in
    /// the measured trace.
    pub fn blocks(&self) -> impl Iterator<Item = (u8, u64, u64)> + Clone {
        let of_class = |(class, sizes): &'static (u8, &'static [(u64, u64)])| {
            sizes.iter().map(|(fragments, requests)| (*class, *fragments, *requests))
        };
        self.blocks.iter().flat_map(of_class)
    }

    /// Draws the class and the number of sectors of a request, with the frequencies of the measured
    /// trace.
    pub fn block(&self, rng: &mut Pcg64) -> (u8, u64) {
        let at = weighted(rng, self.blocks().map(|block| block.2));
        let (class, fragments, _) = self.blocks().nth(at).expect("a drawn index belongs to a block");
        (class, fragments * FRAGMENT_SECTORS)
    }

    fn measured(&self) -> u64 {
        self.blocks().map(|block| block.2).sum()
    }
}

/// Numbers of requests of each kind that are still to be drawn for a day.
pub(super) struct Left {
    of_kind: [u64; KINDS.len()],
}

impl Left {
    /// Numbers of requests of each kind for the whole day. The fraction of writes that wait for a
    /// flush is the measured one.
    pub fn all(day: &Day) -> Self {
        let data_writes = day.writes - day.metadata_writes;
        let metadata_reads = day.metadata - day.metadata_writes;
        let flushed = |writes: u64, [at_once, flushed]: [usize; 2]| {
            let [at_once, flushed] = [at_once, flushed].map(|kind| KINDS[kind].measured() as f64);
            (writes as f64 * flushed / (at_once + flushed)).round() as u64
        };
        let (data, metadata) = (flushed(data_writes, [1, 2]), flushed(day.metadata_writes, [4, 5]));
        let data_reads = day.requests - day.writes - metadata_reads;
        let at_once = [data_writes - data, day.metadata_writes - metadata];
        Self { of_kind: [data_reads, at_once[0], data, metadata_reads, at_once[1], metadata] }
    }

    /// Draws the kind of the next request from the kinds that are left. With the probability
    /// [`REPEATS`] it is the previous kind of the session, `before`, if requests of this kind are
    /// left.
    pub fn draw(&mut self, rng: &mut Pcg64, before: Option<usize>) -> usize {
        let repeats = rng.random::<f64>() < REPEATS;
        let any = weighted(rng, self.of_kind.iter().copied());
        let kind = before.filter(|kind| repeats && self.of_kind[*kind] > 0).unwrap_or(any);
        self.of_kind[kind] -= 1;
        kind
    }
}
