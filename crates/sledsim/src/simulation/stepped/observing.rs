//! What somebody may want to know of a run besides its record, and has to say before it begins.

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
    /// From now on it is noted when blocks of writes reach the medium, for [`Self::interrupted`].
    ///
    /// # Errors
    /// Volumes: what their members lose makes no sense without what they have in memory, which
    /// [`Self::follow_data`] tells. A record that does not keep what requests ask for.
    pub fn note_passages(&mut self) -> Result<()> {
        let Kind::Alone(alone) = &mut self.machine else {
            return fault("loss of power: expected a device without a volume, found a volume".into());
        };
        keeps_requests("loss of power", &alone.host().record)?;
        alone.stations_mut().for_each(Station::note_passages);
        Ok(())
    }

    /// From now on it is [listed](Self::take_data_moves) where the data of requests go in a volume, and noted when they
    /// reach a medium.
    ///
    /// # Errors
    /// A device without a volume, whose data go straight to the medium; a run that has begun; a record that does not keep
    /// what requests ask for.
    pub fn follow_data(&mut self) -> Result<()> {
        ensure!(
            !self.has_begun,
            "data are followed from the beginning: found a simulation that has requests"
        );
        let Kind::Tree(tree) = &mut self.machine else {
            return fault("data on members: expected a volume, found a device without one".into());
        };
        keeps_requests("loss of power", &tree.host().record)?;
        tree.follow_data();
        Ok(())
    }

    /// From now on it is noted what devices do in a window of time; the outcome has it.
    ///
    /// # Errors
    /// A run that has begun; a record that does not keep what requests ask for.
    pub fn keep_journal(&mut self, window: [Time; 2]) -> Result<()> {
        ensure!(
            !self.has_begun,
            "a journal is kept from the beginning: found a simulation that has requests"
        );
        keeps_requests("journal", &self.host().record)?;
        on!(&mut self.machine, machine => {
            let stations = machine.stations();
            let journal = Journal::new(window, stations.iter().map(|(_, station)| *station));
            machine.journal = Some(Box::new(journal));
        });
        Ok(())
    }

    /// From now on it is noted what becomes of the requests of these rows, for [`Self::watched`].
    ///
    /// # Errors
    /// A run that has begun.
    pub fn watch(&mut self, rows: impl IntoIterator<Item = u32>) -> Result<()> {
        ensure!(
            !self.has_begun,
            "requests are watched from the beginning: found a simulation that has requests"
        );
        let watch = Some(Box::new(Watch::new(rows)));
        on!(&mut self.machine, machine => machine.host_mut().watch = watch);
        Ok(())
    }

    /// What is known of the requests that are [watched](Self::watch).
    #[must_use]
    pub fn watched(&self) -> Option<Watched> {
        self.host().watch.as_ref().map(|watch| watch.seen())
    }

    /// Where data have gone since that was asked last, if they are [followed](Self::follow_data).
    pub fn take_data_moves(&mut self) -> Vec<DataMove> {
        match &mut self.machine {
            Kind::Alone(_) => Vec::new(),
            Kind::Tree(tree) => tree.take_moves(),
        }
    }
}

/// Some things are known only where the record keeps what requests ask for.
fn keeps_requests(what: &str, record: &Record) -> Result<()> {
    let kept: Vec<_> = record::names(record.selection()).collect();
    ensure!(
        ["lbn", "blocks", "write"].iter().all(|name| kept.contains(name)),
        "{what}: expected a record that keeps lbn, blocks and write"
    );
    Ok(())
}
