//! Reference model of a sled and its bus, written from their definitions: slow and simple.

use std::ops::Range;

use sledsim::device::mems::Mems;
use sledsim::params::{AccessMode, CylinderSwitch, MemsParams, WriteStart};
use sledsim::record::Record;
use sledsim::time::Span;
use sledsim::trace::{Op, Trace};

/// A demand for the bus: the earliest time at which it can begin, and its duration. At equal times a read's row is
/// sorted before a write.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Demand {
    at_ns: i64,
    is_write: bool,
    request: usize,
    number: usize,
    lasts_ns: i64,
}

/// Intervals of the bus, one for each of the sorted demands: they do not overlap, none begins before the time of its
/// demand, and the bus does not idle while a demand waits.
fn intervals(demands: &[Demand]) -> Vec<(i64, i64)> {
    let mut free_ns = 0;
    let each = demands.iter().map(|demand| {
        let from_ns = demand.at_ns.max(free_ns);
        free_ns = from_ns + demand.lasts_ns;
        (from_ns, free_ns)
    });
    each.collect()
}

/// Blocks of a request that lie in one row: the blocks `first..end`, counted from the start of the request.
#[derive(Clone, Copy)]
struct Row {
    cylinder: u64,
    track: u64,
    row: u64,
    first: u64,
    end: u64,
}

/// A possible way to serve a request, given by the direction of each pass: the times of its motion, the time in which
/// each row begins after the start of the service (without holds), and the final position of the sled.
struct Way {
    moving_ns: i64,
    hold_ns: i64,
    first_y_ns: i64,
    rows: Vec<(i64, Row)>,
    end: (f64, f64, bool),
}

impl Way {
    /// Sort key of ways, least first. Among ways with equal total time, the reference prefers the one whose time in
    /// motion is `moving_ns`, the time that the tested run reports, so that both take the same way.
    fn cost(&self, moving_ns: i64) -> (i64, bool, i64) {
        (self.moving_ns + self.hold_ns, self.moving_ns != moving_ns, self.first_y_ns)
    }
}

/// Blocks of a write that pass under the tips together, in one row, and the times in ns between which they pass.
pub(crate) struct Passing {
    pub(crate) request: usize,
    pub(crate) blocks: Range<u64>,
    pub(crate) from_ns: i64,
    pub(crate) until_ns: i64,
}

struct Reference<'a> {
    mems: &'a Mems,
    params: &'a MemsParams,
    demands: Vec<Demand>,
    passing: Vec<Passing>,
    x_m: f64,
    y_m: f64,
    upwards: bool,
    free_ns: i64,
}

fn ns(s: f64) -> i64 {
    Span::from_s(s).0 as i64
}

