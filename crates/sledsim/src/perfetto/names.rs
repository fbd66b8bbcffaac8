//! Names of slices and of their arguments.

use crate::media::SECTOR_BYTES;
use crate::request::Op;

/// Names of slices other than requests; each sequence of packets defines them at its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Command = 1,
    Wait,
    Positioning,
    SeekX,
    Settle,
    SeekY,
    Turnaround,
    Seek,
    Rotation,
    Hold,
    Switch,
    Transfer,
    Bus,
    Waiting,
}

impl Phase {
    /// The texts of all these names, in the order of their numbers from 1.
    pub const NAMES: [&'static str; 14] = [
        "command",
        "wait",
        "positioning",
        "seek x",
        "settle",
        "seek y",
        "turnaround",
        "seek",
        "rotation",
        "hold",
        "switch",
        "transfer",
        "bus",
        "waiting",
    ];
}

/// Arguments of slices, which Perfetto shows when the slice is selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Argument {
    Request = 1,
    /// Duration in ns of the motion in x, if the motion in y takes longer.
    X,
    Y,
    LostBlocks,
}

impl Argument {
    /// The texts of all arguments, in the order of their numbers from 1.
    pub const NAMES: [&'static str; 4] = ["request", "x_ns", "y_ns", "lost_blocks"];
}

/// Name of a request: its operation and its size; a flush has no sectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Title {
    pub op: Op,
    pub is_background: bool,
    pub sectors: u64,
}

impl Title {
    pub fn text(&self) -> String {
        if self.sectors == 0 {
            return "flush".to_owned();
        }
        let behind = if self.is_background { "background " } else { "" };
        let op = match self.op {
            Op::Read => "read",
            Op::Write => "write",
        };
        let bytes = self.sectors * SECTOR_BYTES;
        let size =
            if bytes.is_multiple_of(1024) { format!("{} KiB", bytes / 1024) } else { format!("{bytes} B") };
        format!("{behind}{op} {size}")
    }
}

/// The name of a slice: the title of a request, or a name that each sequence defines at its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    Of(Phase),
    Request(Title),
}
