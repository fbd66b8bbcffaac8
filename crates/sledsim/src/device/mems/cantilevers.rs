//! Devices whose tips move on cantilevers over a fixed medium. Each group of tips that holds a block moves
//! independently (002-F1).

use super::access_plan::Plan;
use super::motion::{CostX, Direction, SledPlace};
use super::runs::Run;
use super::Mems;
use crate::device::{pass_on, Coordinates, Device, Extent, Passages, Service};
use crate::energy::{IdleTime, ServiceEnergy};
use crate::request::{Op, Request};
use crate::time::{Span, Time};

/// A device whose tips move on cantilevers over a fixed medium.
///
/// All tips of a block move together, as a group; other groups stay where they are. A row can be accessed
/// as soon as all of its groups are in place. The groups of later rows of a request move while earlier rows
/// are accessed.
#[derive(Clone)]
pub struct Cantilevers {
    /// Parameters, layout, motion and bus of the device, computed as for a device with fixed tips and a sled.
    common: Mems,
    /// State of each group of tips. The groups are ordered by track, and within a track by slot (place in the row).
    groups: Vec<Group>,
}

/// State of a group of tips, which holds one block of a row.
#[derive(Clone, Copy)]
struct Group {
    place: SledPlace,
    free_since: Time,
}

/// A row of a request, and the groups of tips that access it.
struct Part {
    row: Run,
    /// Range of indices of these groups in `Cantilevers::groups`.
    groups: std::ops::Range<usize>,
}

/// The planned access to a row.
#[derive(Clone, Copy)]
struct Access {
    ready: Time,
    direction: Direction,
    /// Place of the group that arrives last before it moves, and the time of its motion in x.
    from: SledPlace,
    x: CostX,
}

impl Cantilevers {
    /// Creates a device with all tips at the centre of their travel.
    #[must_use]
    pub fn new(common: Mems) -> Self {
        let count = common.geometry.tracks_per_cylinder * common.geometry.blocks_per_row;
        let group = Group { place: common.place, free_since: Time::ZERO };
        Self { groups: vec![group; count as usize], common }
    }

    /// Returns the rows of a request in the order of its blocks. A row that must be read before it is
    /// written appears twice.
    fn parts(&self, request: &Request) -> impl Iterator<Item = Part> + '_ {
        let request = *request;
        let (mut lbn, end) = (request.lbn, request.lbn + u64::from(request.blocks));
        let rows = std::iter::from_fn(move || {
            if lbn == end {
                return None;
            }
            let (at, to_row_end) = self.common.layout.locate_row(lbn);
            let blocks = to_row_end.min(end - lbn);
            let first = u64::from(at.track) * self.common.geometry.blocks_per_row + u64::from(at.slot);
            let merges = request.merges_in(lbn, blocks);
            lbn += blocks;
            let groups = first as usize..(first + blocks) as usize;
            Some((Run { merges, ..Run::of_row(at, blocks as u32, request.op) }, groups))
        });
        rows.flat_map(|(row, groups)| {
            let passes = row.before().into_iter().chain([row.after()]);
            passes.map(move |row| Part { row, groups: groups.clone() })
        })
    }

    /// Plans the access to the row of `part`, not before the time `free`. Of the allowed directions, the
    /// one is chosen in which the groups are ready first; upwards if they are ready at the same time.
    fn access(&self, now: Time, free: Time, part: &Part, groups: &[Group]) -> Access {
        let motion = &self.common.motion;
        let x_m = motion.cylinder_m(u64::from(part.row.cylinder));
        let reached = |direction| {
            let begin = part.row.sweep(direction).0;
            let each = groups[part.groups.clone()].iter().map(|group| {
                let x = motion.x(group.place.x_m, x_m, part.row.op);
                let total = x.total.max(motion.y_total(group.place.y, begin));
                Access { ready: group.free_since.max(now) + total, direction, from: group.place, x }
            });
            each.max_by_key(|access| access.ready).expect("a row of a request has a block")
        };
        let allowed = self.common.allowed(&part.row, true);
        let ways = allowed.iter().map(|direction| reached(*direction));
        ways.min_by_key(|access| access.ready.max(free)).expect("at least one direction is allowed")
    }

    /// Plans a request without serving it.
    pub(super) fn plan_now(&self, now: Time, request: &Request) -> Plan {
        self.plan(now, request, &mut self.groups.clone(), |_, _| ())
    }

    /// Plans a request, and sets `groups` to the places of the groups after it. For each row, calls `see`
    /// with the time at which its access would end if all data were available, and with its number of
    /// blocks.
    fn plan(
        &self,
        now: Time,
        request: &Request,
        groups: &mut [Group],
        mut see: impl FnMut(Time, u32),
    ) -> Plan {
        let row = self.common.motion.rows(1);
        let mut plan: Option<Plan> = None;
        let (mut free, mut blocks) = (now, 0);
        for part in self.parts(request) {
            let access = self.access(now, free, &part, groups);
            let start = access.ready.max(free);
            let (begin, end) = part.row.sweep(access.direction);
            let x_m = self.common.motion.cylinder_m(u64::from(part.row.cylinder));
            let place = SledPlace::at(x_m, end);
            blocks += u64::from(part.row.blocks);
            let is_before = part.row.op != request.op;
            // A read before a write needs no data.
            let late = if is_before { Span::ZERO } else { self.common.blocks_late(request, blocks, start) };
            match &mut plan {
                None => {
                    let (rows_before, positioning) = (u64::from(is_before), access.ready.since(now));
                    let row = Plan::of_row(access.from, access.x, positioning, (begin, place));
                    plan = Some(Plan { hold: late, rows_before, ..row });
                }
                Some(plan) => {
                    plan.switching += start.since(free);
                    plan.switches += u32::from(start > free);
                    plan.hold = plan.hold.max(late);
                    plan.rows += 1;
                    plan.rows_before += u64::from(is_before);
                }
            }
            free = start + row;
            see(free, part.row.blocks);
            groups[part.groups].fill(Group { place, free_since: free });
        }
        let plan = plan.expect("a request has a block");
        Plan { hold_before: plan.hold, ..plan }
    }
}

