//! The limits of outstanding requests and data.

use sledsim_emulator::nbd::{
    Event, Export, MOST_HELD, MOST_OUTSTANDING_BYTES, MOST_OUTSTANDING_REQUESTS, MOST_PAYLOAD_BYTES,
    PART_BYTES,
};

use crate::wire::{
    contents, export, option, option_reply, reply, request, Talk, CLIENT_FLAGS, FLUSH, READ, WRITE,
    WRITE_ZEROES,
};

const MIB: u32 = 1 << 20;

fn opened() -> Talk {
    Talk::opened(export())
}

/// Pass bytes of the client to the connection without sending any output. Return the events.
fn hear(talk: &mut Talk, mut bytes: &[u8]) -> Vec<Event> {
    let mut events = Vec::new();
    loop {
        let taken = talk.connection.receive(bytes);
        bytes = &bytes[taken..];
        let before = events.len();
        while let Some(event) = talk.connection.next_event().unwrap() {
            events.push(event);
        }
        assert!(talk.connection.held() <= MOST_HELD);
        if taken == 0 && events.len() == before {
            return events;
        }
    }
}

#[test]
fn the_bounds_are_256_requests_and_64_mib() {
    assert_eq!((MOST_OUTSTANDING_REQUESTS, MOST_OUTSTANDING_BYTES), (256, 64 << 20));
    assert_eq!(MOST_PAYLOAD_BYTES, 32 << 20);
    const { assert!(MOST_HELD < MOST_OUTSTANDING_BYTES + (1 << 18)) };
}

#[test]
fn after_256_requests_none_is_read_until_an_answer_was_sent() {
    let mut talk = opened();
    let many: Vec<u8> = (0..300).flat_map(|cookie| request(0, FLUSH, cookie, 0, 0)).collect();
    assert_eq!(hear(&mut talk, &many).len(), 256);
    assert!(!talk.connection.wants_input());
    assert!(talk.connection.room().is_empty());
    talk.connection.reply(3, Ok(vec![]));
    assert_eq!(talk.connection.next_event(), Ok(None), "no further request is read before an answer is sent");
    talk.connection.sent(15);
    assert_eq!(
        talk.connection.next_event(),
        Ok(None),
        "no further request is read before an answer is sent completely"
    );
    talk.connection.sent(1);
    assert!(
        matches!(talk.connection.next_event(), Ok(Some(Event::Request(request))) if request.cookie == 256)
    );
    assert!(!talk.connection.wants_input());
}

#[test]
fn unread_refusals_are_outstanding() {
    let mut talk = opened();
    let bad = request(0, READ, 1, 3, 3);
    assert_eq!(hear(&mut talk, &bad.repeat(1000)), []);
    assert_eq!(talk.connection.outstanding(), 256);
    assert!(!talk.connection.wants_input());
}

#[test]
fn data_of_reads_count_until_they_are_sent() {
    let mut talk = opened();
    let reads: Vec<u8> = (0..3).flat_map(|cookie| request(0, READ, cookie, 0, 32 * MIB)).collect();
    assert_eq!(hear(&mut talk, &reads).len(), 2);
    assert!(!talk.connection.wants_input());
    talk.connection.reply(0, Ok(vec![1; 32 << 20]));
    assert_eq!(talk.connection.next_event(), Ok(None));
    talk.connection.sent(16 + (32 << 20));
    assert!(matches!(talk.connection.next_event(), Ok(Some(Event::Request(request))) if request.number == 2));
    assert!(!talk.connection.wants_input());
    talk.connection.reply(1, Err(sledsim_emulator::nbd::Errno::Io));
    assert!(talk.connection.wants_input(), "an answer with an error has no outstanding data");
}

#[test]
fn data_of_writes_count_until_they_are_answered() {
    let mut talk = opened();
    let write = |cookie| [request(0, WRITE, cookie, 0, 24 * MIB), contents(0, 24 * MIB)].concat();
    assert_eq!(hear(&mut talk, &[write(0), write(1)].concat()).len(), 2);
    assert!(talk.connection.wants_input());
    assert_eq!(hear(&mut talk, &write(2)), [], "48 of at most 64 MiB are outstanding, so 24 MiB do not fit");
    assert!(!talk.connection.wants_input());
    talk.connection.reply(1, Ok(vec![]));
    assert_eq!(talk.connection.next_event(), Ok(None));
    assert!(talk.connection.wants_input());
}

#[test]
fn the_bound_is_exact() {
    for (more, admitted) in [(MIB, 3), (MIB + 512, 2)] {
        let mut talk = opened();
        let reads = [32 * MIB, 31 * MIB, more].map(|bytes| request(0, READ, 0, 0, bytes)).concat();
        assert_eq!(hear(&mut talk, &reads).len(), admitted);
        assert!(!talk.connection.wants_input());
        let outstanding = [63 << 20, 64 << 20][admitted - 2];
        assert_eq!(talk.connection.outstanding_bytes(), outstanding);
    }
}

