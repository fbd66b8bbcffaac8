//! An episode of a plan.

use super::times::Times;
use crate::error::Result;
use crate::options::{OptionRow, Options};
use crate::table::Row;

/// The name of all devices of a volume.
pub const ALL: &str = "all";

/// The option that selects devices of a volume.
pub(super) const DEVICE: &[OptionRow] = &[OptionRow::text(
    "device",
    ALL,
    "the name of a device of a volume, such as device 1, or of a role",
    "device of a volume, such as \"device 1\", or all members of a role, such as disk",
)];

/// The effect of an episode on a device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effect {
    /// The device starts no request.
    Stall,
    /// Services that start during the episode take longer by this factor.
    Slow(f64),
}

/// Builds an effect, or reports an invalid option.
pub type MakeEffect = fn(&Options) -> Result<Effect>;

/// A row of the table of kinds of episodes.
pub type EpisodeRow = Row<MakeEffect>;

/// An episode: an effect and its times.
#[derive(Clone, Debug)]
pub struct Episode {
    pub(super) options: Options,
    pub(super) effect: Effect,
    pub(super) times: Times,
}

impl Episode {
    /// The effect.
    #[must_use]
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// The episode as text that a user could give.
    #[must_use]
    pub fn name(&self) -> String {
        self.options.name(false)
    }

    /// The devices of a volume to which the episode applies: the name of one or of members of a role, or [`ALL`].
    #[must_use]
    pub fn device(&self) -> &str {
        self.options.text("device")
    }

    /// True if the episode applies to a device: `disk 1` is one of the members `disk`, and `disk/device 2` is below
    /// it.
    #[must_use]
    pub fn is_for(&self, name: &str) -> bool {
        let device = self.device();
        let rest = name.strip_prefix(device);
        device == ALL || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '/']))
    }

    /// The episode for a single device.
    #[must_use]
    pub fn own(&self) -> Self {
        Self { options: self.options.without("device"), ..self.clone() }
    }
}
