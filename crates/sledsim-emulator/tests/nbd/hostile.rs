//! Send arbitrary bytes. No input may cause a panic, exceed the memory limit, or give a request outside the export.
//!
//! `SLEDSIM_FUZZ_CASES=1000000 cargo test -p sledsim-emulator --test nbd hostile` runs a million clients.

use std::sync::Arc;

use sledsim_emulator::nbd::{
    Connection, Errno, Event, Kind, Request, MOST_HELD, MOST_OUTSTANDING_BYTES, MOST_OUTSTANDING_REQUESTS,
    MOST_PAYLOAD_BYTES,
};

use crate::wire::{about, export, option, request, Random, CLIENT_FLAGS, EXPORT_BYTES};

/// Number of clients in a normal run.
const CASES: usize = 5_000;

/// Return the bytes of a client that mostly follows the protocol.
fn conversation(random: &mut Random) -> Vec<u8> {
    let mut bytes = CLIENT_FLAGS.to_vec();
    for _ in 0..random.below(4) {
        let data = about(["", "sled", "other"][random.below(3)], &[1, 2][..random.below(3)]);
        bytes.extend(option(random.below(12) as u32, &data));
    }
    bytes.extend(option(7, &about("", &[])));
    // Some clients flood the server with one item.
    let flood = if random.below(20) == 0 { 400 } else { 1 };
    for _ in 0..random.below(12) {
        let command = random.below(9) as u16;
        let large = random.below(6) == 0;
        let sectors = random.below(if large { 70_000 } else { 20 }) as u32;
        let offset = (random.next() % (EXPORT_BYTES / 512)) * 512;
        let one = request(random.below(5) as u16 / 3, command, random.next(), offset, sectors * 512);
        bytes.extend(one.repeat(flood));
        if command == 1 && !large {
            bytes.resize(bytes.len() + sectors as usize * 512, 7);
        }
    }
    bytes
}

/// Damage the bytes of a client at random.
fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..random.below(4) {
        let at = random.below(bytes.len());
        match random.below(6) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.next() as u8,
            2 => bytes.truncate(at.max(1)),
            3 => drop(bytes.remove(at)),
            4 => bytes.insert(at, random.next() as u8),
            _ => {
                let from = random.below(bytes.len());
                let end = bytes.len().min(from + random.below(64));
                let copy = bytes[from..end].to_vec();
                bytes.splice(at..at, copy);
            }
        }
        if bytes.is_empty() {
            bytes.push(0);
        }
    }
}

fn garbage(random: &mut Random) -> Vec<u8> {
    let length = random.below(300);
    (0..length).map(|_| random.next() as u8).collect()
}

/// Requests that the connection has handed out and that were not answered yet.
#[derive(Default)]
struct Owner {
    waiting: Vec<Request>,
}

impl Owner {
    fn take(&mut self, request: Request) {
        let Request { kind, offset, bytes, ref data, .. } = request;
        let end = offset.checked_add(u64::from(bytes)).unwrap();
        assert!(end <= EXPORT_BYTES && offset % 512 == 0 && bytes % 512 == 0, "{offset} {bytes}");
        assert_eq!(data.len(), if kind == Kind::Write { bytes as usize } else { 0 });
        if matches!(kind, Kind::Read | Kind::Write) {
            assert!((1..=MOST_PAYLOAD_BYTES).contains(&bytes));
        }
        self.waiting.push(request);
    }

    fn answer_one(&mut self, connection: &mut Connection, random: &mut Random) {
        let request = self.waiting.swap_remove(random.below(self.waiting.len()));
        let data = || vec![0; if request.kind == Kind::Read { request.bytes as usize } else { 0 }];
        let result = if random.below(8) == 0 { Err(Errno::Io) } else { Ok(data()) };
        connection.reply(request.number, result);
    }

    /// Number of bytes of data of the waiting reads and writes.
    fn held(&self) -> usize {
        let has_data = |request: &&Request| matches!(request.kind, Kind::Read | Kind::Write);
        self.waiting.iter().filter(has_data).map(|request| request.bytes as usize).sum()
    }
}

/// Let a client send these bytes to a connection; answer requests and send output at random times.
fn talk(mut bytes: &[u8], random: &mut Random) {
    let mut connection = Connection::new(Arc::new(export()));
    let mut owner = Owner::default();
    // Some clients never read, some owners never answer.
    let (reads, answers) = (random.below(4) > 0, random.below(4) > 0);
    for _ in 0..2000 {
        let part = bytes.len().min(1 + random.below(5000));
        let taken = connection.receive(&bytes[..part]);
        bytes = &bytes[taken..];
        let mut went_on = taken > 0;
        loop {
            match connection.next_event() {
                Ok(None) => break,
                Ok(Some(Event::Request(request))) => owner.take(request),
                Ok(Some(_)) => {}
                Err(broken) => {
                    assert!(!broken.to_string().is_empty());
                    assert!(!connection.wants_input());
                }
            }
            went_on = true;
        }
        assert!(owner.waiting.len() <= connection.outstanding());
        assert!(connection.outstanding() <= MOST_OUTSTANDING_REQUESTS);
        assert!(owner.held() <= MOST_OUTSTANDING_BYTES);
        assert!(connection.held() + owner.held() <= MOST_HELD);
        if answers && !owner.waiting.is_empty() {
            owner.answer_one(&mut connection, random);
            went_on = true;
        }
        if reads && connection.has_output() {
            let all: usize = connection.output().map(<[u8]>::len).sum();
            connection.sent(1 + random.below(all));
            went_on = true;
        }
        if !went_on {
            return;
        }
    }
}

#[test]
fn no_client_does_harm() {
    let cases = std::env::var("SLEDSIM_FUZZ_CASES").map_or(CASES, |cases| cases.parse().unwrap());
    for case in 0..cases {
        let mut random = Random(case as u64);
        let bytes = match case % 8 {
            0 => garbage(&mut random),
            1 => [crate::wire::opening(), garbage(&mut random)].concat(),
            2 => conversation(&mut random),
            _ => {
                let mut bytes = conversation(&mut random);
                mutate(&mut bytes, &mut random);
                bytes
            }
        };
        talk(&bytes, &mut random);
    }
}
