//! The oracle of a test: the versions that a read of each sector may find.

use std::collections::HashMap;

use crate::members::Word;
use sledsim::volume::Kept;

/// The state of one sector.
#[derive(Default)]
struct Sector {
    /// Versions that the sector may hold, each with the moment at which it was settled: at its acknowledgement, or at a
    /// loss.
    settled: Vec<(u64, u64)>,
    /// Versions of outstanding writes, each with the number of its request.
    flying: Vec<(u64, u64)>,
    /// Every version that the sector ever had.
    ever: Vec<u64>,
    /// Versions that the sector had, or may have had, since the start of the last complete flush.
    unflushed: Vec<u64>,
    metadata: bool,
    /// True if the sector was written as metadata after the last loss.
    written_as_metadata: bool,
    /// True if the sector may have any contents until it is written again.
    is_lost: bool,
}

struct Write {
    sector: u64,
    words: Vec<u64>,
    from: u64,
    metadata: bool,
}

struct Read {
    sector: u64,
    from: u64,
    /// Versions that the read may find for each sector (an empty list allows any), and true if no write to the sector
    /// was outstanding when the read started.
    allowed: Vec<(Vec<u64>, bool)>,
}

/// The versions of every sector of a volume, and the outstanding requests.
pub struct Oracle {
    sectors: Vec<Sector>,
    writes: HashMap<u64, Write>,
    reads: HashMap<u64, Read>,
    /// Versions that each sector may have had at the start of each flush in flight, and had later.
    flushes: HashMap<u64, Vec<Vec<u64>>>,
    /// Number of the current event, by which events are ordered in time.
    moment: u64,
    words: u64,
    /// Moment (number of the event) of the last loss.
    loss: u64,
    /// True after a loss that only metadata survived: older versions of other data are lost, too.
    older_are_lost: bool,
    pub checked: u64,
}

impl Oracle {
    /// Creates the oracle of a volume whose sectors have the versions `words`.
    pub fn new(words: &[u64]) -> Self {
        let sector = |word: &u64| {
            let unflushed = vec![*word];
            Sector { settled: vec![(*word, 0)], ever: vec![*word], unflushed, ..Sector::default() }
        };
        let sectors = words.iter().map(sector).collect();
        Self {
            sectors,
            writes: HashMap::new(),
            reads: HashMap::new(),
            flushes: HashMap::new(),
            moment: 1,
            words: 0,
            loss: 0,
            older_are_lost: false,
            checked: 0,
        }
    }