impl Reference<'_> {
    fn transfer_ns(&self, blocks: u64) -> i64 {
        if self.params.bus_mb_per_s == 0.0 {
            return 0;
        }
        (blocks as f64 * 512.0 / self.params.bus_mb_per_s * 1e3).round() as i64
    }

    fn rows_ns(&self, rows: usize) -> i64 {
        let g = self.mems.geometry();
        let row_um = g.row_bits as f64 * g.bit_width_nm as f64 * 1e-3;
        (rows as f64 * row_um / self.params.access_velocity_mm_per_s * 1e6).round() as i64
    }

    /// Place in y, in metres, of the boundary of a row if the sled passes the row upwards or downwards.
    fn y_of(&self, boundary: u64, upwards: bool) -> f64 {
        let g = self.mems.geometry();
        let bits = g.row_bits_from_centre(boundary) + if upwards { 0 } else { g.servo_bits as i64 };
        bits as f64 * g.bit_width_nm as f64 * 1e-9
    }

    fn x_of(&self, cylinder: u64) -> f64 {
        let g = self.mems.geometry();
        g.x_bits(cylinder) as f64 * g.bit_width_nm as f64 * 1e-9
    }

    /// The rows of a request in the order of its blocks. If the first row holds more than `cut` blocks, it is split
    /// after `cut` blocks.
    fn rows(&self, lbn: u64, blocks: u64, cut: u64) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        for first in 0..blocks {
            let at = self.mems.locate(lbn + first).unwrap();
            let place = (u64::from(at.cylinder), u64::from(at.track), u64::from(at.row));
            let is_cut = rows.len() == 1 && first == cut;
            match rows.last_mut() {
                Some(row) if (row.cylinder, row.track, row.row) == place && !is_cut => row.end = first + 1,
                _ => {
                    let (cylinder, track, row) = place;
                    rows.push(Row { cylinder, track, row, first, end: first + 1 });
                }
            }
        }
        rows
    }

    /// Groups neighbouring rows of a track that the sled can pass in one sweep; rows on both sides of the cut stay
    /// separate.
    fn sweeps(rows: &[Row]) -> Vec<Vec<Row>> {
        let mut sweeps: Vec<Vec<Row>> = Vec::new();
        for (number, row) in rows.iter().enumerate() {
            let is_after_cut = number == 1 && rows[0].row == row.row && rows[0].track == row.track;
            let joins = |last: &Row| {
                (last.cylinder, last.track) == (row.cylinder, row.track) && last.row.abs_diff(row.row) == 1
            };
            match sweeps.last_mut() {
                Some(sweep) if joins(sweep.last().unwrap()) && !is_after_cut => sweep.push(*row),
                _ => sweeps.push(vec![*row]),
            }
        }
        sweeps
    }

    fn is_allowed(&self, row: &Row, single_row: bool, upwards: bool) -> bool {
        let number = match self.params.access_mode {
            AccessMode::Bidirectional => return true,
            AccessMode::Serpentine if single_row => return true,
            AccessMode::Serpentine => row.cylinder * self.mems.geometry().tracks_per_cylinder + row.track,
            AccessMode::Parity => row.cylinder,
            AccessMode::Unidirectional => 0,
        };
        upwards == number.is_multiple_of(2)
    }

    /// The quickest way through a request, over all directions of its sweeps. The data of a write cross the bus from
    /// `data_ns` on.
    fn best(&self, start_ns: i64, sweeps: &[Vec<Row>], data_ns: Option<i64>, moving_ns: i64) -> Way {
        let single_row = sweeps.len() == 1 && sweeps[0].len() == 1;
        let ways = (0..1_usize << sweeps.len()).filter_map(|choice| {
            let upwards = |at: usize| choice >> at & 1 == 0;
            let is_allowed =
                (0..sweeps.len()).all(|at| self.is_allowed(&sweeps[at][0], single_row, upwards(at)));
            is_allowed.then(|| self.way(start_ns, sweeps, &upwards, data_ns))
        });
        ways.min_by_key(|way| way.cost(moving_ns)).unwrap()
    }

    fn way(
        &self,
        start_ns: i64,
        sweeps: &[Vec<Row>],
        upwards: &dyn Fn(usize) -> bool,
        data_ns: Option<i64>,
    ) -> Way {
        let sign = |upwards: bool| if upwards { 1.0 } else { -1.0 };
        let end = (self.x_m, self.y_m, self.upwards);
        let mut way = Way { moving_ns: 0, hold_ns: 0, first_y_ns: 0, rows: Vec::new(), end };
        for (number, sweep) in sweeps.iter().enumerate() {
            let (x_m, y_m, before) = way.end;
            let up = upwards(number);
            let mut rows = sweep.clone();
            rows.sort_unstable_by_key(|row| row.row);
            let (low, high) = (rows[0].row, rows[rows.len() - 1].row + 1);
            let (begin, end) = if up { (low, high) } else { (high, low) };
            let is_neighbour = number > 0 && rows[0].cylinder.abs_diff(sweeps[number - 1][0].cylinder) == 1;
            let deflects = is_neighbour && self.params.cylinder_switch == CylinderSwitch::TipDeflection;
            let to_x_m = self.x_of(rows[0].cylinder);
            let x_ns = if deflects { 0 } else { ns(self.mems.seek_x_s(x_m, to_x_m)) };
            let y_ns = ns(self.mems.seek_y_s(y_m, sign(before), self.y_of(begin, up), sign(up)));
            if number == 0 {
                way.first_y_ns = y_ns;
            }
            way.moving_ns += x_ns.max(y_ns);
            if !up {
                rows.reverse();
            }
            for row in rows {
                let begins_ns = way.moving_ns + self.rows_ns(way.rows.len());
                let there_ns = data_ns.map_or(0, |data_ns| data_ns + self.transfer_ns(row.end) - start_ns);
                way.hold_ns = way.hold_ns.max(there_ns - begins_ns);
                way.rows.push((begins_ns, row));
            }
            way.end = (to_x_m, self.y_of(end, up), up);
        }
        way
    }

    /// Time in ns at which the data of a write begin to cross the bus, given all demands for the bus up to now.
    fn data_ns(&mut self, request: usize) -> i64 {
        self.demands.sort_unstable();
        let own =
            self.demands.iter().position(|demand| demand.is_write && demand.request == request).unwrap();
        intervals(&self.demands)[own].0
    }

    fn serve(&mut self, request: usize, trace: &Trace, ready_ns: i64, moving_ns: i64) -> i64 {
        let (lbn, blocks) = (trace.lbn[request] as u64, trace.blocks[request] as u64);
        let start_ns = self.free_ns.max(ready_ns);
        let is_write = trace.op[request] == Op::Write;
        let data_ns = is_write.then(|| self.data_ns(request));
        let there =
            |data_ns| (1..=blocks).take_while(|some| data_ns + self.transfer_ns(*some) <= start_ns).count();
        let cut = match data_ns {
            Some(data_ns) if self.params.write_start == WriteStart::AtDispatch => {
                (there(data_ns) as u64).max(1)
            }
            _ => 0,
        };
        let way = self.best(start_ns, &Self::sweeps(&self.rows(lbn, blocks, cut)), data_ns, moving_ns);
        self.free_ns = start_ns + way.moving_ns + way.hold_ns + self.rows_ns(way.rows.len());
        (self.x_m, self.y_m, self.upwards) = way.end;
        if !is_write {
            let mut crossed = 0;
            for (number, (begins_ns, row)) in way.rows.iter().enumerate() {
                let so_far = crossed + row.end - row.first;
                let lasts_ns = self.transfer_ns(so_far) - self.transfer_ns(crossed);
                let before_ns = begins_ns - self.rows_ns(number);
                let at_ns = start_ns + before_ns + self.rows_ns(number + 1);
                self.demands.push(Demand { at_ns, is_write, request, number, lasts_ns });
                crossed = so_far;
            }
        }
        if let Some(data_ns) = data_ns {
            self.note(request, lbn, start_ns, &way, data_ns);
        }
        self.free_ns
    }

    /// Notes the times at which the rows of a write pass. A device with a buffer waits before the first row; on others
    /// each row passes as soon as the sled is there and the row's data have crossed the bus.
    fn note(&mut self, request: usize, lbn: u64, start_ns: i64, way: &Way, data_ns: i64) {
        let mut hold_ns = if self.params.write_start == WriteStart::Buffered { way.hold_ns } else { 0 };
        for (number, (begins_ns, row)) in way.rows.iter().enumerate() {
            let there_ns = data_ns + self.transfer_ns(row.end) - start_ns;
            hold_ns = hold_ns.max(there_ns - begins_ns);
            let from_ns = start_ns + begins_ns + hold_ns;
            let until_ns = from_ns - self.rows_ns(number) + self.rows_ns(number + 1);
            let blocks = lbn + row.first..lbn + row.end;
            self.passing.push(Passing { request, blocks, from_ns, until_ns });
        }
    }
}

