//! Valid and invalid requests, and the answers to them.

use sledsim_emulator::nbd::{Broken, Errno, Event, Kind, Request};

use crate::wire::{
    answer, contents, export, reply, request, Talk, DISCONNECT, EXPORT_BYTES, FLUSH, READ, TRIM, WRITE,
    WRITE_ZEROES,
};

fn opened() -> Talk {
    Talk::opened(export())
}

#[test]
fn a_read_is_answered_with_its_data() {
    let mut talk = opened();
    let read = talk.request(b"\x25\x60\x95\x13\0\0\0\0cookies!\0\0\0\0\0\0\x02\0\0\0\x04\0");
    let cookie = u64::from_be_bytes(*b"cookies!");
    let expected =
        Request { number: 0, cookie, kind: Kind::Read, offset: 512, bytes: 1024, fua: false, data: vec![] };
    assert_eq!(read, expected);
    talk.connection.reply(0, Ok(contents(512, 1024)));
    assert_eq!(talk.heard(), [&b"\x67\x44\x66\x98\0\0\0\0cookies!"[..], &[1; 512], &[2; 512]].concat());
    assert_eq!(talk.connection.outstanding(), 0);
}

#[test]
fn every_kind_is_understood() {
    let cases = [
        (0, READ, Kind::Read, false),
        (1, READ, Kind::Read, true),
        (0, TRIM, Kind::Trim, false),
        (1, TRIM, Kind::Trim, true),
        (0, WRITE_ZEROES, Kind::WriteZeroes, false),
        (2, WRITE_ZEROES, Kind::WriteZeroes, false),
        (3, WRITE_ZEROES, Kind::WriteZeroes, true),
    ];
    let mut talk = opened();
    for (flags, command, kind, fua) in cases {
        let found = talk.request(&request(flags, command, 7, 4096, 512));
        assert_eq!((found.kind, found.offset, found.bytes, found.fua), (kind, 4096, 512, fua));
        talk.connection.reply(found.number, Ok(answer(&found)));
        assert_eq!(talk.heard(), [reply(0, 7), answer(&found)].concat());
    }
    let flush = talk.request(&request(0, FLUSH, 8, 0, 0));
    assert_eq!((flush.kind, flush.bytes, flush.number), (Kind::Flush, 0, cases.len() as u64));
}

#[test]
fn a_write_has_its_data() {
    for (flags, fua) in [(0, false), (1, true)] {
        let mut talk = opened();
        let data = contents(1 << 20, 40_960);
        let write = talk.request(&[request(flags, WRITE, 1, 1 << 20, 40_960), data.clone()].concat());
        assert_eq!((write.kind, write.fua, write.data), (Kind::Write, fua, data));
        talk.connection.reply(write.number, Ok(vec![]));
        assert_eq!(talk.heard(), reply(0, 1));
    }
}

#[test]
fn answers_go_out_in_the_order_in_which_they_are_given() {
    let mut talk = opened();
    let bytes: Vec<u8> = (0..3).flat_map(|at| request(0, READ, 70 + at, at * 512, 512)).collect();
    assert_eq!(talk.hear(&bytes).len(), 3);
    talk.connection.reply(2, Ok(contents(1024, 512)));
    talk.connection.reply(0, Err(Errno::Io));
    talk.connection.reply(1, Ok(contents(512, 512)));
    let expected = [reply(0, 72), vec![2; 512], reply(5, 70), reply(0, 71), vec![1; 512]];
    assert_eq!(talk.heard(), expected.concat());
}

#[test]
fn two_requests_of_one_cookie_are_distinguished() {
    let mut talk = opened();
    talk.hear(&[request(0, READ, 7, 0, 512), request(0, FLUSH, 7, 0, 0)].concat());
    talk.connection.reply(1, Ok(vec![]));
    talk.connection.reply(0, Ok(vec![9; 512]));
    assert_eq!(talk.heard(), [reply(0, 7), reply(0, 7), vec![9; 512]].concat());
}

