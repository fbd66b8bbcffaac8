//! The members of a volume, as arrays of the contents of sectors.

use std::collections::HashMap;
use std::rc::Rc;

use rand::RngExt;
use rand_pcg::Pcg64;
use sledsim::volume::Noted;

/// The content of a sector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// The version of a sector of the volume, or the XOR of several versions.
    Data(u64),
    /// Information of the volume, such as a log entry, that it reads again after a power failure.
    Note(Rc<Note>),
}

/// A note with its words, and the contents of the sectors before it at the time when the note was written. If they
/// differ later, the note is not whole.
#[derive(Debug, PartialEq, Eq)]
pub struct Note {
    pub words: Vec<u64>,
    pub sealed: Vec<Word>,
}

impl Word {
    /// The XOR of two contents. Notes are no data: an XOR with a note is a value that matches no version.
    pub fn xor(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Data(a), Self::Data(b)) => Self::Data(a ^ b),
            _ => Self::Data(u64::MAX),
        }
    }
}

/// A member of the volume: the contents of its sectors.
pub struct Member {
    pub words: Vec<Word>,
    pub down: bool,
}

impl Member {
    pub fn zeros(sectors: u64) -> Self {
        Self { words: vec![Word::Data(0); sectors as usize], down: false }
    }

    /// A member whose sectors hold random contents, because no data have been written.
    pub fn rubbish(sectors: u64, rng: &mut Pcg64) -> Self {
        Self { words: (0..sectors).map(|_| Word::Data(rng.random())).collect(), down: false }
    }

    /// The versions in the first `sectors` sectors of the member.
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

/// The buffers of all jobs, by number of the job.
#[derive(Default)]
pub struct Buffers {
    by_job: HashMap<u32, Buffer>,
}

/// The buffer of a job with its contents, and its number of parts in flight.
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
    /// The contents of `sectors` sectors of the buffer from the place `at`. Sectors not yet written hold a value that
    /// matches no version.
    pub fn at(&mut self, at: u64, sectors: u64) -> &mut [Word] {
        let end = (at + sectors) as usize;
        while self.words.len() < end {
            self.words.push(Word::Data(!(self.words.len() as u64)));
        }
        &mut self.words[at as usize..end]
    }
}
