//! Tests of a station, with a device and policies that record the calls they receive.

mod recorder;

use self::recorder::{queue, Log, Recorder, IDLE_W};
use super::*;
use crate::energy::{IdleEnergy, ServiceEnergy, USES};
use crate::request::Op;
use crate::time::Span;

/// A station whose device needs `overhead_ns` nanoseconds for a command.
fn station(overhead_ns: u64) -> (Station, Log) {
    let log = Log::default();
    let device = Recorder { log: log.clone(), overhead: Span(overhead_ns), depth: None, ready: Time::ZERO };
    (Station::new(queue("front", &log), Box::new(device)), log)
}

/// A station with a second queue, for background requests.
fn with_background() -> (Station, Log) {
    let (station, log) = station(0);
    let background = queue("back", &log);
    (station.with_background(background), log)
}

fn read(row: u32, blocks: u32) -> Request {
    Request::new(row, 0, blocks, Op::Read)
}

fn behind(row: u32) -> Request {
    Request { is_background: true, ..read(row, 1) }
}

/// Serves the next request from `now` to its end; returns the number of the request.
fn serve_next(station: &mut Station, now: Time) -> Option<u32> {
    let total = station.dispatch(now)?.1.total();
    let (request, _) = station.finish(now + total);
    station.leave();
    Some(request.row)
}

#[test]
fn a_request_waits_from_when_its_command_is_processed() {
    let (mut station, log) = station(0);
    assert_eq!(station.accept(Time(7), read(0, 1)), Some(Time(7)));
    assert_eq!(log.read(), ["front gets 0"]);

    let (mut station, log) = self::station(4);
    assert_eq!(station.accept(Time(7), read(0, 1)), Some(Time(11)));
    assert_eq!(station.accept(Time(8), read(1, 1)), Some(Time(12)));
    assert!(log.read().is_empty() && station.dispatch(Time(10)).is_none());
    station.admit(Time(11));
    assert_eq!(log.read(), ["front gets 0"], "the request that was accepted first is admitted first");
    station.admit(Time(12));
    assert_eq!(log.read(), ["front gets 1"]);
}

#[test]
fn the_device_hears_when_a_command_is_processed() {
    for (overhead_ns, admitted) in [(0, 7), (4, 11)] {
        let (mut station, _) = station(overhead_ns);
        let ready = station.accept(Time(7), read(0, 1)).unwrap();
        if overhead_ns > 0 {
            station.admit(ready);
        }
        station.dispatch(ready).unwrap();
        assert_eq!(
            station.finish(ready).0.data_from,
            Time(admitted),
            "the data of a write start before the request waits"
        );
    }
}

/// Checks a device with room for two requests: one is served while the other waits.
#[test]
fn what_has_no_room_enters_when_the_host_has_another_and_background_last() {
    let log = Log::default();
    let device = Recorder { log: log.clone(), overhead: Span::ZERO, depth: Some(1), ready: Time::ZERO };
    let mut station = Station::new(queue("front", &log), Box::new(device));
    station = station.with_background(queue("back", &log));
    station.begin(Time(0));
    let entered = [read(0, 1), behind(1), behind(2), read(3, 1), read(4, 1)]
        .map(|request| station.accept(Time(0), request).is_some());
    assert_eq!(entered, [true, true, false, false, false]);
    assert_eq!((station.in_system(), station.let_in(Time(0))), (5, None));
    let mut entering = |now| {
        station.dispatch(Time(now)).unwrap();
        station.finish(Time(now + 10));
        assert_eq!(station.let_in(Time(now + 10)), None, "the host does not have the data yet");
        station.leave();
        station.let_in(Time(now + 15))
    };
    assert_eq!(entering(0), Some((3, Time(15))));
    assert_eq!(entering(20), Some((4, Time(35))));
    assert_eq!(entering(40), Some((2, Time(55))));
    assert_eq!(entering(60), None);
}

