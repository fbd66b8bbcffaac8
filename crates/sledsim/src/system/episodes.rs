//! Episodes (times in which a device stalls or is slow) of the devices of a system.

use toml::Value;

use super::tree::{DevicePlan, System, EPISODES};
use crate::episodes::{check_together, parse, Episode, ALL};
use crate::error::{ensure, in_short, unknown_name, Error, Result};

/// Reads the episodes that the table of one device lists. Their texts must not have the option `device`.
pub(super) fn of_table(value: Option<Value>, place: &str) -> Result<Vec<Episode>> {
    let origin = |error: Error| error.at(EPISODES).at(place);
    let texts = match value {
        None => return Ok(Vec::new()),
        Some(Value::Array(texts)) => texts,
        Some(one) => vec![one],
    };
    let episode = |text: Value| match text {
        Value::String(text) => {
            let episode = parse(&text).map_err(origin)?;
            ensure!(
                episode.device() == ALL,
                origin(Error::Parameter(format!(
                    "{text}: omit the option device, because an episode in the table of a device applies to this device"
                )))
            );
            Ok(episode)
        }
        other => Err(origin(Error::Parameter(format!(
            "expected texts such as \"stall:at=10,ms=500,every=30\", found {}",
            in_short(&other)
        )))),
    };
    texts.into_iter().map(episode).collect()
}

impl System {
    /// Adds episodes to the system, each on the devices that the episode names.
    ///
    /// # Errors
    /// An episode names an unknown device (the message gives the nearest known name), or stalls leave a device
    /// almost no time for services.
    pub fn with_episodes(&self, episodes: &[Episode]) -> Result<Self> {
        let mut system = self.clone();
        let mut devices = system.devices_mut();
        for episode in episodes {
            let names = devices.iter().map(|(name, _)| name.as_str());
            ensure!(
                names.clone().any(|name| episode.is_for(name)),
                unknown_name("device of an episode", episode.device(), names)
            );
        }
        for (name, device) in &mut devices {
            let own = episodes.iter().filter(|episode| episode.is_for(name)).map(Episode::own);
            add(device, own.collect()).map_err(|error| error.at(name.as_str()))?;
        }
        Ok(system)
    }
}

/// Adds episodes to the device `device`, after those that it has already.
///
/// # Errors
/// Stalls leave the device almost no time for services.
pub(super) fn add(device: &mut DevicePlan, episodes: Vec<Episode>) -> Result<()> {
    device.episodes.extend(episodes);
    check_together(&device.episodes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sched::Policy;
    use toml::Table;

    fn volume(text: &str) -> Result<System> {
        let table: Table = text.parse().expect("the text of the test is valid TOML");
        System::from_table(table, &Policy::parse("fcfs").unwrap())
    }

    fn with(system: &System, texts: &[&str]) -> Result<System> {
        let episodes = texts.iter().map(|text| parse(text)).collect::<Result<Vec<_>>>()?;
        system.with_episodes(&episodes)
    }

    fn of_each(system: &System) -> Vec<String> {
        let mut system = system.clone();
        let names = |(name, plan): (String, &mut DevicePlan)| {
            let episodes: Vec<String> = plan.episodes.iter().map(Episode::name).collect();
            format!("{name} {}", episodes.join(" "))
        };
        system.devices_mut().into_iter().map(names).collect()
    }

    const DEEP: &str = r#"
        volume = "write-buffer"
        mems = "osdi00"
        disk = { volume = "mirror", device = "atlas10k" }
    "#;

    #[test]
    fn an_episode_is_for_the_devices_that_it_names() {
        let deep = volume(DEEP).unwrap();
        let found =
            |device: &str| of_each(&with(&deep, &[&format!("stall:at=1,ms=2,device={device}")]).unwrap());
        let (none, one) = ("", "stall:at=1,ms=2");
        let lines = |has: [&str; 3]| {
            let names = ["disk/device 0", "disk/device 1", "mems"];
            names.iter().zip(has).map(|(name, has)| format!("{name} {has}")).collect::<Vec<_>>()
        };
        assert_eq!(found("all"), lines([one; 3]));
        assert_eq!(found("mems"), lines([none, none, one]));
        assert_eq!(found("disk"), lines([one, one, none]));
        assert_eq!(found("disk/device 1"), lines([none, one, none]));
        let error = with(&deep, &["stall:at=1,ms=2,device=disk/device 7"]).err().unwrap().to_string();
        assert!(error.contains("did you mean \"disk/device"), "{error}");
        assert!(with(&deep, &["stall:at=1,ms=2,device=dis"]).is_err(), "a part of a name is not a name");
    }

    /// Checks that members of a role that requires equal devices may have different episodes, and that the
    /// table of a system contains all episodes.
    #[test]
    fn a_table_says_the_episodes() {
        let made =
            with(&volume(DEEP).unwrap(), &["slow:at=1.50,ms=2,factor=3,device=disk/device 1"]).unwrap();
        let again = System::from_table(made.to_table(), &Policy::parse("fcfs").unwrap()).unwrap();
        assert_eq!(of_each(&again), of_each(&made));
        assert_eq!(of_each(&made)[1], "disk/device 1 slow:at=1.5,ms=2,factor=3");
        let twice = with(&again, &["stall:at=0,ms=1"]).unwrap();
        assert_eq!(of_each(&twice)[1], "disk/device 1 slow:at=1.5,ms=2,factor=3 stall:at=0,ms=1");
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let of = |episodes: &str| {
            let found = volume(&format!("volume = \"stripe\"\ndevice = {{ episodes = {episodes} }}"));
            found.err().map_or(String::new(), |error| error.to_string())
        };
        assert_eq!(of("['stall:at=1,ms=5']"), "");
        assert_eq!(of("'stall:at=1,ms=5'"), "");
        assert!(of("['stal:at=1']").starts_with("device: episodes: unknown episode \"stal\": did you mean"));
        assert!(of("['stall:at=1']").contains("ms is missing"));
        assert!(of("[5]").contains("expected texts such as"));
        assert!(of("['stall:at=1,ms=5,device=all']").is_empty());
        assert!(of("['stall:at=1,ms=5,device=device 1']")
            .contains("device=device 1: omit the option device, because"));
        let half = "'stall:at=0,ms=500,every=1.005'";
        assert!(of(&format!("[{half}]")).is_empty());
        let error = of(&format!("[{half}, {half}]"));
        assert!(error.contains("99.5025 % of the time"), "{error}");
    }
}