impl Device for Cantilevers {
    pass_on!(common: blocks, block_bytes, begin, coordinates, extent, accept, admit, go_on, complete, certain, location, idle_location, lower_ends, idle, counts);
    pass_on!(common: waited_for_bus);

    /// Time until the first row of `request` could be accessed. For a write, all rows are planned, because
    /// the wait for its data depends on all of them.
    fn positioning(&self, now: Time, request: &Request) -> Span {
        if request.op == Op::Write {
            let plan = self.plan_now(now, request);
            return plan.positioning + plan.hold_before;
        }
        let first = self.parts(request).next().expect("a request has a block");
        self.access(now, now, &first, &self.groups).ready.since(now)
    }

    fn access(&self, now: Time, request: &Request) -> Span {
        self.common.until_done(&self.plan_now(now, request))
    }

    /// Distance in metres of the longest way that a group of tips moves to the first row of `request`, in
    /// the direction of access for which this way is shorter.
    fn distance_m(&self, _now: Time, request: &Request) -> f64 {
        let motion = &self.common.motion;
        let part = self.parts(request).next().expect("a request has a block");
        let x_m = motion.cylinder_m(u64::from(part.row.cylinder));
        let farthest = |direction| {
            let y_m = motion.boundary_m(part.row.sweep(direction).0);
            let each = self.groups[part.groups.clone()].iter().map(|group| {
                let (along_x, along_y) = (x_m - group.place.x_m, y_m - motion.y_m(group.place.y));
                (along_x * along_x + along_y * along_y).sqrt()
            });
            each.fold(0.0, f64::max)
        };
        Direction::BOTH.map(farthest).into_iter().fold(f64::INFINITY, f64::min)
    }

    fn serve(&mut self, now: Time, request: &Request) -> Service {
        // All groups are free by the time of the next request, so the wait for the bus is not added
        // to their times.
        let (mut groups, mut rows) = (std::mem::take(&mut self.groups), Vec::new());
        let plan = self.plan(now, request, &mut groups, |passed, blocks| rows.push((passed, blocks)));
        self.groups = groups;
        if request.op == Op::Read && !request.is_internal {
            rows.into_iter().for_each(|(read, blocks)| self.common.interface.demand(read, blocks));
        }
        self.common.serve_as(now, request, &plan)
    }

    fn serve_noting(&mut self, now: Time, request: &Request, passages: &mut Passages) -> Service {
        if request.op == Op::Read {
            return self.serve(now, request);
        }
        let (mut groups, mut rows) = (std::mem::take(&mut self.groups), Vec::new());
        let plan = self.plan(now, request, &mut groups, |passed, blocks| rows.push((passed, blocks)));
        self.groups = groups;
        let (row, mut lbn) = (self.common.motion.rows(1), request.lbn);
        for (passed, blocks) in rows {
            // A write waits for all of its data before its first row. A row that is only read
            // contains no blocks of the write.
            let (until, end) = (passed + plan.hold, lbn + u64::from(blocks));
            passages.note(lbn..end, Time(until.0 - row.0), until);
            lbn = end;
        }
        self.common.serve_as(now, request, &plan)
    }
}
