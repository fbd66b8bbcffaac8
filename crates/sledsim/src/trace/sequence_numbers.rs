//! Sequence numbers of events, which each CPU counts for each device: a jump means that events are missing.

use std::collections::HashMap;

/// Number of CPUs whose numbers are followed.
const CPUS_MAX: usize = 1 << 12;

/// The number of a device, as the format gives it.
type Device = (u32, u32);

/// The sequence numbers of a recording.
#[derive(Debug, Default)]
pub(super) struct Sequences {
    /// The device of the last event of each CPU, and the number that follows.
    next: Vec<(Device, u64)>,
    /// The numbers that follow for other devices.
    others: HashMap<(Device, usize), u64>,
    /// Number of events that follow the one before.
    steps: u64,
    jumps: u64,
    missing: u64,
}

impl Sequences {
    /// Adds the number of the next event.
    #[inline]
    pub fn add(&mut self, device: Device, cpu: usize, number: u64) {
        match self.next.get_mut(cpu) {
            Some((its, next)) if *its == device && *next == number => {
                *next += 1;
                self.steps += 1;
            }
            _ => self.other(device, cpu, number),
        }
    }

    /// Adds the number of a message, which counts only if it follows: some kernels do not number messages.
    pub fn add_message(&mut self, device: Device, cpu: usize, number: u64) {
        if self.next.get(cpu) == Some(&(device, number)) {
            self.add(device, cpu, number);
        }
    }

    #[cold]
    fn other(&mut self, device: Device, cpu: usize, number: u64) {
        let Some(after) = number.checked_add(1).filter(|_| cpu < CPUS_MAX) else { return };
        if cpu >= self.next.len() {
            self.next.resize(cpu + 1, (device, 0));
        }
        let (earlier, its) = std::mem::replace(&mut self.next[cpu], (device, after));
        let mut next = its;
        if earlier != device {
            self.others.insert((earlier, cpu), its);
            next = self.others.remove(&(device, cpu)).unwrap_or(0);
        }
        // Some tools count the events of all devices together.
        if number == next || number == its {
            self.steps += u64::from(number > 0);
        } else if next > 0 && number > next {
            self.jumps += 1;
            self.missing = self.missing.saturating_add(number - next);
        }
    }

    /// A doubt on the completeness of the recording; `None` if the numbers do not jump, or if they jump at least once
    /// in `usual` events that follow each other, because the recording was filtered.
    pub fn text(&self, usual: u64) -> Option<String> {
        let Self { steps, jumps, missing, .. } = self;
        let is_lost = *jumps > 0 && steps / usual >= *jumps;
        is_lost.then(|| {
            format!(
                "events are missing: sequence numbers jump over {missing} events (number of jumps: {jumps})"
            )
        })
    }
}
