//! The table of generators.

use super::drawn::Drawn;
use super::files;
use super::fitted;
use super::metadata;
use super::mixture::{self, Mixture};
use super::organpipe::{self, OrganPipe};
use super::raid5;
use super::random::Uniform;
use super::requests::{independent, READS, SIZES, TIMING};
use super::rmw;
use super::stream::{self, Stream};
use super::zipf::{self, Zipf};
use crate::error::{normalise, Result};
use crate::options::{OptionRow, Options};
use crate::trace::Trace;

/// What is to be known of requests that were drawn by such options.
pub(super) type Notes = fn(&Options, &Trace) -> Result<Vec<String>>;

/// One generator.
#[derive(Clone, Copy)]
pub struct GeneratorRow {
    /// The name that users give.
    pub name: &'static str,
    /// What it draws and where it comes from.
    pub description: &'static str,
    /// Its options, those of its own last.
    groups: &'static [&'static [OptionRow]],
    /// Draws requests for a device of so many sectors.
    pub(super) draw: fn(&Options, u64, &mut Drawn<'_>) -> Result<()>,
    /// Says how near requests come to what it is to be like, if that is published.
    pub(super) notes: Option<Notes>,
}

impl GeneratorRow {
    /// Its options.
    #[must_use]
    pub fn options(&self) -> Vec<OptionRow> {
        self.groups.concat()
    }

    /// Whether `name` means this row.
    pub(super) fn answers_to(&self, name: &str) -> bool {
        normalise(self.name) == normalise(name)
    }
}

/// Every generator: one file and one row here.
pub const GENERATORS: &[GeneratorRow] = &[
    GeneratorRow {
        name: "random",
        description: "starts anywhere, all blocks alike (001-F11, 002-F13)",
        groups: &[TIMING, READS, SIZES],
        draw: |options, capacity, drawn| independent(options, capacity, drawn, &mut Uniform),
        notes: None,
    },
    GeneratorRow {
        name: "mixture",
        description: "streams of requests that go on, stay near the one before, or start anywhere",
        groups: &[TIMING, READS, SIZES, mixture::OPTIONS],
        draw: |options, capacity, drawn| independent(options, capacity, drawn, &mut Mixture::new(options)?),
        notes: None,
    },
    GeneratorRow {
        name: "stream",
        description: "requests of a given sequentiality, the others starting anywhere (000-F24)",
        groups: &[TIMING, READS, SIZES, stream::OPTIONS],
        draw: |options, capacity, drawn| independent(options, capacity, drawn, &mut Stream::new(options)?),
        notes: None,
    },
    GeneratorRow {
        name: "zipf",
        description: "extents by Zipf's law, popular ones scattered over the device",
        groups: &[TIMING, READS, SIZES, zipf::OPTIONS],
        draw: |options, capacity, drawn| {
            independent(options, capacity, drawn, &mut Zipf::new(options, capacity)?)
        },
        notes: None,
    },
    GeneratorRow {
        name: "organpipe",
        description: "the most popular blocks in the middle, exponentially fewer outwards (001-F18, D13)",
        groups: &[TIMING, READS, SIZES, organpipe::OPTIONS],
        draw: |options, capacity, drawn| independent(options, capacity, drawn, &mut OrganPipe::new(options)?),
        notes: None,
    },
    GeneratorRow {
        name: "files",
        description: "reads of whole files of the published sizes, each anywhere in one piece (001-F20, D14)",
        groups: &[files::TIMING, files::OPTIONS],
        draw: files::draw,
        notes: None,
    },
    GeneratorRow {
        name: "rmw",
        description: "read-modify-write: each read is followed by the write of its blocks (001-F26)",
        groups: &[TIMING, SIZES, rmw::OPTIONS],
        draw: rmw::draw,
        notes: None,
    },
    GeneratorRow {
        name: "raid5",
        description:
            "one disk of a RAID-5 under small requests: reads, and read and write for writes (001-F27)",
        groups: &[TIMING, READS, SIZES, raid5::OPTIONS],
        draw: raid5::draw,
        notes: None,
    },
    GeneratorRow {
        name: "metadata",
        description:
            "a bursty day of a user's disk, much of it metadata, in sessions and flushes (003-F7, D9)",
        groups: &[metadata::OPTIONS],
        draw: metadata::draw,
        notes: Some(metadata::notes),
    },
    GeneratorRow {
        name: fitted::NAME,
        description: "as in a trace: what `sledsim trace fit` has learnt of it",
        groups: &[fitted::TIMING, fitted::OPTIONS],
        draw: fitted::draw,
        notes: None,
    },
];
