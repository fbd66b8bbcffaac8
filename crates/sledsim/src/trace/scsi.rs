//! SCSI operation codes (SBC-3, SPC-4) and their operations on blocks.

use super::columns::Op;

/// Operation of a SCSI command on the blocks that it names; `None` for commands that move no data to or from
/// blocks.
#[inline]
pub(super) fn operation(code: u16) -> Option<Op> {
    match code {
        0x08 | 0x28 | 0x88 | 0xa8 => Some(Op::Read),
        0x0a | 0x2a | 0x8a | 0xaa | 0x2e | 0x8e | 0xae => Some(Op::Write),
        0x35 | 0x91 => Some(Op::Flush),
        _ => None,
    }
}
