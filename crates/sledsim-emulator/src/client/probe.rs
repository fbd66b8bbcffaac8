//! A client that reads now and then, and sees how long that takes.

use std::io;

use super::link::{Closer, Link};
use super::mix;
use crate::server::{Address, Peer};
use crate::timing::{Clock, Monotonic};

/// What it reads at once, in bytes; all of a smaller export.
pub const PROBE_BYTES: u64 = 4096;
/// How long it rests after an answer.
const REST_NS: u64 = 50_000_000;
/// After so many requests it rests twice as long, and again: what it has seen stays small, however long it runs.
const REQUESTS: usize = 1 << 14;

/// A client of one's own beside others.
pub struct Probe {
    link: Link,
    seed: u64,
}

impl Probe {
    /// Knocks at the door; the server need not serve yet.
    ///
    /// # Errors
    /// Those of the system.
    pub fn connect(address: &Address, seed: u64) -> io::Result<Self> {
        Ok(Self { link: Link::connect(address)?, seed })
    }

    /// Its name, as the server finds it.
    #[must_use]
    pub fn peer(&self) -> &Peer {
        self.link.peer()
    }

    /// What ends it.
    #[must_use]
    pub fn closer(&self) -> Closer {
        self.link.closer()
    }

    /// Reads at places that its seed says until the connection ends: how long each answer took that it has seen, in
    /// nanoseconds, in the order in which it asked.
    #[must_use]
    pub fn run(mut self) -> Vec<u64> {
        let mut seen_ns = Vec::new();
        // It ends with an error: nobody answers any more.
        let _ = self.go_on(&mut seen_ns);
        seen_ns
    }

    fn go_on(&mut self, seen_ns: &mut Vec<u64>) -> io::Result<()> {
        let size = self.link.open()?;
        let mut data = vec![0; PROBE_BYTES.min(size) as usize];
        let (clock, places) = (Monotonic::start(), size / data.len() as u64);
        while self.link.rests(REST_NS << (seen_ns.len() / REQUESTS).min(16)) {
            let place = mix(self.seed ^ mix(seen_ns.len() as u64)) % places;
            let asked_ns = clock.now_ns();
            // An answer that something was lost is one, too.
            self.link.read(place * data.len() as u64, &mut data)?;
            seen_ns.push(clock.now_ns() - asked_ns);
        }
        Ok(())
    }
}
