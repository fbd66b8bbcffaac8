//! One episode of a plan.

use super::times::Times;
use crate::error::Result;
use crate::options::{OptionRow, Options};
use crate::table::Row;

/// The name that stands for every device of a volume.
pub const ALL: &str = "all";

/// The option that says which devices of a volume an episode is for.
pub(super) const DEVICE: &[OptionRow] = &[OptionRow::text(
    "device",
    ALL,
    "the name of a device of a volume, such as device 1, or of a role",
    "device of a volume, such as \"device 1\", or all members of a role, such as disk",
)];

/// What an episode does to a device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effect {
    /// It begins no service.
    Stall,
    /// A service that begins takes so many times as long.
    Slow(f64),
}

/// Makes an effect, or says which option cannot be.
pub type MakeEffect = fn(&Options) -> Result<Effect>;

/// One kind of episodes.
pub type EpisodeRow = Row<MakeEffect>;

/// An episode: what happens, and when.
#[derive(Clone, Debug)]
pub struct Episode {
    pub(super) options: Options,
    pub(super) effect: Effect,
    pub(super) times: Times,
}

impl Episode {
    /// What happens.
    #[must_use]
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// The episode as a user could give it.
    #[must_use]
    pub fn name(&self) -> String {
        self.options.name(false)
    }

    /// The devices of a volume that it is for: the name of one or of members of a role, or [`ALL`].
    #[must_use]
    pub fn device(&self) -> &str {
        self.options.text("device")
    }

    /// Whether it is for a device of that name: `disk 1` is one of the members `disk`, and `disk/device 2` is below
    /// it.
    #[must_use]
    pub fn is_for(&self, name: &str) -> bool {
        let device = self.device();
        let rest = name.strip_prefix(device);
        device == ALL || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '/']))
    }

    /// The episode for the device that has it.
    #[must_use]
    pub fn own(&self) -> Self {
        Self { options: self.options.without("device"), ..self.clone() }
    }
}