/// Checks that a background request that waits at the host and becomes foreground enters as if it had arrived
/// as foreground.
#[test]
fn what_is_promoted_at_the_host_enters_in_its_turn() {
    let log = Log::default();
    let device = Recorder { log: log.clone(), overhead: Span::ZERO, depth: Some(1), ready: Time::ZERO };
    let mut station = Station::new(queue("front", &log), Box::new(device));
    station = station.with_background(queue("back", &log));
    station.begin(Time(0));
    for request in [read(0, 1), read(1, 1), read(2, 1), behind(3), read(4, 1), behind(5)] {
        station.accept(Time(0), request);
    }
    station.promote(3);
    let entering: Vec<u32> = (0..4)
        .map(|turn| {
            station.dispatch(Time(20 * turn)).unwrap();
            station.finish(Time(20 * turn + 10));
            station.leave();
            station.let_in(Time(20 * turn + 10)).unwrap().0
        })
        .collect();
    assert_eq!(entering, [2, 3, 4, 5]);
}

/// Checks that the request with the given tag becomes foreground while the device still processes several commands.
#[test]
fn what_is_promoted_meanwhile_waits_with_the_others() {
    let (station, log) = station(4);
    let mut station = station.with_background(queue("back", &log));
    for row in 0..3 {
        station.accept(Time(7), behind(row));
    }
    station.promote(1);
    (0..3).for_each(|_| station.admit(Time(11)));
    assert_eq!(log.read(), ["back gets 0", "front gets 1", "back gets 2"]);
}

/// Checks that a background request in its queue becomes foreground, and that the request in service stays unchanged.
#[test]
fn what_is_promoted_in_its_queue_waits_with_the_others() {
    let (mut station, log) = with_background();
    station.begin(Time(0));
    for request in [behind(0), behind(1), behind(2), read(3, 1)] {
        station.accept(Time(0), request);
    }
    log.read();
    station.promote(1);
    assert_eq!(log.read(), ["back loses 1", "front gets 1"]);
    let served = [0, 10, 20].map(|now| serve_next(&mut station, Time(now)));
    assert_eq!(served, [Some(3), Some(1), Some(0)], "the other requests keep their order");
    log.read();
    station.promote(0);
    assert!(log.read().is_empty(), "a served request stays unchanged");
    assert_eq!(serve_next(&mut station, Time(30)), Some(2));
}

#[test]
fn the_end_of_a_stall_is_reported_once_if_a_request_waits() {
    let log = Log::default();
    let device = Recorder { log: log.clone(), overhead: Span::ZERO, depth: None, ready: Time(50) };
    let mut station = Station::new(queue("front", &log), Box::new(device));
    station.begin(Time(0));
    assert_eq!(station.resumes_at(Time(0)), None, "no request waits");
    station.accept(Time(10), read(0, 1));
    assert!(station.dispatch(Time(10)).is_none(), "a stalled device starts no service");
    assert_eq!(station.resumes_at(Time(10)), Some(Time(50)));
    station.accept(Time(20), read(1, 1));
    assert_eq!(station.resumes_at(Time(20)), None, "the end of the stall was already reported");
    assert!(station.dispatch(Time(49)).is_none(), "a stalled device starts no service");
    assert_eq!(station.dispatch(Time(50)).expect("the stall is over").0, 0);
    assert_eq!(station.resumes_at(Time(50)), None, "the device is serving");
}

#[test]
fn what_can_be_served_now_waits_for_no_end_of_a_stall() {
    let log = Log::default();
    let device = Recorder { log: log.clone(), overhead: Span::ZERO, depth: None, ready: Time(50) };
    for (now, resumes) in [(49, Some(Time(50))), (50, None), (51, None)] {
        let mut station = Station::new(queue("front", &log), Box::new(device.clone()));
        station.begin(Time(0));
        station.accept(Time(now), read(0, 1));
        assert_eq!(station.resumes_at(Time(now)), resumes, "at {now} ns");
        assert_eq!(station.dispatch(Time(now)).is_some(), resumes.is_none(), "at {now} ns");
    }
}

