//! The numbers of the protocol, each with its name in the specification.

/// `INIT_PASSWD`: the first bytes of the server, "NBDMAGIC".
pub(crate) const GREETING_MAGIC: u64 = 0x4e42_444d_4147_4943;
/// The first bytes of an option, "IHAVEOPT".
pub(crate) const OPTION_MAGIC: u64 = 0x4948_4156_454f_5054;
/// The first bytes of a reply to an option.
pub(super) const OPTION_REPLY_MAGIC: u64 = 0x0003_e889_0455_65a9;
/// `NBD_REQUEST_MAGIC`: the first bytes of a request.
pub(crate) const REQUEST_MAGIC: u32 = 0x2560_9513;
/// `NBD_SIMPLE_REPLY_MAGIC`: the first bytes of a simple reply.
pub(crate) const SIMPLE_REPLY_MAGIC: u32 = 0x6744_6698;

/// Flags of the handshake: 16 bits from the server, 32 bits with the same meaning from the client.
pub(crate) mod handshake_flag {
    /// `NBD_FLAG_FIXED_NEWSTYLE`, `NBD_FLAG_C_FIXED_NEWSTYLE`: the handshake has the form "fixed newstyle".
    pub(crate) const FIXED_NEWSTYLE: u16 = 1;
    /// `NBD_FLAG_NO_ZEROES`, `NBD_FLAG_C_NO_ZEROES`: the padding at the end of the handshake is left out.
    pub(crate) const NO_ZEROES: u16 = 1 << 1;
}

/// Numbers of options.
pub(crate) mod option {
    /// `NBD_OPT_EXPORT_NAME`: open an export, in the old form.
    pub(crate) const EXPORT_NAME: u32 = 1;
    /// `NBD_OPT_ABORT`: end the connection.
    pub(in super::super) const ABORT: u32 = 2;
    /// `NBD_OPT_LIST`: list the exports.
    pub(in super::super) const LIST: u32 = 3;
    /// `NBD_OPT_INFO`: return information about an export.
    pub(in super::super) const INFO: u32 = 6;
    /// `NBD_OPT_GO`: return information about an export and open it.
    pub(in super::super) const GO: u32 = 7;
}

/// Kinds of replies to options.
pub(super) mod option_reply {
    /// `NBD_REP_ACK`: the option is granted.
    pub(in super::super) const ACK: u32 = 1;
    /// `NBD_REP_SERVER`: the description of an export in a list.
    pub(in super::super) const SERVER: u32 = 2;
    /// `NBD_REP_INFO`: information about an export.
    pub(in super::super) const INFO: u32 = 3;
    /// `NBD_REP_ERR_UNSUP`: the option is not supported.
    pub(in super::super) const ERR_UNSUP: u32 = 0x8000_0001;
    /// `NBD_REP_ERR_INVALID`: the data of the option are malformed.
    pub(in super::super) const ERR_INVALID: u32 = 0x8000_0003;
    /// `NBD_REP_ERR_UNKNOWN`: the export is unknown.
    pub(in super::super) const ERR_UNKNOWN: u32 = 0x8000_0006;
    /// `NBD_REP_ERR_TOO_BIG`: the option has too much data.
    pub(in super::super) const ERR_TOO_BIG: u32 = 0x8000_0009;
}

/// Kinds of information about an export.
pub(super) mod info {
    /// `NBD_INFO_EXPORT`: size and transmission flags.
    pub(in super::super) const EXPORT: u16 = 0;
    /// `NBD_INFO_NAME`: name.
    pub(in super::super) const NAME: u16 = 1;
    /// `NBD_INFO_DESCRIPTION`: description for users.
    pub(in super::super) const DESCRIPTION: u16 = 2;
    /// `NBD_INFO_BLOCK_SIZE`: minimum, preferred and maximum size of blocks.
    pub(in super::super) const BLOCK_SIZE: u16 = 3;
}

/// Transmission flags: the abilities of an export.
pub(super) mod transmission_flag {
    /// `NBD_FLAG_HAS_FLAGS`: the other flags are valid.
    pub(in super::super) const HAS_FLAGS: u16 = 1;
    /// `NBD_FLAG_READ_ONLY`: the export refuses requests that change data.
    pub(in super::super) const READ_ONLY: u16 = 1 << 1;
    /// `NBD_FLAG_SEND_FLUSH`: clients may send flushes.
    pub(in super::super) const SEND_FLUSH: u16 = 1 << 2;
    /// `NBD_FLAG_SEND_FUA`: clients may set FUA.
    pub(in super::super) const SEND_FUA: u16 = 1 << 3;
    /// `NBD_FLAG_ROTATIONAL`: clients should order requests as for a rotating medium.
    pub(in super::super) const ROTATIONAL: u16 = 1 << 4;
    /// `NBD_FLAG_SEND_TRIM`: clients may send trims.
    pub(in super::super) const SEND_TRIM: u16 = 1 << 5;
    /// `NBD_FLAG_SEND_WRITE_ZEROES`: clients may fill ranges with zeros.
    pub(in super::super) const SEND_WRITE_ZEROES: u16 = 1 << 6;
    /// `NBD_FLAG_CAN_MULTI_CONN`: clients may open several connections.
    pub(in super::super) const CAN_MULTI_CONN: u16 = 1 << 8;
}

/// Numbers of the commands in requests.
pub(crate) mod command {
    /// `NBD_CMD_READ`: read a range.
    pub(crate) const READ: u16 = 0;
    /// `NBD_CMD_WRITE`: write a range.
    pub(in super::super) const WRITE: u16 = 1;
    /// `NBD_CMD_DISC`: end the connection.
    pub(crate) const DISC: u16 = 2;
    /// `NBD_CMD_FLUSH`: make answered writes durable.
    pub(in super::super) const FLUSH: u16 = 3;
    /// `NBD_CMD_TRIM`: discard the data of a range.
    pub(in super::super) const TRIM: u16 = 4;
    /// `NBD_CMD_WRITE_ZEROES`: fill a range with zeros.
    pub(in super::super) const WRITE_ZEROES: u16 = 6;
}

/// Flags of requests.
pub(super) mod command_flag {
    /// `NBD_CMD_FLAG_FUA`: make the write durable before the reply.
    pub(in super::super) const FUA: u16 = 1;
    /// `NBD_CMD_FLAG_NO_HOLE`: allocate disk space for the zeros.
    pub(in super::super) const NO_HOLE: u16 = 1 << 1;
}
