//! The file beside an image that lists the unreadable sectors.

use std::fs::{self, File};
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::Unreadable;
use crate::store::error::ListError;

/// First line of the list, which identifies the format.
const TITLE: &str = "sledsim unreadable sectors 1";
/// Second line of the list, which explains the lines below.
const MEANING: &str = "# first sector, number of sectors";

/// Return the path of the list of unreadable sectors of the image `image`.
#[must_use]
pub fn list_beside(image: &Path) -> PathBuf {
    with_ending(image, ".unreadable")
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

impl Unreadable {
    /// Save the list as the file `path`, by way of a temporary file. If all sectors are readable, remove the file.
    ///
    /// # Errors
    /// I/O errors of the operating system.
    pub fn save(&self, path: &Path) -> Result<(), ListError> {
        self.try_save(path, true).map_err(|source| ListError::Io { path: path.to_owned(), source })
    }

    /// Save the list as the file `path`, without waiting until it survives a power failure of this machine.
    ///
    /// # Errors
    /// I/O errors of the operating system.
    pub fn save_unsynced(&self, path: &Path) -> Result<(), ListError> {
        self.try_save(path, false).map_err(|source| ListError::Io { path: path.to_owned(), source })
    }

    fn try_save(&self, path: &Path, is_synced: bool) -> io::Result<()> {
        if self.is_empty() {
            return match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            };
        }
        let mut text = format!("{TITLE}\n{MEANING}\n");
        for Range { start, end } in self.ranges() {
            text += &format!("{start} {}\n", end - start);
        }
        let beside = with_ending(path, ".new");
        let mut file = File::create(&beside)?;
        file.write_all(text.as_bytes())?;
        if is_synced {
            file.sync_all()?;
        }
        fs::rename(&beside, path)
    }

    /// Read the list at `path` for a device that has `sectors` sectors. If the file is missing, all sectors are
    /// readable.
    ///
    /// # Errors
    /// I/O errors of the operating system. A line of the list is malformed.
    pub fn load(path: &Path, sectors: u64) -> Result<Self, ListError> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(source) => return Err(ListError::Io { path: path.to_owned(), source }),
        };
        let wrong = |line: usize, expected: String, found: &str| ListError::Line {
            path: path.to_owned(),
            line,
            expected,
            found: found.chars().take(80).collect(),
        };
        let mut lines = text.lines().zip(1..);
        match lines.next() {
            Some((TITLE, _)) => {}
            found => return Err(wrong(1, format!("{TITLE:?}"), found.map_or("", |(text, _)| text))),
        }
        let mut list = Self::default();
        let mut least = 0;
        for (text, line) in lines.filter(|(text, _)| !text.starts_with('#')) {
            let range = parse(text).ok_or_else(|| {
                wrong(line, "the first sector and a number of sectors above 0".into(), text)
            })?;
            if range.start < least || range.end > sectors {
                return Err(wrong(
                    line,
                    format!("sectors in ascending order, from {least} on and below {sectors}"),
                    text,
                ));
            }
            least = range.end;
            list.insert(range);
        }
        Ok(list)
    }
}

/// Parse a line of the list: the first sector and the number of sectors of a range.
fn parse(line: &str) -> Option<Range<u64>> {
    let (first, count) = line.split_once(' ')?;
    let (first, count) = (first.parse::<u64>().ok()?, count.parse::<u64>().ok()?);
    let end = first.checked_add(count)?;
    (count > 0).then_some(first..end)
}
