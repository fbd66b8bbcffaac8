//! Measure the round-trip time of a socket, the lower bound of every latency that a client sees.

use sledsim::device::load;
use sledsim::record::{select, Record};
use sledsim::sched::Policy;
use sledsim::simulation::Simulation;
use sledsim::system::System;

use super::link::Link;
use super::mix;
use crate::emulator::{Contents, Durability, Emulator};
use crate::nbd::Export;
use crate::server::{Address, Realtime, ServeError, Server};
use crate::store::{Memory, Unreadable};
use crate::timing::{Clock, Monotonic};

/// Largest number of requests that the measurement sends; it sends fewer if its time limit is reached first.
pub const FLOOR_REQUESTS: usize = 200;
/// Number of requests that are sent before the measurement, because the first requests take longer.
const FIRST: usize = 20;
/// Pause in ns before each request. The server then sleeps between requests, as it does between those of real
/// clients.
const REST_NS: u64 = 500_000;
const REQUEST_BYTES: usize = 4096;
const EXPORT_BYTES: u64 = 64 << 20;
/// Time limit of the measurement in ns, for slow machines.
const LONGEST_NS: u64 = 1_000_000_000;
/// Time scale of the server: one millisecond of the simulated device takes one nanosecond of the clock.
const SCALE: &str = "1/1000000";

/// Measure response times, in ns, of a device that takes no time. A client sends reads of 4 KiB to a server
/// at an address of the same kind as `address`. The serving thread has the real-time priority that
/// `realtime` asks for, and busy-waits for `spin_ns` ns, as the real server does.
///
/// # Errors
/// I/O errors of the operating system. Another error is that real-time priority is required but not granted.
pub fn floor(address: &Address, realtime: Realtime, spin_ns: u64) -> Result<Vec<u64>, ServeError> {
    let mut server = Server::bind(address, export(), emulator()?, spin_ns)?;
    let mut link = Link::connect(server.address())?;
    std::thread::scope(|scope| {
        let serving = scope.spawn(move || {
            realtime.apply()?;
            server.run(true, &mut |_| std::ops::ControlFlow::Continue(()))
        });
        let trips = trips(&mut link);
        // The server ends when its last client disconnects.
        drop(link);
        serving.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        Ok(trips?)
    })
}

fn trips(link: &mut Link) -> std::io::Result<Vec<u64>> {
    let blocks = link.open()? / REQUEST_BYTES as u64;
    let (clock, mut data) = (Monotonic::start(), [0; REQUEST_BYTES]);
    let mut trips = Vec::with_capacity(FLOOR_REQUESTS);
    for number in 0..FIRST + FLOOR_REQUESTS {
        link.rests(REST_NS);
        let asked_ns = clock.now_ns();
        link.read(mix(number as u64) % blocks * REQUEST_BYTES as u64, &mut data)?;
        let seen_ns = clock.now_ns();
        trips.push(seen_ns - asked_ns);
        if seen_ns > LONGEST_NS {
            break;
        }
    }
    let first = FIRST.min(trips.len() / 2);
    Ok(trips.split_off(first))
}

fn export() -> Export {
    Export::new("", "a device that takes no time", EXPORT_BYTES).expect("it is an export")
}

fn emulator() -> Result<Emulator, ServeError> {
    let system = System::device(load("osdi00", Default::default())?, &Policy::parse("fcfs")?, None);
    let simulation = Simulation::new(&system, 1, Record::new(select("times")?, 0))?;
    let store = Box::new(Memory::new(EXPORT_BYTES));
    let contents = Contents::new(store, Unreadable::default(), Durability::WriteThrough);
    Ok(Emulator::new(simulation, contents, SCALE.parse().expect("it is a scale"), 0))
}
