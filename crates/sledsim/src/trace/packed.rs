//! Recognition of archives, and of compressed files that sledsim cannot decompress, with the
//! commands that unpack them.

/// Kinds of packed files: position and value of the bytes that identify the kind, its name, and the
/// command that unpacks such a file.
const ROWS: &[(usize, &[u8], &str, &str)] = &[
    (0, b"PK\x03\x04", "a zip archive", "unzip -p FILE | sledsim run -"),
    (0, b"BZh", "a file that bzip2 has compressed", "bzip2 -dc FILE | sledsim run -"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive", "7z x -so FILE | sledsim run -"),
    (0, b"Rar!\x1a\x07", "a rar archive", "unrar p -inul FILE | sledsim run -"),
    (0, b"\x04\x22\x4d\x18", "a file that lz4 has compressed", "lz4 -dc FILE | sledsim run -"),
    (0, b"\x1f\x9d", "a file that compress has compressed", "zcat FILE | sledsim run -"),
    (TAR_AT, b"ustar", "a tar archive", "tar -xOf FILE NAME | sledsim run -"),
];
/// The first bytes of a Parquet file; the Python package reads Parquet, the core does not.
const PARQUET_MAGIC: &[u8] = b"PAR1";
/// Position of the bytes that identify a tar archive.
const TAR_AT: usize = 257;
/// The bytes that follow the level in a bzip2 file: the first digits of pi, which begin a block of
/// data.
const BZIP2_BLOCK: &[u8] = b"1AY&SY";
/// Position of the digits of pi in a bzip2 file.
const BZIP2_BLOCK_AT: usize = 4;

/// Describes the kind of a packed file that begins with `head`, with the command that unpacks it;
/// `None` for files of other kinds.
pub(super) fn packed(head: &[u8]) -> Option<String> {
    // A web page has no shell for the commands.
    if cfg!(target_arch = "wasm32") {
        return None;
    }
    if head.starts_with(PARQUET_MAGIC) {
        return Some(
            "Parquet, which sledsim recognises only in an uncompressed file (for a pipe, give --format parquet)".into(),
        );
    }
    let has = |at: usize, bytes: &[u8]| head.get(at..).is_some_and(|rest| rest.starts_with(bytes));
    let (_, _, what, command) = ROWS
        .iter()
        .find(|(at, bytes, ..)| has(*at, bytes) && (*bytes != b"BZh" || has(BZIP2_BLOCK_AT, BZIP2_BLOCK)))?;
    Some(format!("{what}, which must be unpacked first ({command})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_files_are_refused_with_the_command_that_unpacks_them() {
        assert!(packed(b"PK\x03\x04rest")
            .unwrap()
            .starts_with("a zip archive, which must be unpacked first"));
        assert!(packed(b"BZh91AY&SY").unwrap().contains("(bzip2 -dc FILE | sledsim run -)"));
        assert!(packed(b"PAR1rest").unwrap().ends_with("(for a pipe, give --format parquet)"));
        let tar: Vec<u8> = [&b"name"[..], &[0; 253], b"ustar\x0000"].concat();
        assert!(packed(&tar).unwrap().starts_with("a tar archive"));
        for text in [&b""[..], b"BZh9,1,2\n", b"PK,1,2\n", b"time,lba,size,op\n"] {
            assert_eq!(packed(text), None);
        }
    }
}