    /// A new version, which no sector ever had and which is no XOR of other versions.
    fn fresh(&mut self) -> u64 {
        self.words += 1;
        let mut word = self.words.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// Starts a write, and returns the versions that it writes.
    pub fn write(&mut self, id: u64, sector: u64, sectors: u32, metadata: bool) -> Vec<u64> {
        self.moment += 1;
        let words: Vec<u64> = (0..sectors).map(|_| self.fresh()).collect();
        for (at, word) in (sector..).zip(&words) {
            let known = &mut self.sectors[at as usize];
            known.flying.push((id, *word));
            known.ever.push(*word);
            known.unflushed.push(*word);
            self.flushes.values_mut().for_each(|versions| versions[at as usize].push(*word));
            known.metadata |= metadata;
        }
        for read in self.reads.values_mut() {
            for (at, (allowed, _)) in (read.sector..).zip(&mut read.allowed) {
                if let Some(word) = at.checked_sub(sector).and_then(|at| words.get(at as usize)) {
                    if !allowed.is_empty() {
                        allowed.push(*word);
                    }
                }
            }
        }
        self.writes.insert(id, Write { sector, words: words.clone(), from: self.moment, metadata });
        words
    }

    /// Acknowledges a write: reads no longer find versions settled before the start of the write. A concurrent write
    /// may take effect before or after it.
    pub fn written(&mut self, id: u64) {
        self.moment += 1;
        let write = self.writes.remove(&id).expect("a write is acknowledged once");
        for (at, word) in (write.sector..).zip(write.words) {
            let known = &mut self.sectors[at as usize];
            known.flying.retain(|(flying, _)| *flying != id);
            known.settled.retain(|(_, since)| *since > write.from);
            known.settled.push((word, self.moment));
            known.written_as_metadata |= write.metadata && write.from > self.loss;
            known.is_lost = false;
        }
    }

    /// Starts a flush.
    pub fn flush(&mut self, id: u64) {
        let versions = |known: &Sector| {
            let settled = known.settled.iter().map(|(word, _)| *word);
            settled.chain(known.flying.iter().map(|(_, word)| *word)).collect()
        };
        self.flushes.insert(id, self.sectors.iter().map(versions).collect());
    }

    /// Acknowledges a flush: versions that were over when it started do not come back after a power failure.
    pub fn flushed(&mut self, id: u64) {
        let versions = self.flushes.remove(&id).expect("a flush is acknowledged once");
        for (known, versions) in self.sectors.iter_mut().zip(versions) {
            known.unflushed = versions;
        }
    }

    /// Starts a read, and notes the versions that it may find.
    pub fn read(&mut self, id: u64, sector: u64, sectors: u32, metadata: bool) {
        self.moment += 1;
        let allowed = |known: &Sector| {
            let words =
                known.settled.iter().map(|(word, _)| *word).chain(known.flying.iter().map(|(_, word)| *word));
            // The empty list, if the sector has no promised content.
            let words = if known.is_lost { Vec::new() } else { words.collect() };
            (words, known.flying.is_empty())
        };
        let range = sector as usize..sector as usize + sectors as usize;
        self.sectors[range].iter_mut().for_each(|known| known.metadata |= metadata);
        let allowed = self.sectors[sector as usize..][..sectors as usize].iter().map(allowed).collect();
        self.reads.insert(id, Read { sector, from: self.moment, allowed });
    }

    /// Checks the contents that a read has returned; the error names the sector, its contents and the allowed versions.
    pub fn found(&mut self, id: u64, words: &[Word]) -> Result<(), String> {
        let read = self.reads.remove(&id).expect("a read comes back once");
        for ((at, (allowed, quiet)), word) in (read.sector..).zip(read.allowed).zip(words) {
            let known = &mut self.sectors[at as usize];
            if known.is_lost || allowed.is_empty() {
                continue;
            }
            self.checked += 1;
            let found = allowed.iter().find(|version| *word == Word::Data(**version));
            let Some(found) = found else {
                let age = |word: &Word| known.ever.iter().rposition(|version| *word == Word::Data(*version));
                let newer = age(word).map(|at| known.ever.len() - 1 - at);
                let what = newer.map_or("never its own".into(), |newer| format!("older by {newer} writes"));
                return Err(format!("sector {at} reads {word:x?} ({what}), allowed: {allowed:x?}"));
            };
            // Data read without concurrent writes stay, whatever else was possible. A read that started before a loss
            // may have data that are gone.
            if quiet && read.from > self.loss && known.settled.iter().any(|(word, _)| word == found) {
                known.settled.retain(|(word, since)| word == found || *since > read.from);
            }
        }
        Ok(())
    }

    /// Loses the power: each sector of an outstanding write may hold the old or the new version afterwards.
    pub fn power_lost(&mut self, kept: Kept) {
        self.reads.clear();
        self.writes.clear();
        self.flushes.clear();
        self.moment += 1;
        for known in &mut self.sectors {
            known.settled.extend(known.flying.drain(..).map(|(_, word)| (word, self.moment)));
        }
        self.lost_but(kept, |known| &known.unflushed);
    }

    /// True if every sector still has promised contents.
    pub fn has_lost_nothing(&self) -> bool {
        self.sectors.iter().all(|known| !known.is_lost)
    }

    /// Notes the replacement of a failed member by an empty one: earlier metadata are on other members only.
    pub fn replaced(&mut self) {
        self.moment += 1;
        self.loss = self.moment;
        self.sectors.iter_mut().for_each(|known| known.written_as_metadata = false);
    }

    /// Notes a loss; `kept` states the versions that reads may find after it.
    pub fn lost(&mut self, kept: Kept) {
        self.lost_but(kept, |known| &known.ever);
        // The version that is left may be older than the last flush, and is durable.
        for known in self.sectors.iter_mut().filter(|known| affects(kept, known)) {
            known.unflushed.extend(&known.ever);
        }
    }

    /// Notes a loss of data, after which each sector may have one of these versions.
    fn lost_but(&mut self, kept: Kept, versions: fn(&Sector) -> &Vec<u64>) {
        self.moment += 1;
        self.loss = self.moment;
        if kept == Kept::OnlyMetadata {
            self.older_are_lost = true;
            let others = self.sectors.iter_mut().filter(|known| !known.written_as_metadata);
            return others.for_each(|known| known.is_lost = true);
        }
        let affected = |known: &Sector| affects(kept, known);
        for read in self.reads.values_mut() {
            for (known, (allowed, _)) in self.sectors[read.sector as usize..].iter().zip(&mut read.allowed) {
                if affected(known) && !allowed.is_empty() {
                    allowed.extend(&known.ever);
                }
            }
        }
        for flush in self.flushes.values_mut() {
            for (known, versions) in self.sectors.iter().zip(flush).filter(|(known, _)| affected(known)) {
                versions.extend(&known.ever);
            }
        }
        for known in self.sectors.iter_mut().filter(|known| affected(known)) {
            known.is_lost |= self.older_are_lost;
            // The next acknowledged write ends that.
            let older: Vec<(u64, u64)> = versions(known).iter().map(|word| (*word, 0)).collect();
            known.settled.extend(older);
        }
    }
}

/// True if a loss that keeps `kept` may leave an older version of a sector.
fn affects(kept: Kept, known: &Sector) -> bool {
    match kept {
        Kept::PerhapsOlder => true,
        Kept::MetadataPerhapsOlder => known.metadata,
        _ => false,
    }
}