#[test]
fn one_answer_to_an_option_is_kept() {
    let mut talk = Talk::new(export());
    assert_eq!(hear(&mut talk, &[&CLIENT_FLAGS[..], &option(3, &[]).repeat(100)].concat()), []);
    assert!(!talk.connection.wants_input());
    let list = [option_reply(3, 2, b"\x00\x00\x00\x04sleda sled"), option_reply(3, 1, &[])].concat();
    assert_eq!(talk.connection.output().flatten().copied().collect::<Vec<u8>>(), list);
    assert_eq!(talk.hear(&[]), []);
    assert_eq!(
        talk.heard(),
        list.repeat(100),
        "all options are answered after the client has read the answers"
    );
}

#[test]
fn large_data_have_room_where_they_stay() {
    let mut talk = opened();
    assert_eq!(hear(&mut talk, &request(0, WRITE, 0, 0, MIB)), []);
    let place = talk.connection.room().as_ptr();
    for _ in 0..MIB as usize / PART_BYTES {
        let room = talk.connection.room();
        assert_eq!(room.len(), PART_BYTES);
        room.fill(7);
        talk.connection.received(PART_BYTES);
    }
    let Ok(Some(Event::Request(write))) = talk.connection.next_event() else { panic!("a write") };
    assert_eq!((write.data.as_ptr(), write.data), (place, vec![7; MIB as usize]));
}

#[test]
fn data_of_a_read_are_sent_from_where_they_are() {
    let mut talk = opened();
    hear(&mut talk, &request(0, READ, 0, 0, MIB));
    let data = vec![7; MIB as usize];
    let place = data.as_ptr();
    talk.connection.reply(0, Ok(data));
    let parts: Vec<&[u8]> = talk.connection.output().collect();
    assert_eq!(parts.iter().map(|part| part.len()).collect::<Vec<_>>(), [16, MIB as usize]);
    assert_eq!(parts[1].as_ptr(), place);
}

#[test]
fn long_zeros_count_as_the_writes_that_they_are() {
    let mut talk = Talk::opened(Export::new("", "", 8 << 30).unwrap());
    // A length of 4 GiB less a sector is 128 writes.
    let bytes = u32::MAX - 511;
    let zeros: Vec<u8> = (0..3).flat_map(|cookie| request(0, WRITE_ZEROES, cookie, 0, bytes)).collect();
    assert_eq!(hear(&mut talk, &zeros).len(), 2);
    assert_eq!(talk.connection.outstanding(), 256);
    assert!(!talk.connection.wants_input());
    talk.connection.reply(1, Ok(vec![]));
    talk.connection.sent(16);
    assert!(matches!(talk.connection.next_event(), Ok(Some(Event::Request(request))) if request.number == 2));
    let mut short = opened();
    assert_eq!(hear(&mut short, &request(0, WRITE_ZEROES, 0, 0, 32 * MIB)).len(), 1);
    assert_eq!(short.connection.outstanding(), 1);
}

#[test]
fn data_of_a_read_can_follow_in_parts() {
    let mut talk = opened();
    hear(&mut talk, &[request(0, READ, 7, 0, 2048), request(0, READ, 8, 0, 512)].concat());
    talk.connection.begin_reply(0, vec![1; 512]);
    talk.connection.reply(1, Ok(vec![9; 512]));
    assert_eq!(talk.connection.wanted(), None, "no data are wanted while provided data were not sent");
    let said = |talk: &mut Talk| {
        let said: Vec<u8> = talk.connection.output().flatten().copied().collect();
        talk.connection.sent(said.len());
        said
    };
    assert_eq!(
        said(&mut talk),
        [reply(0, 7), vec![1; 512]].concat(),
        "the next answer is sent only after all data of this one"
    );
    for value in [2, 3] {
        assert_eq!((talk.connection.wanted(), talk.connection.has_output()), (Some(0), true));
        assert_eq!(talk.connection.output().count(), 0);
        talk.connection.give(vec![value; 512]);
        talk.connection.sent(100);
        assert_eq!(said(&mut talk), vec![value; 412]);
    }
    assert_eq!(talk.connection.outstanding_bytes(), 2048 + 512);
    talk.connection.give(vec![4; 512]);
    assert_eq!(said(&mut talk), [vec![4; 512], reply(0, 8), vec![9; 512]].concat());
    assert_eq!((talk.connection.outstanding(), talk.connection.outstanding_bytes()), (0, 0));
}

#[test]
#[should_panic(expected = "more data were provided than are missing")]
fn no_more_data_are_given_than_were_asked_for() {
    let mut talk = opened();
    hear(&mut talk, &request(0, READ, 7, 0, 1024));
    talk.connection.begin_reply(0, vec![1; 512]);
    talk.connection.sent(16 + 512);
    talk.connection.give(vec![1; 1024]);
}
