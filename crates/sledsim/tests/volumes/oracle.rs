//! Which versions of a sector a read may find.

use std::collections::HashMap;

use crate::kinds::Kept;
use crate::members::Word;

/// What is known of one sector.
#[derive(Default)]
struct Sector {
    /// Versions that it may have, each with the moment at which that was settled.
    settled: Vec<(u64, u64)>,
    /// Versions of writes in flight, each with its request.
    flying: Vec<(u64, u64)>,
    /// Every version that it ever had.
    ever: Vec<u64>,
    metadata: bool,
}

struct Write {
    sector: u64,
    words: Vec<u64>,
    from: u64,
}

struct Read {
    sector: u64,
    from: u64,
    /// For each sector the versions that it may find, and whether no write was in flight when it set off.
    allowed: Vec<(Vec<u64>, bool)>,
}

/// The versions of every sector of a volume, and the requests in flight.
pub struct Oracle {
    sectors: Vec<Sector>,
    writes: HashMap<u64, Write>,
    reads: HashMap<u64, Read>,
    /// Counts what happens, so that there is a before and an after.
    moment: u64,
    words: u64,
    pub checked: u64,
}

impl Oracle {
    /// Sectors that hold these versions.
    pub fn new(words: &[u64]) -> Self {
        let sector =
            |word: &u64| Sector { settled: vec![(*word, 0)], ever: vec![*word], ..Sector::default() };
        let sectors = words.iter().map(sector).collect();
        Self { sectors, writes: HashMap::new(), reads: HashMap::new(), moment: 1, words: 0, checked: 0 }
    }

    /// A version that there was never before, and that no sum of others is.
    fn fresh(&mut self) -> u64 {
        self.words += 1;
        let mut word = self.words.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A write sets off: what it writes.
    pub fn write(&mut self, id: u64, sector: u64, sectors: u32, metadata: bool) -> Vec<u64> {
        self.moment += 1;
        let words: Vec<u64> = (0..sectors).map(|_| self.fresh()).collect();
        for (at, word) in (sector..).zip(&words) {
            let known = &mut self.sectors[at as usize];
            known.flying.push((id, *word));
            known.ever.push(*word);
            known.metadata |= metadata;
        }
        for read in self.reads.values_mut() {
            for (at, (allowed, _)) in (read.sector..).zip(&mut read.allowed) {
                if let Some(word) = at.checked_sub(sector).and_then(|at| words.get(at as usize)) {
                    allowed.push(*word);
                }
            }
        }
        self.writes.insert(id, Write { sector, words: words.clone(), from: self.moment });
        words
    }

    /// A write is acknowledged: what was settled before it set off is over. What others wrote meanwhile may have
    /// come before it or after it.
    pub fn written(&mut self, id: u64) {
        self.moment += 1;
        let write = self.writes.remove(&id).expect("a write is acknowledged once");
        for (at, word) in (write.sector..).zip(write.words) {
            let known = &mut self.sectors[at as usize];
            known.flying.retain(|(flying, _)| *flying != id);
            known.settled.retain(|(_, since)| *since > write.from);
            known.settled.push((word, self.moment));
        }
    }

    /// A read sets off.
    pub fn read(&mut self, id: u64, sector: u64, sectors: u32) {
        self.moment += 1;
        let allowed = |known: &Sector| {
            let words =
                known.settled.iter().map(|(word, _)| *word).chain(known.flying.iter().map(|(_, word)| *word));
            (words.collect(), known.flying.is_empty())
        };
        let allowed = self.sectors[sector as usize..][..sectors as usize].iter().map(allowed).collect();
        self.reads.insert(id, Read { sector, from: self.moment, allowed });
    }

    /// A read has found these.
    pub fn found(&mut self, id: u64, words: &[Word]) -> Result<(), String> {
        let read = self.reads.remove(&id).expect("a read comes back once");
        for ((at, (allowed, quiet)), word) in (read.sector..).zip(read.allowed).zip(words) {
            self.checked += 1;
            let known = &mut self.sectors[at as usize];
            let found = allowed.iter().find(|version| *word == Word::Data(**version));
            let Some(found) = found else {
                let age = |word: &Word| known.ever.iter().rposition(|version| *word == Word::Data(*version));
                let newer = age(word).map(|at| known.ever.len() - 1 - at);
                let what = newer.map_or("never its own".into(), |newer| format!("older by {newer} writes"));
                return Err(format!("sector {at} reads {word:x?} ({what}), allowed: {allowed:x?}"));
            };
            // What was read while nobody wrote stays, whatever else it might have been.
            if quiet && known.settled.iter().any(|(word, _)| word == found) {
                known.settled.retain(|(word, since)| word == found || *since > read.from);
            }
        }
        Ok(())
    }

    /// The power is lost: of writes in flight each sector may have been written or not.
    pub fn power_lost(&mut self, kept: Kept) {
        self.reads.clear();
        self.writes.clear();
        self.moment += 1;
        for known in &mut self.sectors {
            known.settled.extend(known.flying.drain(..).map(|(_, word)| (word, self.moment)));
        }
        self.lost(kept);
    }

    /// Something is lost that held versions: which may be found after it.
    pub fn lost(&mut self, kept: Kept) {
        let affected = |known: &Sector| match kept {
            Kept::PerhapsOlder => true,
            Kept::MetadataPerhapsOlder => known.metadata,
            _ => false,
        };
        for read in self.reads.values_mut() {
            for (known, (allowed, _)) in self.sectors[read.sector as usize..].iter().zip(&mut read.allowed) {
                if affected(known) {
                    allowed.extend(&known.ever);
                }
            }
        }
        for known in self.sectors.iter_mut().filter(|known| affected(known)) {
            // The next write that is acknowledged ends that.
            known.settled.extend(known.ever.iter().map(|word| (*word, 0)));
        }
    }
}
