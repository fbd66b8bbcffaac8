//! Statistics of each device, counted separately as far as the memory limit allows.

use std::cmp::Reverse;

use super::arrivals::Arrivals;
use super::device_figures::{DeviceFigures, Figures, OtherFigures, Sums};
use super::footprint::{Blocks, Footprint};
use super::options::StatisticsOptions;
use super::sequentiality::Tail;
use crate::hashing::ByNumbers;
use crate::trace::TraceRow;

/// Number of requests of a device that are stored before they are counted, so that devices with few
/// requests need little memory.
const ROWS_FEW: usize = 16;

/// The devices of a trace, in order of first request.
///
/// Each device has its own counts until all counts together exceed the memory limit. Then the counts of the
/// devices with the fewest requests so far are merged, and stay merged.
#[derive(Debug)]
pub(super) struct Devices {
    options: StatisticsOptions,
    all: Vec<Device>,
    /// Index of each device in `all`, by the device's number.
    numbers: ByNumbers<i32, u32>,
    /// Common counts of the merged devices; the current run of sequential requests of each device
    /// is not included yet.
    others: Sums,
    joined: usize,
    /// Memory in bytes of the devices that are not merged; computed only when the trace has more
    /// devices than may appear separately in the result.
    bytes: usize,
}

#[derive(Debug)]
struct Device {
    device: i32,
    /// Number of requests of the device, of any operation.
    requests: u64,
    footprint: Footprint,
    counted: Counted,
}

/// State of the counts of a device, without its distinct blocks.
#[derive(Debug)]
enum Counted {
    Alone(Box<Alone>),
    /// The stored requests, while the device has few of them.
    Few(Vec<TraceRow>),
    /// The device is merged with others; the field holds the state with which its next request is
    /// compared.
    Joined(Tail),
}

#[derive(Debug)]
struct Alone {
    sums: Sums,
    arrivals: Arrivals,
    /// Memory in bytes of the stored requests or of the counts.
    bytes: usize,
}

/// Statistics of all devices, ready for the result.
pub(super) struct Summed {
    pub sums: Sums,
    pub footprint: Footprint,
    pub devices: Vec<DeviceFigures>,
    pub others: Option<OtherFigures>,
}

impl Devices {
    /// Returns counts without any device.
    pub fn new(options: StatisticsOptions) -> Self {
        let others = Sums::new(options.interleave_sectors);
        Self { options, all: Vec::new(), numbers: ByNumbers::default(), others, joined: 0, bytes: 0 }
    }

    /// The arrivals at the device, if the trace has only one; `None` if it has several.
    pub fn only(&self) -> Option<&Arrivals> {
        match &self.all[..] {
            [Device { counted: Counted::Alone(only), .. }] => Some(&only.arrivals),
            _ => None,
        }
    }

    /// The index of the device with the number `device`; `None` if the device is new.
    pub fn number(&self, device: i32) -> Option<u32> {
        self.numbers.get(&device).copied()
    }

    /// Adds the device with the number `device`, and returns its index.
    pub fn make(&mut self, device: i32) -> u32 {
        let number = self.all.len() as u32;
        let counted = if self.all.len() < self.most() {
            Counted::Alone(Box::new(Alone::new(self.options.interleave_sectors)))
        } else {
            Counted::Few(Vec::new())
        };
        self.all.push(Device { device, requests: 0, footprint: Footprint::default(), counted });
        self.numbers.insert(device, number);
        if self.all.len() == self.most() + 1 {
            self.bytes = self.all.iter_mut().map(|device| device.counted.grown()).sum();
        }
        number
    }

    /// Largest number of devices that appear separately in the result; at least 1.
    fn most(&self) -> usize {
        self.options.devices_most.max(1) as usize
    }

