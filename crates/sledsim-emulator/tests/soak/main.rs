//! Check that a server needs no more memory after many requests than after few. The test measures the memory of
//! the whole process, so it runs in a process to itself.
//!
//! `SLEDSIM_SOAK_REQUESTS=10000000 cargo test -p sledsim-emulator --test soak` sends ten million requests.
#![cfg(target_os = "linux")]

#[path = "../server/client.rs"]
#[allow(dead_code)]
mod client;
#[path = "../server/serving.rs"]
#[allow(dead_code)]
mod serving;
#[path = "../nbd/wire.rs"]
#[allow(dead_code)]
mod wire;

use std::io::{BufReader, BufWriter, Read, Write};
use std::os::unix::net::UnixStream;

use client::{Client, BLOCK};
use serving::{Serving, Setting, QUICK};
use wire::{request, Random, READ, WRITE};

/// Number of requests in a normal run.
const REQUESTS: u64 = 100_000;
/// Number of blocks to which requests go; the first tenth of the requests writes every block.
const BLOCKS: usize = 1000;
/// Maximum growth of memory in KiB between the first tenth of the requests and the last request.
const MORE_KIB: u64 = 4 << 10;
/// Maximum growth of memory in KiB that clients can cause by not reading their answers.
const UNREAD_KIB: u64 = 64 << 10;

/// Return the current memory of this process in KiB.
fn memory_kib() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find(|line| line.starts_with("VmRSS")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Send `requests` requests as fast as the server accepts them. The lowest bit of a request's cookie is 1 for a
/// read.
fn send(stream: &UnixStream, requests: u64) {
    let (mut to, mut random) = (BufWriter::with_capacity(1 << 16, stream), Random(1));
    for number in 0..requests {
        let block = random.below(BLOCKS);
        let is_read = random.next() & 1;
        let command = if is_read == 1 { READ } else { WRITE };
        let offset = block as u64 * u64::from(BLOCK);
        to.write_all(&request(0, command, number << 1 | is_read, offset, BLOCK)).unwrap();
        if is_read == 0 {
            to.write_all(&[7; BLOCK as usize]).unwrap();
        }
    }
    to.flush().unwrap();
}

/// Receive the answers to `requests` requests. Return the memory of this process in KiB after a tenth of the
/// answers and after the last one.
fn take(stream: &UnixStream, requests: u64) -> [u64; 2] {
    let (mut from, mut after_a_tenth) = (BufReader::with_capacity(1 << 16, stream), 0);
    let mut data = [0; BLOCK as usize];
    for answered in 0..requests {
        if answered == requests / 10 {
            after_a_tenth = memory_kib();
        }
        let mut head = [0; 16];
        from.read_exact(&mut head).unwrap();
        assert_eq!(head[..8], [0x67, 0x44, 0x66, 0x98, 0, 0, 0, 0], "the request succeeded");
        if head[15] & 1 == 1 {
            from.read_exact(&mut data).unwrap();
            assert!(
                data == [7; BLOCK as usize] || data == [0; BLOCK as usize],
                "the block has the data of a single write"
            );
        }
    }
    [after_a_tenth, memory_kib()]
}

#[test]
fn memory_is_flat() {
    let requests = std::env::var("SLEDSIM_SOAK_REQUESTS").map_or(REQUESTS, |count| count.parse().unwrap());
    let serving = Serving::start(Setting { keeps_rows: false, ..QUICK });
    let stream = serving.client().stream;
    let [before, after] = std::thread::scope(|scope| {
        scope.spawn(|| send(&stream, requests));
        take(&stream, requests)
    });
    eprintln!("{before} KiB after {} requests, {after} KiB after {requests}", requests / 10);
    assert!(
        after <= before + MORE_KIB,
        "expected constant memory, found {before} KiB after a tenth of the requests, {after} KiB in the end"
    );

    let mut deaf: Vec<Client> = (0..20).map(|_| serving.client()).collect();
    deaf.iter_mut().for_each(|client| {
        for _ in 0..4 {
            client.read(0, 32 << 20);
        }
    });
    let mut other = serving.client();
    for block in 0..200 {
        other.find(block * u64::from(BLOCK), BLOCK);
    }
    let unread = memory_kib();
    assert!(
        unread <= after + UNREAD_KIB,
        "memory: {after} KiB before, {unread} KiB with clients that do not read their answers"
    );
    drop((deaf, other, stream));
    serving.break_it(2);
    serving.join();
}