/// Checks requests that find no room, or whose command is being processed.
#[test]
fn what_is_not_ready_is_counted() {
    let log = Log::default();
    let device = Recorder { log: log.clone(), overhead: Span(4), depth: Some(1), ready: Time::ZERO };
    let mut station = Station::new(queue("front", &log), Box::new(device));
    station.begin(Time(0));
    let not_ready = [(); 4].map(|()| {
        station.accept(Time(0), read(0, 1));
        station.not_ready()
    });
    assert_eq!(not_ready, [1, 2, 3, 4]);
    let not_ready = [(); 2].map(|()| {
        station.admit(Time(4));
        station.not_ready()
    });
    assert_eq!(not_ready, [3, 2]);
}

#[test]
#[should_panic(expected = "every admission follows an acceptance")]
fn nothing_is_admitted_that_was_not_accepted() {
    station(4).0.admit(Time(0));
}

#[test]
fn one_request_is_served_at_a_time() {
    let (mut station, log) = station(0);
    assert!(station.dispatch(Time(0)).is_none(), "no request waits");
    station.accept(Time(0), Request { tag: 77, ..read(0, 2) });
    station.accept(Time(0), read(1, 3));
    log.read();
    let (tag, service) = station.dispatch(Time(0)).unwrap();
    assert_eq!((tag, service.total()), (77, Span(20)));
    assert_eq!(log.read(), ["front loses 0", "serve 0 at 0"]);
    assert!(station.dispatch(Time(1)).is_none(), "the device is busy");
    let (request, completion) = station.finish(Time(20));
    assert_eq!((request.row, completion), (0, Time(25)), "the device determines when the host has the data");
    assert_eq!(log.read(), ["complete 0 at 20"]);
    // The bus may still carry the data of the request before.
    assert_eq!(station.dispatch(Time(20)).unwrap().0, 1);
}

#[test]
#[should_panic(expected = "a device is done with a request")]
fn nothing_is_finished_that_was_not_begun() {
    station(0).0.finish(Time(0));
}

#[test]
fn requests_are_in_the_system_until_the_host_has_them() {
    let (mut station, _) = station(4);
    station.begin(Time(0));
    station.accept(Time(0), read(0, 1));
    station.accept(Time(0), read(1, 1));
    assert_eq!(station.in_system(), 2, "requests whose command is in process must count as in the system");
    station.admit(Time(4));
    station.admit(Time(8));
    assert_eq!(station.in_system(), 2, "waiting requests must count as in the system");
    let total = station.dispatch(Time(8)).unwrap().1.total();
    station.finish(Time(8) + total);
    assert_eq!(station.in_system(), 2, "requests whose data cross the bus must count as in the system");
    station.leave();
    assert_eq!(station.in_system(), 1);
}

#[test]
fn background_requests_are_served_when_no_other_waits() {
    let (mut station, _) = with_background();
    station.begin(Time(0));
    for request in [behind(0), behind(1), read(2, 1)] {
        station.accept(Time(0), request);
    }
    assert_eq!(serve_next(&mut station, Time(0)), Some(2));
    assert_eq!(serve_next(&mut station, Time(10)), Some(0));
    station.accept(Time(15), read(3, 1));
    assert_eq!(serve_next(&mut station, Time(20)), Some(3));
    assert_eq!(serve_next(&mut station, Time(30)), Some(1));
    assert_eq!(serve_next(&mut station, Time(40)), None);
}

#[test]
fn each_queue_hears_of_what_the_other_has_served() {
    let (mut station, log) = with_background();
    station.begin(Time(0));
    station.accept(Time(0), behind(0));
    station.accept(Time(0), read(1, 1));
    assert_eq!(log.read()[1..], ["back gets 0", "front gets 1"]);
    serve_next(&mut station, Time(0));
    assert_eq!(log.read()[..3], ["front loses 1", "back hears of 1", "serve 1 at 0"]);
    serve_next(&mut station, Time(10));
    assert_eq!(log.read()[..3], ["back loses 0", "front hears of 0", "serve 0 at 10"]);
}

