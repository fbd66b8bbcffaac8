//! The result of a conversation does not depend on the parts in which its bytes arrive.

use std::sync::Arc;

use proptest::prelude::*;
use sledsim_emulator::nbd::{Broken, Connection, Errno, Event};

use crate::wire::{about, answer, contents, export, option, request, CLIENT_FLAGS, EXPORT_BYTES, WRITE};

/// Return the bytes of an option of the handshake, which may be invalid.
fn any_option() -> impl Strategy<Value = Vec<u8>> {
    let name = prop_oneof![Just(""), Just("sled"), Just("other")];
    prop_oneof![
        8 => (6u32..8, name, prop::collection::vec(0u16..6, 0..4))
            .prop_map(|(number, name, infos)| option(number, &about(name, &infos))),
        4 => (3u32..12, prop::collection::vec(any::<u8>(), 0..40)).prop_map(|(number, data)| option(number, &data)),
        1 => (4096usize..40_000).prop_map(|bytes| option(8, &vec![1; bytes])),
        1 => Just(option(1, b"")),
    ]
}

/// Return the bytes of a request with its data, which may be invalid.
fn any_request() -> impl Strategy<Value = Vec<u8>> {
    let flags = prop_oneof![8 => Just(0u16), 2 => Just(1), 1 => 0u16..8];
    let command = prop_oneof![12 => 0u16..2, 6 => 3u16..7, 1 => Just(2u16), 1 => 7u16..9];
    let offset = prop_oneof![
        8 => (0u64..64).prop_map(|sector| sector * 512),
        1 => Just(EXPORT_BYTES - 512),
        1 => any::<u64>(),
    ];
    let bytes =
        prop_oneof![6 => (0u32..40).prop_map(|sectors| sectors * 512), 1 => 0u32..40_000, 1 => Just(0)];
    (flags, command, any::<u64>(), offset, bytes).prop_map(|(flags, command, cookie, offset, bytes)| {
        let data = if command == WRITE { contents(offset, bytes + 512) } else { vec![] };
        let sent = if command == WRITE { bytes as usize } else { 0 };
        [request(flags, command, cookie, offset, bytes), data[..sent].to_vec()].concat()
    })
}

fn conversation() -> impl Strategy<Value = Vec<u8>> {
    (prop::collection::vec(any_option(), 0..4), prop::collection::vec(any_request(), 0..20), any::<bool>())
        .prop_map(|(options, requests, ends_badly)| {
            let open = option(7, &about("sled", &[]));
            let bad = if ends_badly { vec![b'x'; 28] } else { vec![] };
            [CLIENT_FLAGS.to_vec(), options.concat(), open, requests.concat(), bad].concat()
        })
}

/// Results of a conversation: the events, the output, and the violation of the protocol, if any.
type Told = (Vec<Event>, Vec<u8>, Option<Broken>);

/// Pass `bytes` to a connection in parts; their lengths are those in `parts`, repeatedly. After each part, send
/// the same number of bytes of output.
fn talk(mut bytes: &[u8], parts: &[usize]) -> Told {
    let mut connection = Connection::new(Arc::new(export()));
    let (mut events, mut said) = (Vec::new(), Vec::new());
    for &part in parts.iter().cycle() {
        let taken = connection.receive(&bytes[..part.min(bytes.len())]);
        bytes = &bytes[taken..];
        let mut went_on = taken > 0;
        loop {
            match connection.next_event() {
                Ok(None) => break,
                Err(broken) => {
                    said.extend(connection.output().flatten());
                    return (events, said, Some(broken));
                }
                Ok(Some(event)) => {
                    if let Event::Request(request) = &event {
                        let is_odd = request.number % 5 == 4;
                        let result = if is_odd { Err(Errno::Io) } else { Ok(answer(request)) };
                        connection.reply(request.number, result);
                    }
                    events.push(event);
                    went_on = true;
                }
            }
        }
        let output: Vec<u8> = connection.output().flatten().take(part).copied().collect();
        connection.sent(output.len());
        went_on |= !output.is_empty();
        said.extend(output);
        if !went_on {
            break;
        }
    }
    assert!(!connection.has_output());
    (events, said, None)
}

proptest! {
    #[test]
    fn cuts_make_no_difference(
        bytes in conversation(),
        parts in prop::collection::vec(prop_oneof![1usize..40, 1usize..5000], 1..10),
    ) {
        let whole = talk(&bytes, &[bytes.len()]);
        prop_assert_eq!(&talk(&bytes, &parts), &whole);
        prop_assert_eq!(&talk(&bytes, &[1]), &whole);
    }
}