    /// Counts a request of the device with the index `number`, except for the distinct blocks that
    /// it touches.
    #[inline]
    pub fn count(&mut self, row: &TraceRow, number: usize) {
        let is_crowded = self.all.len() > self.most();
        let device = &mut self.all[number];
        device.requests += 1;
        match &mut device.counted {
            Counted::Alone(alone) if !is_crowded => alone.add(row),
            _ => self.count_in_crowd(row, number),
        }
    }

    fn count_in_crowd(&mut self, row: &TraceRow, number: usize) {
        let counted = &mut self.all[number].counted;
        match counted {
            Counted::Joined(tail) => return self.others.add_of(&[*row], tail),
            Counted::Alone(alone) => alone.add(row),
            Counted::Few(rows) if rows.len() < ROWS_FEW => {
                rows.reserve_exact(1);
                rows.push(*row);
                self.bytes += size_of::<TraceRow>();
            }
            Counted::Few(rows) => {
                self.bytes -= size_of_val(&rows[..]);
                rows.push(*row);
                *counted = Counted::Alone(Box::new(Alone::of(rows, self.options.interleave_sectors)));
            }
        }
        self.bytes += counted.grown();
        if self.bytes as u64 > self.options.device_bytes && self.all.len() - self.joined > self.most() {
            self.make_room();
        }
    }

    /// Merges devices until a quarter of the memory is free. Devices with the fewest requests are
    /// merged first; among devices with equal numbers of requests, those that came last.
    #[cold]
    fn make_room(&mut self) {
        let mut kept = self.most_frequent();
        while self.bytes as u64 > self.options.device_bytes / 4 * 3 && kept.len() > self.most() {
            let Some(number) = kept.pop() else { return };
            let counted = &mut self.all[number].counted;
            let mut tail = Tail::default();
            match counted {
                Counted::Alone(alone) => {
                    tail = alone.sums.take_tail();
                    self.others.merge(&alone.sums);
                    self.bytes -= alone.bytes;
                }
                Counted::Few(rows) => {
                    self.others.add_of(rows, &mut tail);
                    self.bytes -= size_of_val(&rows[..]);
                }
                Counted::Joined(_) => {}
            }
            *counted = Counted::Joined(tail);
            self.joined += 1;
        }
    }

    /// Indices of the devices that are not merged, most requests first; among devices with equal
    /// numbers of requests, those that came first.
    fn most_frequent(&self) -> Vec<usize> {
        let is_kept = |number: &usize| !matches!(self.all[*number].counted, Counted::Joined(_));
        let mut kept: Vec<usize> = (0..self.all.len()).filter(is_kept).collect();
        kept.sort_unstable_by_key(|number| (Reverse(self.all[*number].requests), *number));
        kept
    }

    /// Marks the blocks that a request touches on the device with the index `number`.
    #[inline]
    pub fn mark(&mut self, row: &TraceRow, number: u32, blocks: &mut Blocks) {
        blocks.add_row(&mut self.all[number as usize].footprint, number, row);
    }

    /// Returns statistics of all devices together, of each of the devices with most requests, and of all
    /// other devices together.
    pub fn summed(&self) -> Summed {
        let most_frequent = self.most_frequent();
        let (shown, rest) = most_frequent.split_at(most_frequent.len().min(self.most()));
        let mut sums = Sums::new(self.options.interleave_sectors);
        let mut footprint = Footprint::default();
        let mut devices: Vec<DeviceFigures> = Vec::with_capacity(shown.len());
        for number in shown {
            let device = &self.all[*number];
            footprint.merge(&device.footprint);
            let mut show = |alone: &Alone| {
                sums.merge(&alone.sums);
                devices
                    .push(DeviceFigures { device: device.device, figures: alone.figures(&device.footprint) });
            };
            match &device.counted {
                Counted::Alone(alone) => show(alone),
                Counted::Few(rows) => show(&Alone::of(rows, self.options.interleave_sectors)),
                Counted::Joined(_) => {}
            }
        }
        devices.sort_by_key(|device| device.device);
        let mut summed = Summed { sums, footprint, devices, others: None };
        if shown.len() < self.all.len() {
            self.add_others(&mut summed, rest);
        }
        summed
    }

