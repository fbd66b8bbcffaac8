//! The latency probe: a client that reads a block from time to time and measures the latency.

use std::io;

use super::link::{Closer, Link};
use super::mix;
use crate::server::{Address, Peer};
use crate::timing::{Clock, Monotonic};

/// Number of bytes of each read, if the export is not smaller.
pub const PROBE_BYTES: u64 = 4096;
/// Pause in ns after each reply.
const REST_NS: u64 = 50_000_000;
/// Number of requests after which the pause is doubled and the count begins again. The list of latencies thus
/// stays short in long runs.
const REQUESTS: usize = 1 << 14;

/// A client that measures latencies while other clients use the server.
pub struct Probe {
    link: Link,
    seed: u64,
}

impl Probe {
    /// Connect to the server at `address`, which need not serve requests yet. `seed` determines the places
    /// of the reads.
    ///
    /// # Errors
    /// I/O errors of the operating system.
    pub fn connect(address: &Address, seed: u64) -> io::Result<Self> {
        Ok(Self { link: Link::connect(address)?, seed })
    }

    /// Name by which the server knows the probe.
    #[must_use]
    pub fn peer(&self) -> &Peer {
        self.link.peer()
    }

    /// Return a handle that ends the connection of the probe.
    #[must_use]
    pub fn closer(&self) -> Closer {
        self.link.closer()
    }

    /// Read at random offsets until the connection ends. Return the latency in ns of each answered read, in the
    /// order of the reads.
    #[must_use]
    pub fn run(mut self) -> Vec<u64> {
        let mut seen_ns = Vec::new();
        // The probe always ends with an error, when the server closes the connection.
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
            // A read that fails because a sector is unreadable is an answer, too.
            self.link.read(place * data.len() as u64, &mut data)?;
            seen_ns.push(clock.now_ns() - asked_ns);
        }
        Ok(())
    }
}
