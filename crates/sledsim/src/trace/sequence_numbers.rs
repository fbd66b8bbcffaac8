//! Sequence numbers of events, which each CPU counts for each device: a jump means that events are missing.

use std::collections::HashMap;

/// Number of CPUs whose numbers are followed.
const CPUS_MAX: usize = 1 << 12;

/// Number of lost events from which a completion may belong to another request: the completion of one that is open, and
/// the dispatch of the next at the same place.
const PAIR: u64 = 2;

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
    /// Number of events that follow each other for each jump in a recording that was not filtered.
    usual: u64,
}

impl Sequences {
    /// Numbers of a recording in which at least `usual` events follow each other for each jump; one with more jumps was
    /// filtered.
    pub fn new(usual: u64) -> Self {
        Self { usual, ..Self::default() }
    }

    /// Adds the number of the next event; returns true if at least `PAIR` events before it were lost.
    #[inline]
    pub fn add(&mut self, device: Device, cpu: usize, number: u64) -> bool {
        match self.next.get_mut(cpu) {
            Some((its, next)) if *its == device && *next == number => {
                *next += 1;
                self.steps += 1;
                false
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
    fn other(&mut self, device: Device, cpu: usize, number: u64) -> bool {
        let Some(after) = number.checked_add(1).filter(|_| cpu < CPUS_MAX) else { return false };
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
            return number - next >= PAIR && self.are_lost();
        }
        false
    }

    /// True if numbers jump as often as in a recording that was filtered.
    pub fn are_filtered(&self) -> bool {
        self.jumps > 0 && !self.are_lost()
    }

    /// True if numbers jump, and more rarely than in a recording that was filtered.
    fn are_lost(&self) -> bool {
        self.jumps > 0 && self.steps / self.usual.max(1) >= self.jumps
    }

    /// A doubt on the completeness of the recording; `None` if the numbers do not jump, or jump often, because the
    /// recording was filtered.
    pub fn text(&self) -> Option<String> {
        let Self { jumps, missing, .. } = self;
        self.are_lost().then(|| {
            format!(
                "events are missing: sequence numbers jump over {missing} events (number of jumps: {jumps})"
            )
        })
    }
}
