//! The handshake: greeting, client flags and options.

use sledsim_emulator::nbd::{BadExport, Broken, Event, Export};

use crate::wire::{about, export, option, option_reply, Talk, CLIENT_FLAGS};

/// Return the answer with the size of the export (1 GiB) and its transmission flags `flags`
/// (`NBD_INFO_EXPORT`).
fn told_export(number: u32, flags: u8) -> Vec<u8> {
    option_reply(number, 3, &[0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, flags])
}

/// Return the answer with the block sizes (`NBD_INFO_BLOCK_SIZE`): minimum 512 bytes, preferred 4096 bytes,
/// maximum 32 MiB.
fn told_block_sizes(number: u32) -> Vec<u8> {
    option_reply(number, 3, &[0, 3, 0, 0, 2, 0, 0, 0, 0x10, 0, 2, 0, 0, 0])
}

fn ack(number: u32) -> Vec<u8> {
    option_reply(number, 1, &[])
}

/// Return the conversation with a client that has answered the greeting.
fn greeted() -> Talk {
    let mut talk = Talk::new(export());
    assert_eq!(talk.hear(&CLIENT_FLAGS), []);
    talk
}

/// Return the kind of the first reply to an option.
fn kind(reply: &[u8]) -> [u8; 4] {
    reply[12..16].try_into().unwrap()
}

#[test]
fn go_tells_export_and_block_sizes_and_opens() {
    for name in ["", "sled"] {
        let mut talk = greeted();
        assert_eq!(talk.hear(&option(7, &about(name, &[]))), [Event::Opened]);
        assert_eq!(talk.heard(), [told_export(7, 0x6d), told_block_sizes(7), ack(7)].concat());
        assert!(talk.connection.is_open());
    }
}

#[test]
fn info_tells_the_same_and_does_not_open() {
    let mut talk = greeted();
    assert_eq!(talk.hear(&option(6, &about("sled", &[3]))), []);
    assert_eq!(talk.heard(), [told_export(6, 0x6d), told_block_sizes(6), ack(6)].concat());
    assert!(!talk.connection.is_open());
}

#[test]
fn name_and_description_are_sent_once_on_request() {
    let mut talk = greeted();
    talk.hear(&option(6, &about("", &[2, 1, 1, 0, 3, 77, 2])));
    let name = option_reply(6, 3, b"\x00\x01sled");
    let description = option_reply(6, 3, b"\x00\x02a sled");
    assert_eq!(talk.heard(), [told_export(6, 0x6d), told_block_sizes(6), name, description, ack(6)].concat());
}

#[test]
fn transmission_flags_say_what_the_export_can_do() {
    let flags = |export: Export| {
        let mut talk = Talk::new(export);
        talk.hear(&[&CLIENT_FLAGS[..], &option(1, b"sled")].concat());
        let heard = talk.heard();
        assert_eq!(heard.len(), 10);
        [heard[8], heard[9]]
    };
    assert_eq!(flags(export()), [0, 0b0110_1101]);
    assert_eq!(flags(export().rotational(true)), [0, 0b0111_1101]);
    assert_eq!(flags(export().multi_conn(true)), [1, 0b0110_1101]);
    assert_eq!(flags(export().read_only(true)), [0, 0b0000_1111]);
}

#[test]
fn export_name_opens_with_zeroes_unless_the_client_does_without() {
    let opened = [0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0x6d];
    for (flags, zeroes) in [(0, 124), (1, 124), (2, 0), (3, 0)] {
        let mut talk = Talk::new(export());
        assert_eq!(talk.hear(&[&[0, 0, 0, flags][..], &option(1, b"")].concat()), [Event::Opened]);
        assert_eq!(talk.heard(), [&opened[..], &vec![0; zeroes]].concat());
    }
}

#[test]
fn another_name_is_unknown() {
    let mut talk = greeted();
    for number in [6, 7] {
        assert_eq!(talk.hear(&option(number, &about("sleds", &[]))), []);
        assert_eq!(kind(&talk.heard()), [0x80, 0, 0, 6]);
    }
    let (events, broken) = talk.try_hear(&option(1, b"sle\xff"));
    assert_eq!(events, []);
    assert_eq!(
        broken.unwrap().to_string(),
        "expected the export \"sled\" or the default one, found \"sle\u{fffd}\""
    );
}

#[test]
fn the_list_has_the_export() {
    let mut talk = greeted();
    talk.hear(&option(3, &[]));
    assert_eq!(talk.heard(), [option_reply(3, 2, b"\x00\x00\x00\x04sleda sled"), ack(3)].concat());
    talk.hear(&option(3, &[0]));
    assert_eq!(kind(&talk.heard()), [0x80, 0, 0, 3]);
}

