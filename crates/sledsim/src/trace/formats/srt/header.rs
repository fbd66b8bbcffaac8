//! The text header of an SRT file. Only the sector sizes of the drives are taken from it.

use std::collections::BTreeMap;

use memchr::memchr;

use super::super::super::source::DecodedSource;
use crate::error::Result;

const MAGIC: &[u8] = b"$$TR_IOREC";
const FORM_FEED: u8 = 0x0c;
/// Size of a sector in bytes if the file gives no size.
pub(super) const SECTOR_BYTES: u64 = 512;

/// Information from the header; empty if the file has no header.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Header {
    by_drive: BTreeMap<i32, u64>,
}

impl Header {
    /// Size in bytes of a sector of a drive: the size that the header gives for the drive or, if it
    /// gives none, the size that all other drives have.
    pub fn sector_bytes(&self, drive: i32) -> Option<u64> {
        let of_all = || {
            let first = self.by_drive.values().next()?;
            self.by_drive.values().all(|size| size == first).then_some(first)
        };
        self.by_drive.get(&drive).or_else(of_all).copied()
    }
}

/// True if a file begins with a text header.
pub(super) fn begins(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// Reads the header up to the first record; a file without a header gives an empty one.
pub(super) fn read(source: &mut DecodedSource) -> Result<Header> {
    let head = source.head()?;
    if !begins(head) {
        return Ok(Header::default());
    }
    let Some(length) = memchr(FORM_FEED, head) else {
        let found = head.len();
        let message = format!(
            "expected a form feed at the end of the header, found no form feed in the first {found} bytes"
        );
        return Err(source.byte_error(0, &message));
    };
    let header = parse(&head[..length]);
    source.next_bytes(length + 1)?;
    Ok(header)
}

/// Parses the list of drives, `disks = { 0 -> { ... sectorsize = 256, ... sections = { 8 -> { ... } } }, 1
/// -> { ... } }`.
fn parse(text: &[u8]) -> Header {
    let mut header = Header::default();
    let (mut depth, mut drive) = (0u32, None);
    for line in text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii) {
        if depth == 1 && line.ends_with(b"{") {
            drive = whole(line);
        }
        let value = line.strip_prefix(b"sectorsize").map(<[u8]>::trim_ascii_start);
        let value = value.and_then(|rest| whole(rest.strip_prefix(b"=")?.trim_ascii_start()));
        if let (Some(drive), Some(size @ 1..)) = (drive, value) {
            header.by_drive.insert(drive, u64::from(size.unsigned_abs()));
        }
        for byte in line {
            match byte {
                b'{' => depth += 1,
                b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
    }
    header
}

/// The whole number at the start of a text.
fn whole(text: &[u8]) -> Option<i32> {
    let count = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    std::str::from_utf8(&text[..count]).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DISKS: &str = "$$TR_IOREC-1.3 (x)\nsystem = \"a\";\ndisks = {\n 0 -> {\n disktype = x,\n seekparms = {1, 2},\n \
                         sectorsize  = 256,\n sections = {\n 8 -> {\n \"/\",\n size = (1 2)\n },\n 14 -> {\n }\n }\n },\n \
                         1 -> {\n sectorsize=1024,\n }\n};\n";

    #[test]
    fn each_drive_has_its_own_sector_size() {
        let header = parse(DISKS.as_bytes());
        assert_eq!(header.by_drive, BTreeMap::from([(0, 256), (1, 1024)]));
        assert_eq!([0, 1, 2].map(|drive| header.sector_bytes(drive)), [Some(256), Some(1024), None]);
        let header = parse(DISKS.replace("1024", "256").as_bytes());
        assert_eq!(header.sector_bytes(2), Some(256));
        assert_eq!(parse(b"$$TR_IOREC-1.7\nversion = 1.7;\n"), Header::default());
    }
}