#[test]
fn output_may_be_sent_in_parts() {
    let mut talk = opened();
    talk.hear(&[request(0, READ, 7, 0, 512), request(0, FLUSH, 8, 0, 0)].concat());
    talk.connection.reply(0, Ok(vec![9; 512]));
    talk.connection.reply(1, Ok(vec![]));
    let expected = [reply(0, 7), vec![9; 512], reply(0, 8)].concat();
    let mut found: Vec<u8> = Vec::new();
    while talk.connection.has_output() {
        let rest: Vec<u8> = talk.connection.output().flatten().copied().collect();
        assert_eq!(rest, expected[found.len()..]);
        let part = talk.connection.output().next().unwrap();
        let sent = part.len().min(5);
        found.extend(&part[..sent]);
        talk.connection.sent(sent);
    }
    assert_eq!(found, expected);
}

#[test]
fn what_cannot_be_served_is_refused_by_the_reason() {
    const MOST: u32 = 32 << 20;
    let end = EXPORT_BYTES;
    let refused = [
        // Empty ranges, partial sectors, and offsets inside a sector.
        (0, READ, 0, 0, 22),
        (0, TRIM, 0, 0, 22),
        (0, WRITE_ZEROES, 0, 0, 22),
        (0, READ, 0, 511, 22),
        (0, READ, 1, 512, 22),
        (0, TRIM, 256, 512, 22),
        (0, WRITE_ZEROES, 0, 513, 22),
        // Ranges that are too long.
        (0, READ, 0, MOST + 512, 22),
        (0, READ, 0, u32::MAX - 511, 22),
        // Ranges past the end.
        (0, READ, end, 512, 22),
        (0, READ, end - 512, 1024, 22),
        (0, READ, u64::MAX - 511, 512, 22),
        (0, TRIM, end, 512, 22),
        (0, WRITE_ZEROES, end - 512, 1024, 28),
        (0, WRITE_ZEROES, u64::MAX - 511, 512, 28),
        // Unknown flags.
        (2, READ, 0, 512, 22),
        (4, READ, 0, 512, 22),
        (2, TRIM, 0, 512, 22),
        (16, WRITE_ZEROES, 0, 512, 22),
        (2, FLUSH, 0, 0, 22),
        // Flushes with a range.
        (0, FLUSH, 512, 0, 22),
        (0, FLUSH, 0, 512, 22),
        // Commands CACHE, BLOCK_STATUS, RESIZE, and unknown ones.
        (0, 5, 0, 512, 22),
        (0, 7, 0, 512, 22),
        (0, 8, 0, 512, 22),
        (0, u16::MAX, 0, 512, 22),
    ];
    let mut talk = opened();
    for (flags, command, offset, bytes, errno) in refused {
        assert_eq!(talk.hear(&request(flags, command, 5, offset, bytes)), []);
        assert_eq!(talk.heard(), reply(errno, 5), "{command} at {offset}, {bytes} bytes");
        assert_eq!(talk.connection.outstanding(), 0);
    }
    assert_eq!(talk.request(&request(0, FLUSH, 6, 0, 0)).number, 0, "the connection still accepts requests");
}

#[test]
fn the_last_sector_and_the_longest_requests_are_served() {
    let mut talk = opened();
    for (command, offset, bytes) in [
        (READ, EXPORT_BYTES - 512, 512),
        (READ, 0, 32 << 20),
        (TRIM, 0, 1 << 30),
        (WRITE_ZEROES, 512, (1 << 30) - 512),
    ] {
        let found = talk.request(&request(0, command, 5, offset, bytes));
        assert_eq!((found.offset, found.bytes), (offset, bytes));
    }
}