#[test]
fn without_a_second_queue_background_requests_wait_with_the_others() {
    let (mut station, log) = station(0);
    station.accept(Time(0), behind(0));
    station.accept(Time(0), read(1, 1));
    assert_eq!(log.read(), ["front gets 0", "front gets 1"]);
    assert_eq!(serve_next(&mut station, Time(0)), Some(0));
    assert_eq!(station.totals().background_requests, 1);
}

#[test]
fn idle_times_lie_between_services() {
    let (mut station, log) = station(0);
    station.begin(Time(100));
    assert_eq!(log.read(), ["begin 100"]);
    // The device is idle from the start to the first service, which ends at 150 ns, and not before the second service.
    station.accept(Time(130), read(0, 2));
    station.accept(Time(131), read(1, 1));
    assert_eq!(serve_next(&mut station, Time(130)), Some(0));
    assert_eq!(serve_next(&mut station, Time(150)), Some(1));
    let happened: Vec<String> = log.read().into_iter().filter(|text| !text.starts_with("front")).collect();
    let serving =
        ["idle for 30", "serve 0 at 130", "complete 0 at 150", "serve 1 at 150", "complete 1 at 160"];
    assert_eq!(happened, serving);
    station.accept(Time(200), read(2, 1));
    serve_next(&mut station, Time(200));
    assert_eq!(log.read()[2..4], ["idle for 40", "serve 2 at 200"]);
    // The idle time at the end counts once.
    station.end(Time(260));
    station.end(Time(260));
    assert_eq!(log.read(), ["idle for 50"]);
    assert_eq!(
        station.totals().idle_energy.idle_j,
        [30, 40, 50].map(|ns| IDLE_W * Span(ns).as_s()).iter().sum()
    );
}

#[test]
fn totals_are_those_of_every_service() {
    let (mut station, _) = with_background();
    station.begin(Time(0));
    let write = |row| Request::new(row, 0, 7, Op::Write);
    for request in [read(0, 2), read(1, 3), write(2), behind(3), Request { is_background: true, ..write(4) }]
    {
        station.accept(Time(0), request);
    }
    let mut now = Time(0);
    while let Some((_, service)) = station.dispatch(now) {
        now = now + service.total();
        station.finish(now);
    }
    station.end(now);
    // Requests are served one after the other; a read is complete 5 ns after the medium has finished it.
    let complete_ns: u64 = [20 + 5, 50 + 5, 120, 130 + 5, 200].iter().sum();
    let totals = *station.totals();
    assert!((totals.request_s - complete_ns as f64 * 1e-9).abs() < 1e-18);
    let expected = Totals {
        requests: 3,
        flushes: 0,
        background_requests: 2,
        blocks_read: 2 + 3 + 1,
        blocks_written: 7 + 7,
        busy: Span(200),
        energy: ServiceEnergy { tips_j: 15.0, ..ServiceEnergy::default() },
        idle_energy: IdleEnergy::default(),
        request_s: totals.request_s,
    };
    assert_eq!(totals, expected);
}

/// Checks that the sum of energy over time equals the total, and that the energy lies in the intervals in
/// which it was spent.
#[test]
fn energy_over_time_adds_up() {
    let (mut station, _) = station(0);
    station.begin(Time(1000));
    station.accept(Time(1100), read(0, 5));
    serve_next(&mut station, Time(1100));
    station.end(Time(1200));
    let totals = *station.totals();
    let over_time = station.into_over_time();
    assert_eq!((over_time.begun(), over_time.step()), (Time(1000), Span(1)));
    let taken = |name: &str| {
        let number = USES.iter().position(|known| *known == name).unwrap();
        over_time.of_use(number).collect::<Vec<f64>>()
    };
    assert!((taken("tips").iter().sum::<f64>() - totals.energy.tips_j).abs() < 1e-9);
    assert!(taken("tips")[..100].iter().chain(&taken("tips")[150..]).all(|joules| *joules == 0.0));
    assert!((taken("idle").iter().sum::<f64>() - totals.idle_energy.idle_j).abs() < 1e-18);
    assert!(taken("idle")[100..150].iter().all(|joules| *joules == 0.0));
}