    /// Adds common statistics of the merged devices and of the devices `rest`, which are too many
    /// to appear separately.
    fn add_others(&self, summed: &mut Summed, rest: &[usize]) {
        let mut others = self.others.clone();
        let mut footprint = Footprint::default();
        let joined = (0..self.all.len()).filter(|at| matches!(self.all[*at].counted, Counted::Joined(_)));
        for number in joined.chain(rest.iter().copied()) {
            let device = &self.all[number];
            footprint.merge(&device.footprint);
            match &device.counted {
                Counted::Alone(alone) => others.merge(&alone.sums),
                Counted::Few(rows) => {
                    let mut tail = Tail::default();
                    others.add_of(rows, &mut tail);
                    others.end_run(&tail);
                }
                Counted::Joined(tail) => others.end_run(tail),
            }
        }
        summed.sums.merge(&others);
        summed.footprint.merge(&footprint);
        let figures = others.figures(&footprint, &Arrivals::default());
        let devices = (self.all.len() - summed.devices.len()) as u64;
        summed.others = Some(OtherFigures { devices, figures });
    }
}

impl Counted {
    /// Updates the memory of this device, and returns the number of bytes by which it has grown
    /// since the last call.
    fn grown(&mut self) -> usize {
        match self {
            Counted::Alone(alone) => {
                let before = alone.bytes;
                alone.bytes = size_of::<Alone>() + alone.sums.bytes() + alone.arrivals.bytes();
                alone.bytes - before
            }
            Counted::Few(_) | Counted::Joined(_) => 0,
        }
    }
}

impl Alone {
    fn new(interleave_sectors: u32) -> Self {
        Self { sums: Sums::new(interleave_sectors), arrivals: Arrivals::default(), bytes: 0 }
    }

    /// Counts the requests `rows` of one device; `interleave_sectors` is the gap after which a
    /// request counts as logically sequential.
    fn of(rows: &[TraceRow], interleave_sectors: u32) -> Self {
        let mut alone = Self::new(interleave_sectors);
        rows.iter().for_each(|row| alone.add(row));
        alone
    }

    #[inline]
    fn add(&mut self, row: &TraceRow) {
        self.sums.add(row);
        self.arrivals.add(row);
    }

    fn figures(&self, footprint: &Footprint) -> Figures {
        self.sums.figures(footprint, &self.arrivals)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Memory in bytes of a device that is not merged.
    fn bytes(device: &Device) -> usize {
        match &device.counted {
            Counted::Alone(alone) => size_of::<Alone>() + alone.sums.bytes() + alone.arrivals.bytes(),
            Counted::Few(rows) => size_of_val(&rows[..]),
            Counted::Joined(_) => 0,
        }
    }

    /// Checks that the counted memory equals the memory in use after every request: for devices
    /// with stored requests, with counts, and merged ones.
    #[test]
    fn memory_is_that_of_what_is_kept() {
        for device_bytes in [u64::MAX, 100_000, 0] {
            let mut all =
                Devices::new(StatisticsOptions { devices_most: 2, device_bytes, ..Default::default() });
            let mut most = 0;
            for at in 0..1000 {
                let device = at * at % 23;
                let number = all.number(device).unwrap_or_else(|| all.make(device));
                let row = TraceRow { arrival_ns: i64::from(at), blocks: 8, device, ..TraceRow::default() };
                all.count(&row, number as usize);
                if all.all.len() > 2 {
                    assert_eq!(all.bytes, all.all.iter().map(bytes).sum::<usize>(), "request {at}");
                }
                most = most.max(all.all.iter().filter(|one| one.requests > ROWS_FEW as u64).count());
            }
            assert!(most > 10, "{most} devices have had more than a few requests");
        }
    }
}
