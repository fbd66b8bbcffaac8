//! Encode a note as the bytes of a sector. A note is metadata that a volume stores on a member, as a list of
//! 64-bit words.

use sledsim::volume::Noted;

use super::sectors::Sectors;
use crate::history::hash;
use crate::store::SECTOR_BYTES;

const BYTES: usize = SECTOR_BYTES as usize;
/// First bytes of a sector with a note.
const MAGIC: [u8; 4] = *b"note";
/// Number of bytes before the words of a note: magic number, salt, number of words, number of sealed sectors,
/// checksum of the sealed sectors, and checksum of the note.
const HEADER: usize = 32;
/// Maximum number of words in a note.
pub const MOST_WORDS: usize = (BYTES - HEADER) / 8;

/// A note that was found in a sector.
pub(super) struct Found {
    words: Vec<u64>,
    /// Number of sealed sectors: the sectors directly before the note that the checksum in the note covers.
    pub sealed: u64,
    seal: u64,
    salt: u64,
}

/// Encode the words `words` as a note in one sector. The note contains a checksum of the data `sealed` in the
/// sectors directly before it. `salt` differs between volumes, so a copied note of another volume is not
/// mistaken for a note.
///
/// # Panics
/// If there are more than [`MOST_WORDS`] words.
pub(super) fn sector(salt: u64, words: &[u64], sealed: &Sectors) -> Vec<u8> {
    assert!(words.len() <= MOST_WORDS, "a note of {} words does not fit into a sector", words.len());
    let mut bytes = vec![0; BYTES];
    bytes[..4].copy_from_slice(&MAGIC);
    bytes[4..12].copy_from_slice(&salt.to_le_bytes());
    bytes[12..16].copy_from_slice(&(words.len() as u32).to_le_bytes());
    bytes[16..20].copy_from_slice(&((sealed.bytes.len() / BYTES) as u32).to_le_bytes());
    bytes[20..28].copy_from_slice(&hash(salt, &sealed.bytes).to_le_bytes());
    for (to, word) in bytes[HEADER..].chunks_exact_mut(8).zip(words) {
        to.copy_from_slice(&word.to_le_bytes());
    }
    let own = own_checksum(salt, &bytes);
    bytes[28..HEADER].copy_from_slice(&own.to_le_bytes());
    bytes
}

fn own_checksum(salt: u64, sector: &[u8]) -> u32 {
    (hash(hash(salt, &sector[..28]), &sector[HEADER..]) >> 32) as u32
}

/// Decode the note in a sector; `None` if the sector has no note with this salt.
pub(super) fn find(salt: u64, sector: &[u8]) -> Option<Found> {
    let u32_at = |at: usize| u32::from_le_bytes(sector[at..at + 4].try_into().expect("four bytes"));
    let u64_at = |at: usize| u64::from_le_bytes(sector[at..at + 8].try_into().expect("eight bytes"));
    let count = u32_at(12) as usize;
    let is_note = sector[..4] == MAGIC
        && u64_at(4) == salt
        && count <= MOST_WORDS
        && u32_at(28) == own_checksum(salt, sector);
    is_note.then(|| Found {
        words: (0..count).map(|word| u64_at(HEADER + 8 * word)).collect(),
        sealed: u32_at(16).into(),
        seal: u64_at(20),
        salt,
    })
}

impl Found {
    /// Return the note for the volume. Its flag `is_whole` is true if the sealed sectors are unchanged;
    /// `sealed` are their current data, or `None` if unknown.
    pub fn noted(self, sealed: Option<&Sectors>) -> Noted {
        let is_whole =
            sealed.is_some_and(|now| now.lost.is_empty() && hash(self.salt, &now.bytes) == self.seal);
        Noted { words: self.words, is_whole }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_found_again() {
        for words in [vec![], vec![7], (0..MOST_WORDS as u64).collect::<Vec<_>>()] {
            let sealed = Sectors::of(vec![5; 3 * BYTES]);
            let bytes = sector(9, &words, &sealed);
            assert_eq!(bytes.len(), BYTES);
            let noted = |now: &Sectors| find(9, &bytes).expect("it is one").noted(Some(now));
            assert_eq!(noted(&sealed), Noted { words: words.clone(), is_whole: true });
            assert!(!noted(&Sectors::of(vec![6; 3 * BYTES])).is_whole);
            assert!(find(8, &bytes).is_none(), "the note belongs to another volume");
            for bit in 0..8 * BYTES {
                let mut other = bytes.clone();
                other[bit / 8] ^= 1 << (bit % 8);
                assert!(find(9, &other).is_none(), "bit {bit} counts");
            }
        }
        assert!(find(0, &[0; BYTES]).is_none());
    }
}
