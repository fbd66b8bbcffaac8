//! Words for operations in tables: common names, letters of blktrace and operation codes of SCSI.

use super::super::super::columns::Op;
use super::super::super::scsi;
use super::super::block_events::decode_or_flush;

/// Common names of each operation.
const NAMES: [(Op, &[&str]); 4] = [
    (Op::Read, &["r", "read", "rd", "reads", "diskread"]),
    (Op::Write, &["w", "write", "wr", "writes", "diskwrite"]),
    (Op::Discard, &["d", "discard", "trim", "unmap", "0x42"]),
    (Op::Flush, &["f", "flush", "sync", "fsync", "diskflush"]),
];

/// The operation that a word stands for, by the `names` in the user's map, or else by the common names.
pub(super) fn named_in(word: &[u8], names: &[(String, Op)]) -> Option<Op> {
    if let Some((_, op)) = names.iter().find(|(name, _)| name.as_bytes().eq_ignore_ascii_case(word)) {
        return Some(*op);
    }
    let common = named(word, &NAMES);
    match names {
        [] => common.or_else(|| scsi::operation(scsi_code(word)?)).or(match word {
            b"0" => Some(Op::Read),
            b"1" => Some(Op::Write),
            _ => None,
        }),
        // With one of two operations named, any other word is the other one.
        [(_, Op::Read)] => common.or((!word.is_empty()).then_some(Op::Write)),
        [(_, Op::Write)] => common.or((!word.is_empty()).then_some(Op::Read)),
        _ => common,
    }
}

/// Decodes the letters that blktrace gives a request, such as `WSM`: the operation, true for metadata, and
/// flags.
pub(super) fn rwbs(word: &[u8]) -> Option<(Op, bool, u8)> {
    let is_known = word.iter().all(|letter| b"RWDFASMENU".contains(letter));
    is_known.then(|| decode_or_flush(word))?
}

/// The operation that a word stands for if the user's map does not name operations.
pub(super) fn of_word(word: &[u8]) -> Option<Op> {
    named_in(word, &[]).or_else(|| rwbs(word).map(|(op, ..)| op))
}

/// Parses an operation code of SCSI: two hexadecimal digits, or a number behind 0x.
pub(super) fn scsi_code(word: &[u8]) -> Option<u16> {
    let digits = word.strip_prefix(b"0x").or_else(|| word.strip_prefix(b"0X"));
    let digits = digits.filter(|digits| digits.len() <= 2).or((word.len() == 2).then_some(word))?;
    let is_code = !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit);
    is_code.then(|| u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok())?
}

/// True if all `words` are operation codes of SCSI and at least one of them reads, writes, discards
/// or flushes blocks.
pub(super) fn are_scsi(words: &[&[u8]]) -> bool {
    let moves_data = |word: &&[u8]| scsi_code(word).and_then(scsi::operation).is_some();
    words.iter().all(|word| scsi_code(word).is_some()) && words.iter().any(moves_data)
}

/// Looks up the name `word` in a table of names, in upper or lower case.
pub(super) fn named<T: Copy>(word: &[u8], names: &[(T, &[&str])]) -> Option<T> {
    let is_word = |name: &&str| name.as_bytes().eq_ignore_ascii_case(word);
    names.iter().find(|(_, names)| names.iter().any(is_word)).map(|(what, _)| *what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_have_common_names_and_those_of_the_map() {
        let op = |word: &str, names: &[(&str, Op)]| {
            let names: Vec<_> = names.iter().map(|(name, op)| ((*name).to_owned(), *op)).collect();
            named_in(word.as_bytes(), &names)
        };
        for (word, expected) in [
            ("R", Some(Op::Read)),
            ("wRiTe", Some(Op::Write)),
            ("0", Some(Op::Read)),
            ("1", Some(Op::Write)),
            ("0x2A", Some(Op::Write)),
            ("0x8", Some(Op::Read)),
            ("2a", Some(Op::Write)),
            ("28", Some(Op::Read)),
            ("8A", Some(Op::Write)),
            ("35", Some(Op::Flush)),
            ("trim", Some(Op::Discard)),
            ("0x42", Some(Op::Discard)),
            // Decimal, it would be a write.
            ("42", None),
            ("F", Some(Op::Flush)),
            ("", None),
            ("2", None),
            ("0x", None),
            ("0x100", None),
        ] {
            assert_eq!(op(word, &[]), expected, "{word}");
        }
        let one_reads = [("1", Op::Read)];
        assert_eq!((op("1", &one_reads), op("0", &one_reads)), (Some(Op::Read), Some(Op::Write)));
        assert_eq!((op("D", &one_reads), op("", &one_reads)), (Some(Op::Discard), None));
        let both = [("4", Op::Read), ("5", Op::Write)];
        assert_eq!((op("4", &both), op("5", &both), op("6", &both)), (Some(Op::Read), Some(Op::Write), None));
    }
}
