//! Episodes of a device: an effect, such as a stall, and the times at which the device has this effect.

use super::times::Times;
use crate::error::Result;
use crate::options::{OptionRow, Options};
use crate::table::Row;

/// Name that selects all devices of a volume.
pub const ALL: &str = "all";

/// The option `device`, which selects the device or devices of a volume to which an episode applies.
pub(super) const DEVICE: &[OptionRow] = &[OptionRow::text(
    "device",
    ALL,
    "the name of a device of a volume, such as device 1, or of a role",
    "device of a volume, such as \"device 1\", or all members of a role, such as disk",
)];

/// Effect of an episode on a device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effect {
    /// The device starts no service.
    Stall,
    /// The device serves slowly: services that start during the episode take this factor times as long.
    Slow(f64),
}

/// Function that builds an effect, or reports an invalid option.
pub type MakeEffect = fn(&Options) -> Result<Effect>;

/// An entry of the table of kinds of episodes.
pub type EpisodeRow = Row<MakeEffect>;

/// An episode: an effect on a device, and its times.
#[derive(Clone, Debug)]
pub struct Episode {
    pub(super) options: Options,
    pub(super) effect: Effect,
    pub(super) times: Times,
}

impl Episode {
    /// Returns the effect of the episode.
    #[must_use]
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// Returns the episode as text, in the form in which a user gives it.
    #[must_use]
    pub fn name(&self) -> String {
        self.options.name(false)
    }

    /// Name of the device of a volume to which the episode applies, or name of a role, whose members all have
    /// the episode. [`ALL`] stands for all devices.
    #[must_use]
    pub fn device(&self) -> &str {
        self.options.text("device")
    }

    /// True if the episode applies to the device `name`. An episode for `disk` applies to the
    /// member `disk 1`, and to a device below the member, such as `disk/device 2`.
    #[must_use]
    pub fn is_for(&self, name: &str) -> bool {
        let device = self.device();
        let rest = name.strip_prefix(device);
        device == ALL || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '/']))
    }

    /// Returns the episode without the option `device`, for the table of a single device.
    #[must_use]
    pub fn own(&self) -> Self {
        Self { options: self.options.without("device"), ..self.clone() }
    }
}
