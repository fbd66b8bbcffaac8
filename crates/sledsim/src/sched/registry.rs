//! The tables of policies and of wrappers, and the policies that a user adds while the program runs.

use super::aged::Aged;
use super::clook::Clook;
use super::deadline::Deadline;
use super::fcfs::Fcfs;
use super::look::Look;
use super::priority::Priority;
use super::pyramid::{self, Pyramid};
use super::satf::Satf;
use super::sdf::Sdf;
use super::soonest::{Soonest, SEARCH};
use super::sorted::Line;
use super::sptf::Sptf;
use super::sptf_driver::SptfDriver;
use super::sstf::Sstf;
use super::vscan::Vscan;
use super::wptf::Weighted;
use super::zones::{self, Zoned};
use super::{OptionRow, Options, Scheduler};
use crate::device::Device;
use crate::error::{normalise, Error, Result};
use crate::registry::{Registry, Row};

/// Makes an empty queue in front of a device.
pub type BuildScheduler = dyn Fn(&Options, &dyn Device) -> Result<Box<dyn Scheduler>> + Send + Sync;

/// Makes an empty queue around those that the function makes.
type BuildWrapper = fn(&Options, &dyn Fn() -> Result<Box<dyn Scheduler>>) -> Result<Box<dyn Scheduler>>;

/// One policy.
#[derive(Clone, Copy)]
pub struct SchedulerRow {
    /// The name that users give.
    pub name: &'static str,
    /// What it does and where it comes from.
    pub description: &'static str,
    /// Its options.
    pub options: &'static [OptionRow],
    /// Makes an empty queue, or says which option cannot be.
    pub build: &'static BuildScheduler,
}

/// One wrapper around any policy: `sptf+deadline:after_ms=50`.
#[derive(Clone, Copy)]
pub struct WrapperRow {
    /// The name that users give.
    pub name: &'static str,
    /// What it does.
    pub description: &'static str,
    /// Its options.
    pub options: &'static [OptionRow],
    /// Makes an empty queue around others, or says which option cannot be.
    pub build: BuildWrapper,
}

const REVERSAL: &[OptionRow] = &[OptionRow {
    name: "reversal",
    unit: "",
    default: "0.2",
    description: "what turning round counts for, as a part of the whole length: 0 is SSTF, 1 is LOOK",
}];

/// The weight that 000 chose.
const WEIGHT: &[OptionRow] = &[
    OptionRow {
        name: "weight",
        unit: "",
        default: "5",
        description: "thousandths of the time waited that count against the time to be taken (w of 000 Eq 7)",
    },
    SEARCH,
];

const LIMIT: &[OptionRow] = &[
    OptionRow {
        name: "limit_ms",
        unit: "ms",
        default: "1000",
        description: "the longest time that a request should wait, in ms",
    },
    SEARCH,
];

/// Every built-in policy: one file and one row here, or one row for each line along which it reckons.
const SCHEDULERS: &[SchedulerRow] = &[
    SchedulerRow {
        name: "fcfs",
        description: "first come, first served",
        options: &[],
        build: &|_, _| Ok(Box::new(Fcfs::default())),
    },
    SchedulerRow {
        name: "sstf_lbn",
        description: "shortest seek time first, judged by the distance in LBN (001-F13)",
        options: &[],
        build: &|_, _| Ok(Box::new(Sstf::new(Line::Lbn))),
    },
    SchedulerRow {
        name: "sstf_track",
        description: "shortest seek time first, judged by the distance in tracks (000-F16)",
        options: &[],
        build: &|_, _| Ok(Box::new(Sstf::new(Line::Track))),
    },
    SchedulerRow {
        name: "sstf_cyl",
        description: "shortest seek time first, judged by the distance in cylinders",
        options: &[],
        build: &|_, _| Ok(Box::new(Sstf::new(Line::Cylinder))),
    },
    SchedulerRow {
        name: "look_lbn",
        description: "look: ascending LBN as far as there are requests, then descending",
        options: &[],
        build: &|_, _| Ok(Box::new(Look::new(Line::Lbn))),
    },
    SchedulerRow {
        name: "look_cyl",
        description: "look by cylinder",
        options: &[],
        build: &|_, _| Ok(Box::new(Look::new(Line::Cylinder))),
    },
    SchedulerRow {
        name: "clook_lbn",
        description: "cyclical look: ascending LBN, then from the lowest again (001-F13)",
        options: &[],
        build: &|_, _| Ok(Box::new(Clook::new(Line::Lbn))),
    },
    SchedulerRow {
        name: "clook_cyl",
        description: "cyclical look by cylinder",
        options: &[],
        build: &|_, _| Ok(Box::new(Clook::new(Line::Cylinder))),
    },
    SchedulerRow {
        name: "cscan",
        description:
            "C-SCAN as 000 has it: no sled sweeps to an edge, so it decides as clook_lbn (000-F16, D8)",
        options: &[],
        build: &|_, _| Ok(Box::new(Clook::new(Line::Lbn))),
    },
    SchedulerRow {
        name: "vscan_lbn",
        description: "VSCAN(R): nearest LBN, where turning round counts as a part of the whole length",
        options: REVERSAL,
        build: &|options, device| Ok(Box::new(Vscan::new(Line::Lbn, options, device)?)),
    },
    SchedulerRow {
        name: "vscan_cyl",
        description: "VSCAN(R) by cylinder",
        options: REVERSAL,
        build: &|options, device| Ok(Box::new(Vscan::new(Line::Cylinder, options, device)?)),
    },
    SchedulerRow {
        name: "sdf",
        description:
            "shortest distance first, in a straight line to the nearer end of the first row, to compare with",
        options: &[],
        build: &|_, _| Ok(Box::new(Sdf::default())),
    },
    SchedulerRow {
        name: "sptf",
        description: "shortest positioning time first, exact (001-F13, 000-F16)",
        options: &[SEARCH],
        build: &|options, device| Ok(Box::new(Soonest::anywhere(Sptf {}, options, device)?)),
    },
    SchedulerRow {
        name: "sptf_driver",
        description:
            "SPTF by a driver that knows arm and rotation of a disk, but neither overheads nor its cache",
        options: &[SEARCH],
        build: &|options, device| Ok(Box::new(Soonest::anywhere(SptfDriver, options, device)?)),
    },
    SchedulerRow {
        name: "satf",
        description: "shortest access time first: positioning and transfer, exact",
        options: &[SEARCH],
        build: &|options, device| Ok(Box::new(Soonest::anywhere(Satf {}, options, device)?)),
    },
    SchedulerRow {
        name: "asptf",
        description: "aged SPTF: less a part of the time waited (000-F16, Eq 7)",
        options: WEIGHT,
        build: &|options, device| {
            Ok(Box::new(Soonest::anywhere(Aged::<false>::new(options)?, options, device)?))
        },
    },
    SchedulerRow {
        name: "asatf",
        description: "aged SATF: less a part of the time waited",
        options: WEIGHT,
        build: &|options, device| {
            Ok(Box::new(Soonest::anywhere(Aged::<true>::new(options)?, options, device)?))
        },
    },
    SchedulerRow {
        name: "wptf",
        description: "weighted SPTF: times the part that is left of the longest time to wait",
        options: LIMIT,
        build: &|options, device| Ok(Box::new(Soonest::anywhere(Weighted::new(options)?, options, device)?)),
    },
    SchedulerRow {
        name: "zfcfs",
        description: "zone by zone, first come first served in each (000-F12)",
        options: zones::FCFS_OPTIONS,
        build: &|options, device| Ok(Box::new(Zoned::fcfs(options, device)?)),
    },
    SchedulerRow {
        name: "zsptf",
        description: "zone by zone, shortest positioning time first in each (000-F10)",
        options: zones::SPTF_OPTIONS,
        build: &|options, device| Ok(Box::new(Zoned::sptf(options, device)?)),
    },
    SchedulerRow {
        name: "ztsptf",
        description: "as zsptf, but a visit serves only what waited when it began (000-F11)",
        options: zones::SPTF_OPTIONS,
        build: &|options, device| Ok(Box::new(Zoned::arrived(options, device)?)),
    },
    SchedulerRow {
        name: "pyramid",
        description: "zsptf on a coarse, a medium or a fine grid, as the queue is short or long (000-F22)",
        options: pyramid::OPTIONS,
        build: &|options, device| Ok(Box::new(Pyramid::new(options, device)?)),
    },
];

