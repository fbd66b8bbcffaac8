//! The wrapper `priority`: requests of one kind are served before all others.

use super::{OptionRow, Options, Scheduler, WrapperRow};
use crate::device::Device;
use crate::error::Result;
use crate::request::{Op, Request};
use crate::time::Time;

const OPTIONS: &[OptionRow] = &[OptionRow::one_of(
    "first",
    &["reads", "writes", "metadata"],
    "kind of requests that are served before all others",
)];

/// Entry of the wrapper `priority` in the table of wrappers.
pub(super) const ROW: WrapperRow = WrapperRow::new(
    "priority",
    "requests of one kind are served before all others; the policy chooses among the requests of a kind",
    |options, inner| Ok(Box::new(Priority::new(options, inner)?)),
)
.options(&[OPTIONS]);

/// The kind of requests that are served first.
#[derive(Clone, Copy, Debug)]
enum First {
    Reads,
    Writes,
    Metadata,
}

/// Serves requests of one kind before all others; among the requests of a kind, the policy chooses. Each kind has its
/// own queue with the policy, and each queue is informed when the device serves a request of the other kind.
#[derive(Clone)]
pub struct Priority {
    first: First,
    /// The queue of the requests that are served first, and the queue of all other requests.
    queues: [Box<dyn Scheduler>; 2],
}

impl Priority {
    pub(super) fn new(options: &Options, inner: &dyn Fn() -> Result<Box<dyn Scheduler>>) -> Result<Self> {
        let kinds = [First::Reads, First::Writes, First::Metadata];
        Ok(Self { first: options.one_of("first", &kinds)?, queues: [inner()?, inner()?] })
    }

    /// The queue that holds requests of this kind, and then the queue of the other kind.
    fn queues(&mut self, request: &Request) -> [&mut Box<dyn Scheduler>; 2] {
        let goes_first = match self.first {
            First::Reads => request.op == Op::Read,
            First::Writes => request.op == Op::Write,
            First::Metadata => request.metadata,
        };
        let [first, others] = &mut self.queues;
        if goes_first {
            [first, others]
        } else {
            [others, first]
        }
    }
}

impl Scheduler for Priority {
    fn push(&mut self, request: Request, device: &dyn Device) {
        self.queues(&request)[0].push(request, device);
    }

    fn choose(&self, now: Time, device: &dyn Device) -> Option<Request> {
        let [first, others] = &self.queues;
        first.choose(now, device).or_else(|| others.choose(now, device))
    }

    fn take(&mut self, request: &Request, device: &dyn Device) {
        let [own, other] = self.queues(request);
        own.take(request, device);
        other.served(request, device);
    }

    fn served(&mut self, request: &Request, device: &dyn Device) {
        self.queues.iter_mut().for_each(|queue| queue.served(request, device));
    }

    fn len(&self) -> usize {
        self.queues.iter().map(|queue| queue.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{build, load};
    use crate::sched::Policy;

    /// Checks that both queues measure distances from a request that the device served from a third queue, that of
    /// background requests.
    #[test]
    fn both_kinds_learn_what_others_serve() {
        let params = load("osdi00", toml::Table::new()).unwrap().into_parameters();
        let device = &*build(&params, 1).unwrap().remove(0);
        for (first, op) in
            [("reads", Op::Read), ("reads", Op::Write), ("writes", Op::Read), ("writes", Op::Write)]
        {
            let text = format!("sstf_lbn+priority:first={first}");
            let mut queue = Policy::parse(&text).and_then(|policy| policy.build(device)).unwrap();
            queue.served(&Request::new(0, 1_000_000, 8, Op::Write), device);
            queue.push(Request::new(1, 100, 8, op), device);
            queue.push(Request::new(2, 900_000, 8, op), device);
            let order = [(); 2].map(|()| queue.pop(Time::ZERO, device).map(|request| request.row));
            assert_eq!(order, [Some(2), Some(1)], "{text}, {op:?}");
        }
    }
}
