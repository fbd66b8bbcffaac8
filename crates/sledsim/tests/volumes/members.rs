//! The members of a volume, as arrays of words.

use std::collections::HashMap;
use std::rc::Rc;

use rand::RngExt;
use rand_pcg::Pcg64;
use sledsim::volume::Noted;

/// The content of a sector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// A version of a sector of the volume, or several combined by XOR.
    Data(u64),
    /// Information that the volume needs after a power failure.
    Note(Rc<Note>),
}

/// A note, and the contents of the sectors before it when it was sealed with them.
#[derive(Debug, PartialEq, Eq)]
pub struct Note {
    pub words: Vec<u64>,
    pub sealed: Vec<Word>,
}

impl Word {
    /// The XOR of two words; notes are no data, and their XOR is of no use.
    pub fn xor(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Data(a), Self::Data(b)) => Self::Data(a ^ b),
            _ => Self::Data(u64::MAX),
        }
    }
}

/// A member, as its sectors.
pub struct Member {
    pub words: Vec<Word>,
    pub down: bool,
}

impl Member {
    pub fn zeros(sectors: u64) -> Self {
        Self { words: vec![Word::Data(0); sectors as usize], down: false }
    }

    /// A member without written data.
    pub fn rubbish(sectors: u64, rng: &mut Pcg64) -> Self {
        Self { words: (0..sectors).map(|_| Word::Data(rng.random())).collect(), down: false }
    }

    /// The versions in the first sectors of the member.
    pub fn data(&self, sectors: u64) -> Vec<u64> {
        let data = |word: &Word| match word {
            Word::Data(version) => *version,
            Word::Note(_) => unreachable!("no volume has written yet"),
        };
        self.words[..sectors as usize].iter().map(data).collect()
    }

    pub fn write(&mut self, sector: u64, words: &[Word]) {
        self.words[sector as usize..][..words.len()].clone_from_slice(words);
    }

    pub fn read(&self, sector: u64, sectors: u32) -> &[Word] {
        &self.words[sector as usize..][..sectors as usize]
    }

    pub fn note(&self, sector: u64) -> Option<Noted> {
        match self.words.get(sector as usize) {
            Some(Word::Note(note)) if !self.down => {
                let is_whole = self.words[..sector as usize].ends_with(&note.sealed);
                Some(Noted { words: note.words.clone(), is_whole })
            }
            _ => None,
        }
    }
}

/// The buffers of jobs.
#[derive(Default)]
pub struct Buffers {
    by_job: HashMap<u32, Buffer>,
}

/// The buffer of a job, and its number of parts in flight.
#[derive(Default)]
pub struct Buffer {
    words: Vec<Word>,
    pub parts: u32,
    /// The request to which the buffer belongs, if any.
    pub request: Option<u64>,
}

impl Buffers {
    pub fn of(&mut self, job: u32) -> &mut Buffer {
        self.by_job.entry(job).or_default()
    }

    pub fn close(&mut self, job: u32) -> Option<Buffer> {
        self.by_job.remove(&job)
    }
}

impl Buffer {
    /// Words from a place on; those not yet written are rubbish.
    pub fn at(&mut self, at: u64, sectors: u64) -> &mut [Word] {
        let end = (at + sectors) as usize;
        while self.words.len() < end {
            self.words.push(Word::Data(!(self.words.len() as u64)));
        }
        &mut self.words[at as usize..end]
    }
}
