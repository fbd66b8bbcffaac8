//! Observations of a run besides its record, which must be requested before it begins.

use super::{Kind, Simulation};
use crate::error::{ensure, fault, Result};
use crate::record::{self, Record};
use crate::simulation::data_moves::DataMove;
use crate::simulation::journal::Journal;
use crate::simulation::machine::{Machine, Server};
use crate::simulation::watching::{Watch, Watched};
use crate::station::Station;
use crate::time::Time;

impl Simulation {
    /// Starts to note the times at which blocks of writes reach the medium, for [`Self::interrupted`].
    ///
    /// # Errors A volume: losses of its members mean nothing without the content of its memory, which
    /// [`Self::follow_data`] lists. A record without the columns of requests.
    pub fn note_passages(&mut self) -> Result<()> {
        let Kind::Alone(alone) = &mut self.machine else {
            return fault("power failure: expected a bare device, found a volume".into());
        };
        keeps_requests("loss of power", &alone.host().record)?;
        alone.stations_mut().for_each(Station::note_passages);
        Ok(())
    }

    /// Starts to [list](Self::take_data_moves) the movements of request data in a volume, and the times at
    /// which they reach a medium.
    ///
    /// # Errors A device without a volume, whose data go straight to the medium; a run that has begun; a
    /// record without the columns of requests.
    pub fn follow_data(&mut self) -> Result<()> {
        ensure!(
            !self.has_begun,
            "following data: expected a new simulation, found a simulation with requests"
        );
        let Kind::Tree(tree) = &mut self.machine else {
            return fault("data on members: expected a volume, found a bare device".into());
        };
        keeps_requests("loss of power", &tree.host().record)?;
        tree.follow_data();
        Ok(())
    }

    /// Starts a journal of the services of devices in a window of time; the outcome contains it.
    ///
    /// # Errors A run that has begun; a record without the columns of requests.
    pub fn keep_journal(&mut self, window: [Time; 2]) -> Result<()> {
        ensure!(
            !self.has_begun,
            "starting a journal: expected a new simulation, found a simulation with requests"
        );
        keeps_requests("journal", &self.host().record)?;
        on!(&mut self.machine, machine => {
            let stations = machine.stations();
            let journal = Journal::new(window, stations.iter().map(|(_, station)| *station));
            machine.journal = Some(Box::new(journal));
        });
        Ok(())
    }

    /// Starts to follow the requests of these rows, for [`Self::watched`].
    ///
    /// # Errors
    /// A run that has begun.
    pub fn watch(&mut self, rows: impl IntoIterator<Item = u32>) -> Result<()> {
        ensure!(
            !self.has_begun,
            "watching requests: expected a new simulation, found a simulation with requests"
        );
        let watch = Some(Box::new(Watch::new(rows)));
        on!(&mut self.machine, machine => machine.host_mut().watch = watch);
        Ok(())
    }

    /// The observations of the [followed](Self::watch) requests so far.
    #[must_use]
    pub fn watched(&self) -> Option<Watched> {
        self.host().watch.as_ref().map(|watch| watch.seen())
    }

    /// Takes the data movements since the last call, if data are [followed](Self::follow_data).
    pub fn take_data_moves(&mut self) -> Vec<DataMove> {
        match &mut self.machine {
            Kind::Alone(_) => Vec::new(),
            Kind::Tree(tree) => tree.take_moves(),
        }
    }
}

/// Checks that the record keeps the columns of requests.
fn keeps_requests(what: &str, record: &Record) -> Result<()> {
    let kept: Vec<_> = record::names(record.selection()).collect();
    ensure!(
        ["lbn", "blocks", "write"].iter().all(|name| kept.contains(name)),
        "{what}: expected a record that keeps lbn, blocks and write"
    );
    Ok(())
}
