//! Purposes of the parts of a write buffer; the lowest byte of a part's tag holds its purpose.

pub const READ_DISK: u64 = 0;
pub const READ_LOG: u64 = 1;
pub const APPEND: u64 = 2;
pub const BYPASS_DISK: u64 = 3;
pub const BYPASS_LOG: u64 = 4;
pub const CLEAN_READ: u64 = 5;
pub const CLEAN_WRITE: u64 = 6;
pub const TAIL: u64 = 7;
pub const BITS: u32 = 8;
