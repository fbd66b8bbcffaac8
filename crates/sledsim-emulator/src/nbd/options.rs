//! Answer the options of the handshake.

use super::error::Broken;
use super::export::{Export, SECTOR_BYTES};
use super::protocol::{info, option, option_reply, OPTION_REPLY_MAGIC};
use super::request::MOST_PAYLOAD_BYTES;

/// Preferred block size of clients in bytes.
const PREFERRED_BLOCK_BYTES: u32 = 4096;
/// Padding after the transmission flags. The server omits it if the client has set the flag `NO_ZEROES`.
const ZEROES: [u8; 124] = [0; 124];

/// The next stage of the handshake.
pub(super) enum Then {
    /// Another option follows.
    Option,
    /// Requests follow.
    Open,
    /// The connection ends.
    End,
}

/// Answer the option `number`, which has the data `data`. Return the answer and the next stage of the
/// handshake.
pub(super) fn answer(
    number: u32,
    data: &[u8],
    export: &Export,
    no_zeroes: bool,
) -> Result<(Vec<u8>, Then), Broken> {
    match number {
        option::EXPORT_NAME => Ok((open(data, export, no_zeroes)?, Then::Open)),
        option::ABORT => Ok((reply(number, option_reply::ACK, &[]), Then::End)),
        option::LIST => Ok((list(data, export), Then::Option)),
        option::INFO | option::GO => {
            let (answer, is_good) = about(number, data, export);
            Ok((answer, if is_good && number == option::GO { Then::Open } else { Then::Option }))
        }
        _ => {
            let text = "this option is not supported";
            Ok((reply(number, option_reply::ERR_UNSUP, text.as_bytes()), Then::Option))
        }
    }
}

/// Return the answer that refuses the option `number` because it has too much data.
pub(super) fn too_big(number: u32) -> Vec<u8> {
    reply(number, option_reply::ERR_TOO_BIG, b"this option has too much data")
}

fn reply(number: u32, kind: u32, data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(20 + data.len());
    bytes.extend(OPTION_REPLY_MAGIC.to_be_bytes());
    bytes.extend(number.to_be_bytes());
    bytes.extend(kind.to_be_bytes());
    bytes.extend((data.len() as u32).to_be_bytes());
    bytes.extend(data);
    bytes
}

/// Encode the size and the transmission flags of the export.
fn size_and_flags(export: &Export) -> Vec<u8> {
    let mut bytes = export.bytes().to_be_bytes().to_vec();
    bytes.extend(export.flags().to_be_bytes());
    bytes
}

fn open(name: &[u8], export: &Export, no_zeroes: bool) -> Result<Vec<u8>, Broken> {
    if !export.is_called(name) {
        return Err(Broken::UnknownExport {
            expected: export.name().to_owned(),
            found: String::from_utf8_lossy(name).into_owned(),
        });
    }
    let mut bytes = size_and_flags(export);
    if !no_zeroes {
        bytes.extend(ZEROES);
    }
    Ok(bytes)
}

fn list(data: &[u8], export: &Export) -> Vec<u8> {
    let number = option::LIST;
    if !data.is_empty() {
        return reply(
            number,
            option_reply::ERR_INVALID,
            b"the option that lists exports: expected no data, found some",
        );
    }
    let mut server = (export.name().len() as u32).to_be_bytes().to_vec();
    server.extend(export.name().as_bytes());
    server.extend(export.description().as_bytes());
    let mut bytes = reply(number, option_reply::SERVER, &server);
    bytes.extend(reply(number, option_reply::ACK, &[]));
    bytes
}

/// Answer the option `number`, by which the client asks for information about an export. Return the answer, and
/// true if the client named the served export.
fn about(number: u32, data: &[u8], export: &Export) -> (Vec<u8>, bool) {
    let Some((name, wanted)) = name_and_infos(data) else {
        let text = "data of the option: expected the length of a name, the name, a number N, and N kinds of information";
        return (reply(number, option_reply::ERR_INVALID, text.as_bytes()), false);
    };
    if !export.is_called(name) {
        let text = format!("the only export is {:?}, which is also the default", export.name());
        return (reply(number, option_reply::ERR_UNKNOWN, text.as_bytes()), false);
    }
    let mut bytes = Vec::new();
    let mut tell = |kind: u16, what: &[u8]| {
        let data = [&kind.to_be_bytes(), what].concat();
        bytes.extend(reply(number, option_reply::INFO, &data));
    };
    tell(info::EXPORT, &size_and_flags(export));
    // Clients must obey the block sizes, so that every client gets them.
    let sizes = [SECTOR_BYTES, PREFERRED_BLOCK_BYTES, MOST_PAYLOAD_BYTES].map(u32::to_be_bytes);
    tell(info::BLOCK_SIZE, &sizes.concat());
    for (kind, text) in [(info::NAME, export.name()), (info::DESCRIPTION, export.description())] {
        if wanted.chunks_exact(2).any(|wanted| wanted == kind.to_be_bytes()) {
            tell(kind, text.as_bytes());
        }
    }
    bytes.extend(reply(number, option_reply::ACK, &[]));
    (bytes, true)
}

/// Split the data of an option into the name of an export, and the numbers of the requested kinds of
/// information (two bytes each). Return `None` if the data are malformed.
fn name_and_infos(data: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = data.split_first_chunk()?;
    let (name, rest) = rest.split_at_checked(u32::from_be_bytes(*length) as usize)?;
    let (count, infos) = rest.split_first_chunk()?;
    (infos.len() == 2 * usize::from(u16::from_be_bytes(*count))).then_some((name, infos))
}
