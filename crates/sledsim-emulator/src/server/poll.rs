//! Wait until sockets are ready or until a certain time of the clock.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;

use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};
use rustix::event::{eventfd, EventfdFlags};
use rustix::io::Errno;
use rustix::time::{
    timerfd_create, timerfd_settime, Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec,
};

use crate::timing::{Clock, Monotonic};

/// Maximum number of sockets that one call of the operating system reports.
const EVENTS: usize = 64;
const TIMER: u64 = u64::MAX;
const WAKER: u64 = u64::MAX - 1;
const NEVER: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };

/// A socket that can be read or written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ready {
    pub(super) token: u64,
    /// True if the client has closed the connection.
    pub(super) is_gone: bool,
}

/// Event that ended a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Woken {
    /// The time until which the server wanted to wait has come, or sockets are ready.
    Up,
    /// A signal arrived, or a waker was called.
    Called,
}

/// A handle that wakes a server from any thread. The server then immediately calls its observer with the
/// status.
#[derive(Clone, Debug)]
pub struct Waker(Arc<OwnedFd>);

impl Waker {
    /// Wake the server; no effect if it has ended.
    pub fn wake(&self) {
        // The counter cannot overflow: the server resets it at each wake.
        let _ = rustix::io::write(&self.0, &1_u64.to_ne_bytes());
    }
}

/// Sockets, a timer and a waker for which one thread waits.
pub(super) struct Poll {
    epoll: OwnedFd,
    timer: OwnedFd,
    waker: Waker,
    /// Time at which the timer expires, in nanoseconds of the clock; `None` if the timer is not set.
    set_ns: Option<u64>,
    clock: Monotonic,
    spin_ns: u64,
}

impl Poll {
    /// Create a poll that busy-waits for the last `spin_ns` nanoseconds before a precise time.
    pub(super) fn new(clock: Monotonic, spin_ns: u64) -> io::Result<Self> {
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        let timer =
            timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC)?;
        epoll::add(&epoll, &timer, EventData::new_u64(TIMER), EventFlags::IN)?;
        let waker = eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC)?;
        epoll::add(&epoll, &waker, EventData::new_u64(WAKER), EventFlags::IN)?;
        let waker = Waker(Arc::new(waker));
        Ok(Self { epoll, timer, waker, set_ns: None, clock, spin_ns })
    }

    pub(super) fn waker(&self) -> Waker {
        self.waker.clone()
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

    /// Use the clock `clock` for all times from now on, and clear the timer.
    pub(super) fn go_by(&mut self, clock: Monotonic) {
        (self.clock, self.set_ns) = (clock, None);
    }

    /// Wait until `until_ns` nanoseconds of the clock, or until sockets are ready, and put these sockets into
    /// `ready`. If `is_precise` is true, the last part of the time is spent without sleeping.
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
            if self.wait_for_events(None, ready)? == Woken::Called {
                return Ok(Woken::Called);
            }
        } else if self.wait_for_events(Some(&NEVER), ready)? == Woken::Called {
            return Ok(Woken::Called);
        }
        while ready.is_empty() && is_precise && self.is_soon(until_ns) {
            if self.wait_for_events(Some(&NEVER), ready)? == Woken::Called {
                return Ok(Woken::Called);
            }
        }
        Ok(Woken::Up)
    }

    /// Return true if the time `until_ns` is so near that the thread waits for it without sleeping.
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
            Err(Errno::INTR) => return Ok(Woken::Called),
            Err(error) => return Err(error.into()),
        };
        let mut woken = Woken::Up;
        for &mut Event { flags, data } in events {
            let token = data.u64();
            if token == TIMER {
                // The timer has expired; setting it again clears its readiness.
                self.set_ns = None;
                timerfd_settime(
                    &self.timer,
                    TimerfdTimerFlags::empty(),
                    &Itimerspec { it_interval: NEVER, it_value: NEVER },
                )?;
            } else if token == WAKER {
                rustix::io::read(&self.waker.0, &mut [0_u8; 8])?;
                woken = Woken::Called;
            } else {
                let is_gone = flags.intersects(EventFlags::HUP | EventFlags::ERR);
                ready.push(Ready { token, is_gone });
            }
        }
        Ok(woken)
    }
}

fn flags([read, write]: [bool; 2]) -> EventFlags {
    let read = if read { EventFlags::IN } else { EventFlags::empty() };
    let write = if write { EventFlags::OUT } else { EventFlags::empty() };
    read | write
}