#[test]
fn abort_is_acknowledged_and_ends() {
    let mut talk = greeted();
    let aborted = [option(2, &[]), option(3, &[])].concat();
    assert_eq!(talk.connection.receive(&aborted), aborted.len());
    assert_eq!(talk.connection.next_event(), Ok(Some(Event::Ended)));
    assert!(!talk.connection.is_finished(), "the answer was not sent");
    assert_eq!(talk.heard(), ack(2));
    assert!(talk.connection.is_finished() && !talk.connection.wants_input());
}

#[test]
fn what_is_not_supported_is_refused_and_the_handshake_goes_on() {
    let mut talk = greeted();
    // Options PEEK_EXPORT, STARTTLS, STRUCTURED_REPLY, LIST_META_CONTEXT, SET_META_CONTEXT, EXTENDED_HEADERS, and
    // unknown ones.
    for number in [4, 5, 8, 9, 10, 11, 0, 99, u32::MAX] {
        assert_eq!(talk.hear(&option(number, b"some data")), []);
        let heard = talk.heard();
        assert_eq!(kind(&heard), [0x80, 0, 0, 1]);
        assert_eq!(heard, option_reply(number, 0x8000_0001, b"this option is not supported"));
    }
    assert_eq!(talk.hear(&option(7, &about("", &[]))), [Event::Opened]);
}

#[test]
fn what_has_another_form_is_invalid() {
    let good = about("sled", &[1]);
    let mut long_name = good.clone();
    long_name[3] = 200;
    for data in [&good[..good.len() - 1], &[&good[..], &[0]].concat(), &[], &good[..3], &long_name] {
        for number in [6, 7] {
            let mut talk = greeted();
            assert_eq!(talk.hear(&option(number, data)), []);
            assert_eq!(kind(&talk.heard()), [0x80, 0, 0, 3]);
        }
    }
}

#[test]
fn too_much_data_is_skipped_and_refused() {
    let mut talk = greeted();
    assert_eq!(talk.hear(&option(8, &[1; 4096])), []);
    assert_eq!(kind(&talk.heard()), [0x80, 0, 0, 1]);
    for bytes in [4097, 100_000, 1 << 20] {
        assert_eq!(talk.hear(&option(7, &vec![1; bytes])), []);
        assert_eq!(kind(&talk.heard()), [0x80, 0, 0, 9]);
    }
    assert_eq!(talk.hear(&option(7, &about("", &[]))), [Event::Opened]);
}

#[test]
fn faults_that_end_the_handshake_have_messages() {
    let fault = |bytes: &[u8]| {
        let mut talk = Talk::new(export());
        let (events, broken) = talk.try_hear(bytes);
        assert_eq!(events, []);
        assert_eq!(talk.heard(), []);
        assert!(!talk.connection.wants_input());
        assert_eq!(
            talk.connection.next_event(),
            Ok(None),
            "a violation of the protocol is reported only once"
        );
        broken.unwrap().to_string()
    };
    assert_eq!(
        fault(&[0, 0, 0, 4]),
        "client flags: expected no bits except 0x3 (fixed newstyle, no zeroes), found 0x4"
    );
    assert_eq!(
        fault(b"\x00\x00\x00\x01GET / HTTP/1.1\r\n"),
        "first bytes of an option: expected the magic number 0x49484156454f5054 (IHAVEOPT), found 0x474554202f204854"
    );
    let head = |number: u8, bytes: u32| {
        [&CLIENT_FLAGS[..], b"IHAVEOPT", &[0, 0, 0, number], &bytes.to_be_bytes()].concat()
    };
    assert_eq!(
        fault(&head(7, (1 << 20) + 1)),
        "option 7: expected at most 1048576 bytes of data, found 1048577"
    );
    assert_eq!(fault(&head(1, 4097)), "option 1: expected at most 4096 bytes of data, found 4097");
}

#[test]
fn a_client_has_128_options() {
    let mut talk = greeted();
    for _ in 0..64 {
        assert_eq!(talk.hear(&option(8, &[])), []);
        assert_eq!(talk.hear(&option(8, &[0; 5000])), []);
    }
    let (events, broken) = talk.try_hear(&option(7, &about("", &[])));
    assert_eq!((events, broken), (vec![], Some(Broken::TooManyOptions(128))));
}

#[test]
fn an_export_that_no_client_could_use_is_missing() {
    assert_eq!(Export::new("", "", 513), Err(BadExport::Size(513)));
    assert_eq!(Export::new("", "", 0), Err(BadExport::Size(0)));
    assert_eq!(Export::new("", "", 1 << 63), Err(BadExport::Size(1 << 63)));
    assert!(Export::new("", "", (1 << 63) - 512).is_ok());
    let long = "x".repeat(4097);
    assert_eq!(Export::new(&long, "", 512), Err(BadExport::Long { what: "name", found: 4097 }));
    assert_eq!(Export::new("", &long, 512), Err(BadExport::Long { what: "description", found: 4097 }));
    assert!(Export::new(&long[1..], &long[1..], 512).is_ok());
}
