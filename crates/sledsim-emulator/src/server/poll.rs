//! Waits for sockets and for a time.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};

use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};
use rustix::io::Errno;
use rustix::time::{
    timerfd_create, timerfd_settime, Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec,
};

use crate::timing::{Clock, Monotonic};

/// Sockets that are told of together.
const EVENTS: usize = 64;
const TIMER: u64 = u64::MAX;
const NEVER: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };

/// What became of a socket.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ready {
    pub(super) token: u64,
    /// Nobody is at the other end any more.
    pub(super) is_gone: bool,
}

/// Why a wait is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Woken {
    /// It is time, or sockets are ready.
    Up,
    /// A signal came.
    Signal,
}

/// Sockets and a timer, one thread waits for them all.
pub(super) struct Poll {
    epoll: OwnedFd,
    timer: OwnedFd,
    /// When the timer wakes, in nanoseconds of the clock.
    set_ns: Option<u64>,
    clock: Monotonic,
    spin_ns: u64,
}

impl Poll {
    /// The last so many nanoseconds before a time are not slept.
    pub(super) fn new(clock: Monotonic, spin_ns: u64) -> io::Result<Self> {
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        let timer =
            timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC)?;
        epoll::add(&epoll, &timer, EventData::new_u64(TIMER), EventFlags::IN)?;
        Ok(Self { epoll, timer, set_ns: None, clock, spin_ns })
    }

    pub(super) fn add(&self, socket: impl AsFd, token: u64, wants: [bool; 2]) -> io::Result<()> {
        Ok(epoll::add(&self.epoll, socket, EventData::new_u64(token), flags(wants))?)
    }

    pub(super) fn change(&self, socket: impl AsFd, token: u64, wants: [bool; 2]) -> io::Result<()> {
        Ok(epoll::modify(&self.epoll, socket, EventData::new_u64(token), flags(wants))?)
    }

    pub(super) fn remove(&self, socket: impl AsFd) -> io::Result<()> {
        Ok(epoll::delete(&self.epoll, socket)?)
    }

    /// Waits until the clock shows that, or sockets are ready, which are put in `ready`; `is_precise` times are waited
    /// for without sleep in the end.
    pub(super) fn wait(
        &mut self,
        until_ns: u64,
        is_precise: bool,
        ready: &mut Vec<Ready>,
    ) -> io::Result<Woken> {
        ready.clear();
        let spin_ns = if is_precise { self.spin_ns } else { 0 };
        let sleep_until_ns = until_ns.saturating_sub(spin_ns);
        if self.clock.now_ns() < sleep_until_ns {
            self.set_timer(sleep_until_ns)?;
            if self.wait_for_events(None, ready)? == Woken::Signal {
                return Ok(Woken::Signal);
            }
        } else if self.wait_for_events(Some(&NEVER), ready)? == Woken::Signal {
            return Ok(Woken::Signal);
        }
        while ready.is_empty() && is_precise && self.is_soon(until_ns) {
            if self.wait_for_events(Some(&NEVER), ready)? == Woken::Signal {
                return Ok(Woken::Signal);
            }
        }
        Ok(Woken::Up)
    }

    /// Whether it is a moment before that time.
    fn is_soon(&self, until_ns: u64) -> bool {
        let now_ns = self.clock.now_ns();
        now_ns < until_ns && until_ns - now_ns <= self.spin_ns
    }

    fn set_timer(&mut self, until_ns: u64) -> io::Result<()> {
        if self.set_ns != Some(until_ns) {
            let value = Itimerspec { it_interval: NEVER, it_value: self.clock.timespec(until_ns) };
            timerfd_settime(&self.timer, TimerfdTimerFlags::ABSTIME, &value)?;
            self.set_ns = Some(until_ns);
        }
        Ok(())
    }

    fn wait_for_events(&mut self, timeout: Option<&Timespec>, ready: &mut Vec<Ready>) -> io::Result<Woken> {
        let mut events = [MaybeUninit::uninit(); EVENTS];
        let events = match epoll::wait(&self.epoll, &mut events, timeout) {
            Ok((events, _)) => events,
            Err(Errno::INTR) => return Ok(Woken::Signal),
            Err(error) => return Err(error.into()),
        };
        for &mut Event { flags, data } in events {
            let token = data.u64();
            if token == TIMER {
                // It is over: to set it anew takes away that it is ready.
                self.set_ns = None;
                timerfd_settime(
                    &self.timer,
                    TimerfdTimerFlags::empty(),
                    &Itimerspec { it_interval: NEVER, it_value: NEVER },
                )?;
            } else {
                let is_gone = flags.intersects(EventFlags::HUP | EventFlags::ERR);
                ready.push(Ready { token, is_gone });
            }
        }
        Ok(Woken::Up)
    }
}

fn flags([read, write]: [bool; 2]) -> EventFlags {
    let read = if read { EventFlags::IN } else { EventFlags::empty() };
    let write = if write { EventFlags::OUT } else { EventFlags::empty() };
    read | write
}