/// Completion times in ns of all requests of a trace, served in the order in which `record` served them, and the times
/// at which the rows of writes pass.
pub(crate) fn reference(params: &MemsParams, trace: &Trace, record: &Record) -> (Vec<i64>, Vec<Passing>) {
    let mems = Mems::new(params).unwrap();
    let g = *mems.geometry();
    let mut ready_ns: Vec<i64> = Vec::new();
    for arrival_ns in &trace.arrival_ns {
        let free_ns = ready_ns.last().copied().unwrap_or(0);
        ready_ns.push(free_ns.max(*arrival_ns) + ns(params.overhead_ms * 1e-3));
    }
    let free_ns = trace.arrival_ns[0];
    let (demands, passing) = (Vec::new(), Vec::new());
    let mut sled =
        Reference { mems: &mems, params, demands, passing, x_m: 0.0, y_m: 0.0, upwards: true, free_ns };
    (sled.x_m, sled.y_m) = (sled.x_of(g.cylinders / 2), sled.y_of(g.rows_per_track / 2, true));
    for request in (0..trace.arrival_ns.len()).filter(|at| trace.op[*at] == Op::Write) {
        let (at_ns, lasts_ns) = (ready_ns[request], sled.transfer_ns(trace.blocks[request] as u64));
        sled.demands.push(Demand { at_ns, is_write: true, request, number: 0, lasts_ns });
    }
    let mut done_ns = vec![0; trace.arrival_ns.len()];
    for request in served(record) {
        let moving_ns = record.positioning_ns[request] + record.switch_ns[request];
        done_ns[request] = sled.serve(request, trace, ready_ns[request], moving_ns);
    }
    sled.demands.sort_unstable();
    for (demand, (_, until_ns)) in sled.demands.iter().zip(intervals(&sled.demands)) {
        if !demand.is_write {
            done_ns[demand.request] = done_ns[demand.request].max(until_ns);
        }
    }
    (done_ns, sled.passing)
}

/// Numbers of the requests in the order of service.
fn served(record: &Record) -> Vec<usize> {
    let mut order: Vec<usize> = (0..record.start_ns.len()).collect();
    order.sort_by_key(|at| record.start_ns[*at]);
    order
}
