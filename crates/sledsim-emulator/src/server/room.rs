//! Limit the outstanding data of each client and of all clients together.

use std::collections::{HashMap, VecDeque};

/// Number of bytes reserved for each client: enough for an operating system that reads and writes pages.
pub(super) const SHARE_BYTES: usize = 128 << 10;
/// Size in bytes of the common space. It holds the outstanding data of clients that exceed their share. The
/// largest possible request fits into it.
pub(super) const COMMON_BYTES: usize = 32 << 20;

/// Outstanding data of each client in bytes, and the queue of clients that wait for space.
///
/// Small requests fit into the share of their client, so they never wait for clients that do not read their
/// answers. Large requests wait for the common space in the order of arrival, so that each is admitted at some
/// time.
#[derive(Default)]
pub(super) struct Room {
    held: HashMap<u64, usize>,
    /// Number of used bytes of the common space.
    common: usize,
    /// Clients whose next request does not fit into the common space; the client that has waited longest is
    /// first.
    queue: VecDeque<u64>,
}

impl Room {
    /// Return true if a request of `client` with `bytes` bytes of data fits now. Otherwise put the client into the
    /// queue.
    pub(super) fn admits(&mut self, client: u64, bytes: usize) -> bool {
        let held = self.held.get(&client).copied().unwrap_or(0);
        let more = beyond(held + bytes) - beyond(held);
        let is_first = self.queue.front().is_none_or(|first| *first == client);
        let is_admitted = more == 0 || is_first && self.common + more <= COMMON_BYTES;
        if is_admitted {
            self.forget(client);
        } else if !self.queue.contains(&client) {
            self.queue.push_back(client);
        }
        is_admitted
    }

    /// Set the number of outstanding bytes of `client`.
    pub(super) fn hold(&mut self, client: u64, bytes: usize) {
        let before = if bytes == 0 { self.held.remove(&client) } else { self.held.insert(client, bytes) };
        self.common = self.common + beyond(bytes) - beyond(before.unwrap_or(0));
    }

    /// Remove `client` from the queue.
    pub(super) fn forget(&mut self, client: u64) {
        self.queue.retain(|waits| *waits != client);
    }

    /// The client that has waited longest.
    pub(super) fn first(&self) -> Option<u64> {
        self.queue.front().copied()
    }

    /// Return true if the outstanding data of `client` exceed its share.
    pub(super) fn is_beyond(&self, client: u64) -> bool {
        self.held.get(&client).is_some_and(|held| *held > SHARE_BYTES)
    }

    /// Number of outstanding bytes of all clients.
    pub(super) fn bytes(&self) -> usize {
        self.held.values().sum()
    }
}

/// Number of bytes by which `bytes` exceeds the share of a client.
fn beyond(bytes: usize) -> usize {
    bytes.saturating_sub(SHARE_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nbd::MOST_PAYLOAD_BYTES;
    use proptest::prelude::*;

    const LARGEST: usize = MOST_PAYLOAD_BYTES as usize;

    #[test]
    fn small_requests_never_wait_and_large_ones_wait_their_turn() {
        let mut room = Room::default();
        assert!(room.admits(1, LARGEST));
        room.hold(1, LARGEST);
        assert!(room.admits(2, SHARE_BYTES));
        room.hold(2, SHARE_BYTES);
        assert!(!room.admits(2, LARGEST - SHARE_BYTES));
        // The request would fit, but another client came first.
        assert!(!room.admits(3, SHARE_BYTES + 1));
        assert!(room.admits(3, SHARE_BYTES));
        assert_eq!(room.first(), Some(2));
        assert!(room.is_beyond(1) && !room.is_beyond(2));
        room.hold(1, 0);
        assert!(room.admits(2, LARGEST - SHARE_BYTES));
        assert_eq!(room.first(), None);
    }

    proptest! {
        #[test]
        fn admitted_bytes_are_bounded_and_no_client_waits_for_ever(
            steps in prop::collection::vec((0..8_u64, 0..=LARGEST, any::<bool>()), 1..200)
        ) {
            let mut room = Room::default();
            let mut held = [0; 8];
            for (client, bytes, gives_back) in steps {
                let had = held[client as usize];
                if gives_back {
                    held[client as usize] = 0;
                } else if room.admits(client, bytes) {
                    held[client as usize] = had + bytes;
                }
                room.hold(client, held[client as usize]);
                prop_assert_eq!(room.bytes(), held.iter().sum::<usize>());
                prop_assert!(room.bytes() <= COMMON_BYTES + held.len() * SHARE_BYTES);
            }
            (0..8).for_each(|client| room.hold(client, 0));
            while let Some(first) = room.first() {
                prop_assert!(room.admits(first, LARGEST));
            }
        }
    }
}
