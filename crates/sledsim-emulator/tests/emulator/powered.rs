//! Devices whose power can fail, with a medium that outlives the emulator.

use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex};

use sledsim_emulator::emulator::{Answer, Contents, Durability, Emulator};
use sledsim_emulator::store::{Memory, Store, Unreadable};

use super::{simulation, SECTORS};

/// Contents that outlive the emulator.
#[derive(Clone)]
pub struct Shared(Arc<Mutex<Memory>>);

impl Store for Shared {
    fn bytes(&self) -> u64 {
        self.0.lock().unwrap().bytes()
    }

    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        self.0.lock().unwrap().read(offset, into)
    }

    fn write(&mut self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.0.lock().unwrap().write(offset, data)
    }

    fn zero(&mut self, offset: u64, bytes: u64) -> io::Result<()> {
        self.0.lock().unwrap().zero(offset, bytes)
    }

    fn next_data(&self, range: Range<u64>) -> io::Result<Option<Range<u64>>> {
        self.0.lock().unwrap().next_data(range)
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Shared {
    /// Create a medium with zeros, as large as the device under test.
    pub fn new() -> Self {
        Self::of(SECTORS * 512)
    }

    /// Create a medium with `bytes` zero bytes.
    pub fn of(bytes: u64) -> Self {
        Self(Arc::new(Mutex::new(Memory::new(bytes))))
    }

    /// Return the byte that fills the sector `sector`. Each write uses another byte, so the byte identifies the
    /// write.
    pub fn sector(&self, sector: u64) -> u8 {
        let mut bytes = [0; 512];
        self.read(sector * 512, &mut bytes).unwrap();
        assert!(bytes.iter().all(|byte| *byte == bytes[0]), "a sector is whole");
        bytes[0]
    }
}

/// Create an emulator of the device `target` whose power can fail; the file `list` lists its unreadable sectors.
pub fn device(
    target: &str,
    policy: &str,
    durability: Durability,
    lead_ns: u64,
    medium: &Shared,
    list: &Path,
) -> Emulator {
    let unreadable = Unreadable::load(list, SECTORS).unwrap();
    let contents = Contents::new(Box::new(medium.clone()), unreadable, durability).with_list(list.into());
    let mut emulator = Emulator::new(simulation(target, policy), contents, "1".parse().unwrap(), lead_ns);
    emulator.prepare_for_loss().unwrap();
    emulator
}

/// Advance the clock from `now_ns` to the next answer. Return the answer and its time.
pub fn next_and_when(emulator: &mut Emulator, mut now_ns: u64) -> (Answer, u64) {
    loop {
        now_ns = now_ns.max(emulator.wake_ns().unwrap());
        if let Some(answer) = emulator.next_answer(now_ns).unwrap() {
            return (answer, now_ns);
        }
    }
}

/// Advance the clock from event to event until the emulator has written the first part of a long write. Return
/// the clock time in ns.
pub fn begin_next(emulator: &mut Emulator, mut now_ns: u64) -> u64 {
    while emulator.wake_ns() != Some(0) {
        now_ns = now_ns.max(emulator.wake_ns().unwrap());
        assert_eq!(emulator.next_answer(now_ns).unwrap(), None);
    }
    now_ns
}
