//! Broken clients do not disturb a correct client that uses the server at the same time.
//!
//! `SLEDSIM_FUZZ_CASES=10000 cargo test -p sledsim-emulator --test server hostile` runs 10,000 broken clients.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sledsim_emulator::nbd::MOST_PAYLOAD_BYTES;

use crate::client::{Client, Verifier, BLOCK};
use crate::serving::{Serving, Setting, QUICK};
use crate::wire::{opening, request, Random, CLIENT_FLAGS, EXPORT_BYTES, READ, WRITE};

/// Number of broken clients in a normal run, each with one connection.
const CASES: u64 = 1000;
/// Maximum number of broken clients.
const MOST_CASES: u64 = 10_000;
/// Maximum outstanding data of all clients together in bytes, which no behaviour of clients may exceed.
const MOST_HELD: u64 = 40 << 20;
/// Offset in bytes of the range in which broken clients write; verifiers do not use this range.
const ELSEWHERE: u64 = EXPORT_BYTES / 2;

fn cases() -> u64 {
    std::env::var("SLEDSIM_FUZZ_CASES").map_or(CASES, |cases| MOST_CASES.min(cases.parse().unwrap()))
}

/// Return the bytes of a random request that may be valid. Requests that change data use the range from `ELSEWHERE` on.
fn any_request(random: &mut Random) -> Vec<u8> {
    let command = [READ, READ, WRITE, 2, 3, 4, 5, 6, 7, 99][random.below(10)];
    let room = EXPORT_BYTES - ELSEWHERE;
    let offset = match random.below(4) {
        0 => ELSEWHERE + random.next() % room,
        1 => EXPORT_BYTES - 512 * random.below(3) as u64,
        2 => u64::MAX - 511 * random.below(2) as u64,
        _ => ELSEWHERE + random.next() % (room / 512) * 512,
    };
    let bytes = [0, 1, 512, 4096, 1 << 20, MOST_PAYLOAD_BYTES, MOST_PAYLOAD_BYTES + 512, u32::MAX];
    let bytes = bytes[random.below(bytes.len())];
    let mut all = request(random.below(20) as u16 / 18, command, random.next(), offset, bytes);
    all.resize(all.len() + random.below(5000), 0xbd);
    all
}

/// Return the bytes that a broken client sends. The server may close the connection before it has read all of them.
fn broken(random: &mut Random) -> Vec<u8> {
    let garbage =
        |random: &mut Random| -> Vec<u8> { (0..random.below(300)).map(|_| random.next() as u8).collect() };
    match random.below(6) {
        0 => Vec::new(),
        1 => garbage(random),
        2 => opening()[..random.below(opening().len())].to_vec(),
        3 => [&CLIENT_FLAGS[..], b"IHAVEOPT", &garbage(random)].concat(),
        4 => [opening(), garbage(random)].concat(),
        _ => [opening(), (0..random.below(6)).flat_map(|_| any_request(random)).collect()].concat(),
    }
}

/// Connect to the server, send the bytes of a broken client and leave, in one of several ways.
fn visit(path: &Path, random: &mut Random) {
    let mut stream = Client::connect(path);
    // The server may have closed the connection already.
    let _ = stream.write_all(&broken(random));
    match random.below(3) {
        0 => {}
        1 => {
            let _ = stream.shutdown(Shutdown::Write);
            let _ = stream.read_to_end(&mut Vec::new());
        }
        _ => drop(stream.read(&mut [0; 100])),
    }
}

#[test]
fn broken_clients_cost_a_good_one_nothing() {
    let serving = Serving::start(QUICK);
    let path = serving.path();
    let mut verifier = Verifier::new(serving.client(), 0);
    let are_there = AtomicBool::new(true);
    std::thread::scope(|scope| {
        let visitors: Vec<_> = (0..2)
            .map(|seed| {
                let path = &path;
                scope.spawn(move || {
                    let mut random = Random(seed);
                    (0..cases() / 2).for_each(|_| visit(path, &mut random));
                })
            })
            .collect();
        let are_there = &are_there;
        let verifier = &mut verifier;
        scope.spawn(move || {
            while are_there.load(Ordering::Relaxed) {
                verifier.step();
            }
        });
        let ended: Vec<_> = visitors.into_iter().map(|visitor| visitor.join()).collect();
        are_there.store(false, Ordering::Relaxed);
        ended.into_iter().for_each(|ended| ended.unwrap());
    });
    verifier.step();
    let status = serving.wait_for(|status| status.clients == 1);
    assert_eq!(status.clients_ever, 1 + cases() / 2 * 2);
    Verifier::new(serving.client(), 1).step();
    assert!(serving.most_held() <= MOST_HELD);
    serving.end();
}