/// Every wrapper: one file and one row here.
pub const WRAPPERS: &[WrapperRow] = &[
    WrapperRow {
        name: "deadline",
        description:
            "a request that has waited too long goes before what the policy chooses, the oldest first",
        options: &[OptionRow {
            name: "after_ms",
            unit: "ms",
            default: "100",
            description: "how long a request waits before it goes first, in ms",
        }],
        build: |options, inner| Ok(Box::new(Deadline::new(options, inner)?)),
    },
    WrapperRow {
        name: "priority",
        description: "one kind of request goes before all others; within each kind as the policy chooses",
        options: &[OptionRow {
            name: "first",
            unit: "",
            default: "reads",
            description: "the kind that goes first: reads, writes or metadata",
        }],
        build: |options, inner| Ok(Box::new(Priority::new(options, inner)?)),
    },
];

impl Row for SchedulerRow {
    const KIND: &'static str = "scheduler";

    fn name(&self) -> &'static str {
        self.name
    }

    fn answers_to(&self, name: &str) -> bool {
        normalise(self.name) == normalise(name)
    }
}

impl Row for WrapperRow {
    const KIND: &'static str = "scheduler wrapper";

    fn name(&self) -> &'static str {
        self.name
    }

    fn answers_to(&self, name: &str) -> bool {
        normalise(self.name) == normalise(name)
    }
}

static REGISTRY: Registry<SchedulerRow> = Registry::new(SCHEDULERS);
static WRAPPER_REGISTRY: Registry<WrapperRow> = Registry::new(WRAPPERS);

/// Adds a policy, or replaces one that was added under the same name.
///
/// # Errors
/// The name of a built-in policy or wrapper, or one that cannot be given, as it would read otherwise.
pub fn register_scheduler(row: SchedulerRow) -> Result<()> {
    let fault = |text: &str| Err(Error::Parameter(format!("scheduler = {}: {text}", row.name)));
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_-.".contains(letter);
    if normalise(row.name).is_empty() || !row.name.chars().all(plain) {
        return fault("expected a name of letters and digits, with _, - or . between");
    }
    if WRAPPERS.iter().any(|wrapper| wrapper.answers_to(row.name)) {
        return fault("this name is a wrapper's");
    }
    if normalise(row.name) == "all" {
        return fault("this name stands for every policy where policies are listed");
    }
    REGISTRY.add(row)
}

/// Every policy, the built-in ones first.
#[must_use]
pub fn schedulers() -> Vec<SchedulerRow> {
    REGISTRY.all()
}

/// The policy of that name, without regard to case and punctuation.
///
/// # Errors
/// An unknown name, answered with the nearest known one.
pub fn find(name: &str) -> Result<SchedulerRow> {
    REGISTRY.find(name)
}

/// The wrapper of that name.
///
/// # Errors
/// An unknown name, answered with the nearest known one.
pub(super) fn find_wrapper(name: &str) -> Result<WrapperRow> {
    WRAPPER_REGISTRY.find(name)
}
