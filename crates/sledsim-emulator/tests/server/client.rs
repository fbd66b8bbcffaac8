//! Clients over a socket, which check the data that they read.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use crate::wire::{opening, request, Random, GREETING, READ, TRIM, WRITE};

/// Time limit for each wait of a client.
pub const PATIENCE: Duration = Duration::from_secs(60);
pub const BLOCK: u32 = 4096;

/// A client that has opened the export.
pub struct Client<S = UnixStream> {
    pub stream: S,
    next: u64,
}

impl Client {
    pub fn connect(path: &Path) -> UnixStream {
        let stream = UnixStream::connect(path).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    pub fn open(path: &Path) -> Self {
        Self::new(Self::connect(path))
    }

    pub fn sends_no_more(&self) {
        self.stream.shutdown(Shutdown::Write).unwrap();
    }
}

impl<S: Read + Write> Client<S> {
    pub fn new(mut stream: S) -> Self {
        stream.write_all(&opening()).unwrap();
        let mut greeting = [0; GREETING.len()];
        stream.read_exact(&mut greeting).unwrap();
        assert_eq!(&greeting, GREETING);
        loop {
            let mut head = [0; 20];
            stream.read_exact(&mut head).unwrap();
            let [kind, bytes] = [12, 16].map(|at| u32::from_be_bytes(head[at..at + 4].try_into().unwrap()));
            stream.read_exact(&mut vec![0; bytes as usize]).unwrap();
            if kind == 1 {
                return Self { stream, next: 0 };
            }
        }
    }

    /// Send a request. Return its number.
    pub fn send(&mut self, command: u16, offset: u64, bytes: u32, data: &[u8]) -> u64 {
        self.next += 1;
        let head = request(0, command, self.next, offset, bytes);
        self.stream.write_all(&[&head, data].concat()).unwrap();
        self.next
    }

    pub fn read(&mut self, offset: u64, bytes: u32) -> u64 {
        self.send(READ, offset, bytes, &[])
    }

    pub fn write(&mut self, offset: u64, data: &[u8]) -> u64 {
        self.send(WRITE, offset, data.len() as u32, data)
    }

    /// Wait for the next answer, which must have no data. Return the number of its request.
    pub fn done(&mut self) -> u64 {
        self.answer(&HashMap::new()).0
    }

    /// Wait for the next answer. Return the number of its request, and the data if the request is one of `reads`, which
    /// has the lengths of reads by number.
    pub fn answer(&mut self, reads: &HashMap<u64, u32>) -> (u64, Vec<u8>) {
        let mut head = [0; 16];
        self.stream.read_exact(&mut head).unwrap();
        assert_eq!(head[..8], [0x67, 0x44, 0x66, 0x98, 0, 0, 0, 0], "the request succeeded");
        let number = u64::from_be_bytes(head[8..].try_into().unwrap());
        let mut data = vec![0; reads.get(&number).copied().unwrap_or(0) as usize];
        self.stream.read_exact(&mut data).unwrap();
        (number, data)
    }

    /// Read from the export and wait for the data.
    pub fn find(&mut self, offset: u64, bytes: u32) -> Vec<u8> {
        let number = self.read(offset, bytes);
        let (answered, data) = self.answer(&HashMap::from([(number, bytes)]));
        assert_eq!(answered, number);
        data
    }

    /// Write to the export and wait for the answer.
    pub fn put(&mut self, offset: u64, data: &[u8]) {
        let number = self.write(offset, data);
        assert_eq!(self.done(), number);
    }

    /// Wait until the server has read everything that the client sent. The client sends a trim and waits for
    /// its answer: the server reads the trim last and answers it without delay.
    pub fn is_heard(&mut self) {
        let number = self.send(TRIM, 0, 512, &[]);
        assert_eq!(self.done(), number);
    }

    /// Wait until the first bytes of an answer have arrived, and leave the rest unread.
    pub fn is_begun(&mut self) {
        self.stream.read_exact(&mut [0; 16]).unwrap();
    }

    /// Check that the server sends nothing more and closes the connection.
    pub fn is_at_end(&mut self) {
        let read = self.stream.read(&mut [0]);
        assert_eq!(read.unwrap_or(0), 0);
    }
}

/// A client that reads and writes blocks in its own part of the export, with several requests outstanding, and
/// checks the data.
pub struct Verifier<S = UnixStream> {
    pub client: Client<S>,
    offset: u64,
    blocks: HashMap<u64, u8>,
    random: Random,
}

/// Number of blocks of the part of the export that a verifier uses.
const BLOCKS: usize = 256;

impl<S: Read + Write> Verifier<S> {
    /// Create a verifier that uses the part of the export with number `part`.
    pub fn new(client: Client<S>, part: u64) -> Self {
        let offset = part * BLOCKS as u64 * u64::from(BLOCK);
        Self { client, offset, blocks: HashMap::new(), random: Random(part) }
    }

    /// Send several requests to different blocks without waiting for answers, and then check the answers.
    pub fn step(&mut self) {
        let (first, count) = (self.random.below(BLOCKS), 1 + self.random.below(16));
        let (mut reads, mut expected) = (HashMap::new(), HashMap::new());
        for block in (first..first + count).map(|block| (block * 37 % BLOCKS) as u64) {
            let at = self.offset + block * u64::from(BLOCK);
            let value = self.random.next() as u8;
            if value.is_multiple_of(2) {
                let number = self.client.write(at, &[value; BLOCK as usize]);
                self.blocks.insert(block, value);
                expected.insert(number, Vec::new());
            } else {
                let number = self.client.read(at, BLOCK);
                reads.insert(number, BLOCK);
                let value = self.blocks.get(&block).copied().unwrap_or(0);
                expected.insert(number, vec![value; BLOCK as usize]);
            }
        }
        while !expected.is_empty() {
            let (number, data) = self.client.answer(&reads);
            assert_eq!(expected.remove(&number), Some(data), "{number}");
        }
    }
}