#[test]
fn data_of_a_write_that_is_refused_are_skipped() {
    let mut talk = opened();
    for (flags, offset, bytes, errno) in [
        (0, 0, 100, 22),
        (0, 3, 512, 22),
        (2, 0, 512, 22),
        (0, EXPORT_BYTES, 512, 28),
        (1, EXPORT_BYTES - 512, 1024, 28),
        (0, u64::MAX - 511, 512, 28),
        (0, 0, (32 << 20) + 512, 22),
        (0, 0, 0, 22),
    ] {
        let data = vec![0x25; bytes];
        assert_eq!(talk.hear(&[request(flags, WRITE, 5, offset, bytes as u32), data].concat()), []);
        assert_eq!(talk.heard(), reply(errno, 5));
        assert!(talk.connection.held() < 100_000, "data of refused writes are not stored");
    }
    assert_eq!(talk.request(&request(0, FLUSH, 6, 0, 0)).kind, Kind::Flush);
}

#[test]
fn a_read_only_export_cannot_be_changed() {
    let mut talk = Talk::opened(export().read_only(true));
    for command in [WRITE, TRIM, WRITE_ZEROES] {
        let data = vec![1; if command == WRITE { 512 } else { 0 }];
        assert_eq!(talk.hear(&[request(0, command, 5, 0, 512), data].concat()), []);
        assert_eq!(talk.heard(), reply(1, 5));
    }
    assert_eq!(talk.request(&request(0, READ, 6, 0, 512)).kind, Kind::Read);
    assert_eq!(talk.request(&request(0, FLUSH, 6, 0, 0)).kind, Kind::Flush);
}

#[test]
fn every_error_has_its_number() {
    let errors = [
        (Errno::NotPermitted, 1),
        (Errno::Io, 5),
        (Errno::NoMemory, 12),
        (Errno::Invalid, 22),
        (Errno::NoSpace, 28),
        (Errno::Shutdown, 108),
    ];
    let mut talk = opened();
    for (errno, number) in errors {
        let found = talk.request(&request(0, READ, 9, 0, 512));
        talk.connection.reply(found.number, Err(errno));
        assert_eq!(talk.heard(), reply(number, 9));
    }
}

#[test]
fn a_disconnect_leaves_time_for_what_is_outstanding() {
    let mut talk = opened();
    let bytes =
        [request(0, READ, 1, 0, 512), request(0, DISCONNECT, 2, 0, 0), request(0, READ, 3, 0, 512)].concat();
    let events = talk.hear(&bytes);
    assert_eq!(events.len(), 2);
    assert_eq!(events[1], Event::Ended);
    assert!(!talk.connection.wants_input() && !talk.connection.is_finished());
    talk.connection.reply(0, Ok(vec![4; 512]));
    assert!(!talk.connection.is_finished());
    assert_eq!(talk.heard(), [reply(0, 1), vec![4; 512]].concat());
    assert!(talk.connection.is_finished());
}

#[test]
fn what_is_no_request_ends_the_connection() {
    let mut talk = opened();
    let bytes = [request(0, READ, 1, 0, 512), vec![0xde, 0xad, 0xbe, 0xef], vec![0; 24]].concat();
    let (events, broken) = talk.try_hear(&bytes);
    assert_eq!(events.len(), 1);
    assert_eq!(broken, Some(Broken::RequestMagic(0xdead_beef)));
    assert_eq!(
        broken.unwrap().to_string(),
        "first bytes of a request: expected the magic number 0x25609513, found 0xdeadbeef"
    );
    assert_eq!(talk.connection.next_event(), Ok(None));
    talk.connection.reply(0, Ok(vec![0; 512]));
    assert_eq!(talk.heard().len(), 528, "requests before the violation can still be answered");
    assert!(talk.connection.is_finished());
}

#[test]
#[should_panic(expected = "a request with this number waits for an answer")]
fn no_request_is_answered_twice() {
    let mut talk = opened();
    talk.hear(&request(0, FLUSH, 1, 0, 0));
    talk.connection.reply(0, Ok(vec![]));
    talk.connection.reply(0, Ok(vec![]));
}

#[test]
#[should_panic(expected = "a read is answered with its data")]
fn no_read_is_answered_in_short() {
    let mut talk = opened();
    talk.hear(&request(0, READ, 1, 0, 512));
    talk.connection.reply(0, Ok(vec![0; 511]));
}