/// Check that a correct client is served while 20 other clients behave as `do_harm` determines. Afterwards 19
/// of them leave, and the correct client sends large requests.
fn are_outlasted(do_harm: impl Fn(&mut Client)) {
    let serving = Serving::start(QUICK);
    let mut verifier = Verifier::new(serving.client(), 0);
    let mut hogs: Vec<_> = (0..20).map(|_| serving.client()).collect();
    hogs.iter_mut().for_each(do_harm);
    (0..50).for_each(|_| verifier.step());
    assert_eq!(
        serving.wait_for(|_| true).clients,
        21,
        "the correct client sends only small requests, which need no shared space"
    );
    drop(hogs.split_off(1));
    let large = vec![8; 1 << 20];
    verifier.client.put(ELSEWHERE + (1 << 20), &large);
    assert!(verifier.client.find(ELSEWHERE + (1 << 20), 1 << 20) == large);
    verifier.step();
    assert!(serving.most_held() <= MOST_HELD, "{}", serving.most_held());
    serving.end();
}

#[test]
fn a_client_that_never_reads_does_not_block_others_for_ever() {
    are_outlasted(|hog| {
        for _ in 0..3 {
            hog.read(ELSEWHERE, MOST_PAYLOAD_BYTES);
        }
    });
}

#[test]
fn a_client_that_never_ends_a_write_does_not_block_others_for_ever() {
    are_outlasted(|hog| drop(hog.stream.write_all(&request(0, WRITE, 1, ELSEWHERE, MOST_PAYLOAD_BYTES))));
}

#[test]
fn what_those_have_left_who_have_gone_takes_room_until_it_is_done() {
    // No request finishes during the test.
    let serving = Serving::start(Setting { scale: "1000000", ..QUICK });
    let write = request(0, WRITE, 1, ELSEWHERE, 1 << 20);
    let all = [opening(), write, vec![2; 1 << 20]].concat();
    for _ in 0..40 {
        let mut client = Client::connect(&serving.path());
        client.set_write_timeout(Some(Duration::from_millis(300))).unwrap();
        // A client that finds no space loses patience and leaves, too.
        let _ = client.write_all(&all);
    }
    let waiting = serving.wait_for(|status| status.clients == 0).waiting;
    assert!((1..=36).contains(&waiting), "{waiting}");
    serving.break_it(2);
    serving.join();
}

#[test]
fn what_those_have_left_who_have_gone_is_bounded() {
    // A large request takes longer than a new connection.
    let serving = Serving::start(Setting { scale: "1/20", ..QUICK });
    let path = serving.path();
    for _ in 0..100 {
        let mut client = Client::connect(&path);
        let write = request(0, WRITE, 1, ELSEWHERE, 1 << 20);
        let all = [opening(), write, vec![2; 1 << 20]].concat();
        // The client is kept waiting only while there is no space.
        client.write_all(&all).unwrap();
    }
    let mut verifier = Verifier::new(serving.client(), 0);
    verifier.step();
    let status = serving.wait_for(|status| status.waiting == 0);
    assert_eq!(status.clients, 1);
    assert!(serving.most_held() <= MOST_HELD, "{}", serving.most_held());
    assert_eq!(verifier.client.find(ELSEWHERE, BLOCK), vec![2; BLOCK as usize]);
    serving.end();
}

#[test]
fn bytes_that_come_one_by_one_are_understood() {
    let serving = Serving::start(QUICK);
    let mut verifier = Verifier::new(serving.client(), 0);
    let mut slow = Client::connect(&serving.path());
    let all =
        [opening(), request(0, WRITE, 5, ELSEWHERE, 512), vec![6; 512], request(0, READ, 6, ELSEWHERE, 512)];
    for (at, byte) in all.concat().into_iter().enumerate() {
        slow.write_all(&[byte]).unwrap();
        if at % 50 == 0 {
            verifier.step();
        }
    }
    slow.shutdown(Shutdown::Write).unwrap();
    let mut said = Vec::new();
    slow.read_to_end(&mut said).unwrap();
    assert!(said.ends_with(&[6; 512]));
    assert_eq!(verifier.client.find(ELSEWHERE, 512), [6; 512]);
    serving.end();
}
