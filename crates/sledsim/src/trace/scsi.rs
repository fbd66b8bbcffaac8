//! Operation codes of SCSI (SBC-3, SPC-4), and the block operation of each.

use super::columns::Op;

/// The block operation of a SCSI operation code; `None` for commands that do not read, write, discard or
/// flush blocks.
#[inline]
pub(super) fn operation(code: u16) -> Option<Op> {
    match code {
        0x08 | 0x28 | 0x88 | 0xa8 => Some(Op::Read),
        0x0a | 0x2a | 0x8a | 0xaa | 0x2e | 0x8e | 0xae => Some(Op::Write),
        0x35 | 0x91 => Some(Op::Flush),
        _ => None,
    }
}
