//! Events of Linux's drivers of NVMe and SCSI in text form, one per line, as printed by
//! `/sys/kernel/tracing/trace`, `trace-cmd report` and `perf script` (drivers/nvme/host/trace.h,
//! include/trace/events/scsi.h, drivers/scsi/scsi_trace.c of Linux).
//!
//! The rest of a line behind the time is common to all tools: `nvme_setup_cmd: nvme0: disk=nvme0n1, qid=1,
//! cmdid=216, nsid=1, ..., cmd=(nvme_cmd_read slba=2048, len=7, ...)` and `nvme_complete_rq: nvme0:
//! disk=nvme0n1, qid=1, cmdid=216, res=0x0, retries=0, flags=0x0, status=0x0`, or
//! `scsi_dispatch_cmd_start: host_no=0 channel=0 id=0 lun=0 ... driver_tag=19 ... cmnd=(READ_10 lba=2048
//! txlen=8 protect=0 raw=28 ...)` and `scsi_dispatch_cmd_done` with the same fields and a result.

use std::collections::HashMap;

use super::super::columns::{flags, Op, TraceRow};
use super::super::device_numbers::Devices;
use super::super::evidence::Aspect;
use super::super::fields::{content_lines, Fault, Fields, Parsed, I32_MAX, LBN_MAX};
use super::super::lines::{LineFormat, Lines};
use super::super::trace_info::{ReaderOutput, Times, TraceInfo};
use super::driver_text::{number, value, Event};
use super::ftrace::{is_remark, says_loss, LOSS};
use super::shape::whole_lines;
use super::{FormatKind, FormatRow};
use crate::error::ensure;

pub(super) const NVME: FormatRow = FormatRow::new(
    "nvme",
    "NVMe commands as text of ftrace, trace-cmd report or perf script: nvme_setup_cmd and nvme_complete_rq",
    FormatKind::new(
        NVME_SAMPLE,
        |head| has_events(Driver::Nvme, head),
        |source, _| Ok(Lines::reader(source, Commands::of(Driver::Nvme))),
    ),
);
pub(super) const SCSI: FormatRow = FormatRow::new(
    "scsi",
    "SCSI commands as text of ftrace, trace-cmd report or perf script: scsi_dispatch_cmd_start and _done",
    FormatKind::new(
        SCSI_SAMPLE,
        |head| has_events(Driver::Scsi, head),
        |source, _| Ok(Lines::reader(source, Commands::of(Driver::Scsi))),
    ),
);

/// A small file with events of NVMe.
const NVME_SAMPLE: &[u8] = b"# tracer: nop\n#\n\
    dd-4711    [001] ..... 812.034512: nvme_setup_cmd: nvme0: disk=nvme0n1, qid=2, cmdid=61, nsid=1, flags=0x0, meta=0x0, cmd=(nvme_cmd_read slba=1048, len=7, ctrl=0x0, dsmgmt=0, reftag=0)\n\
    <idle>-0   [001] d.h1. 812.034601: nvme_complete_rq: nvme0: disk=nvme0n1, qid=2, cmdid=61, res=0x0, retries=0, flags=0x0, status=0x0\n";
/// A small file with events of SCSI.
const SCSI_SAMPLE: &[u8] = b"# tracer: nop\n#\n\
    dd-4711    [001] ..... 812.034512: scsi_dispatch_cmd_start: host_no=0 channel=0 id=0 lun=0 data_sgl=1 prot_sgl=0 prot_op=SCSI_PROT_NORMAL driver_tag=9 scheduler_tag=4 cmnd=(READ_10 lba=1048 txlen=8 protect=0 raw=28 00 00 00 04 18 00 00 08 00)\n\
    <idle>-0   [001] d.h1. 812.038601: scsi_dispatch_cmd_done: host_no=0 channel=0 id=0 lun=0 data_sgl=1 prot_sgl=0 prot_op=SCSI_PROT_NORMAL driver_tag=9 scheduler_tag=4 cmnd=(READ_10 lba=1048 txlen=8 protect=0 raw=28 00 00 00 04 18 00 00 08 00) result=(driver=DRIVER_OK host=DID_OK message=COMMAND_COMPLETE status=SAM_STAT_GOOD)\n";

const SECOND_PLACES: usize = 9;
/// Number of 512-byte sectors in a logical block of 4,096 bytes.
const SECTORS_OF_4K: u64 = 8;
/// Smallest number of requests that shows the size of logical blocks.
const SHOWN_BY: u64 = 8;
/// The bit of the field `ctrl` that forces unit access.
const NVME_FUA: u64 = 1 << 14;

#[derive(Clone, Copy, PartialEq)]
enum Driver {
    Nvme,
    Scsi,
}

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Start,
    Done,
    /// The device took no notice of the command, which starts again later.
    Refused,
}

impl Driver {
    fn step(self, name: &[u8]) -> Option<Step> {
        match (self, name) {
            (Self::Nvme, b"nvme_setup_cmd") | (Self::Scsi, b"scsi_dispatch_cmd_start") => Some(Step::Start),
            (Self::Nvme, b"nvme_complete_rq") | (Self::Scsi, b"scsi_dispatch_cmd_done") => Some(Step::Done),
            (Self::Scsi, b"scsi_dispatch_cmd_error") => Some(Step::Refused),
            _ => None,
        }
    }

    /// The operation of a command; `None` if it does not read, write or flush blocks at one place.
    fn operation(self, command: &[u8]) -> Option<Op> {
        let is_sized = |name: &[u8]| {
            let digits = command.strip_prefix(name).unwrap_or_default();
            !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
        };
        match (self, command) {
            (Self::Nvme, b"nvme_cmd_read") => Some(Op::Read),
            (Self::Nvme, b"nvme_cmd_write" | b"nvme_cmd_zone_append") => Some(Op::Write),
            (Self::Nvme, b"nvme_cmd_flush") => Some(Op::Flush),
            (Self::Scsi, _) if is_sized(b"READ_") => Some(Op::Read),
            (Self::Scsi, _) if is_sized(b"WRITE_") || is_sized(b"WRITE_VERIFY_") => Some(Op::Write),
            (Self::Scsi, b"SYNCHRONIZE_CACHE" | b"SYNCHRONIZE_CACHE_16") => Some(Op::Flush),
            _ => None,
        }
    }
}

fn has_events(driver: Driver, head: &[u8]) -> bool {
    let mut events = content_lines(whole_lines(head)).filter_map(Event::of);
    events.any(|event| driver.step(event.name).is_some())
}

/// Commands of a driver that have started, until they complete.
struct Commands {
    driver: Driver,
    devices: Devices,
    /// Requests by the device, queue and tag of their commands; `None` for a command that is no request.
    open: HashMap<Vec<u8>, Option<TraceRow>>,
    requests: u64,
    /// Number of requests without a completion.
    open_at_end: u64,
    /// Number of completions without a start.
    unstarted: u64,
    /// Number of completions with an error.
    failed: u64,
    /// Number of lines that say that the tracer lost events.
    losses: u64,
    /// True while all places and sizes are multiples of 8 blocks.
    is_in_8: bool,
}

impl LineFormat for Commands {
    fn line(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<()> {
        let Some(event) = Event::of(line).filter(|event| event.name != LOSS) else {
            let expected = "an event: a time in s, a colon and the name of the event";
            let is_loss = says_loss(line);
            ensure!(is_loss || is_remark(line), Fields::new(line).fault_here(expected));
            if is_loss {
                self.losses += 1;
                self.pass_open(out);
            }
            return Ok(());
        };
        out.times = Times::FromAnywhere;
        let Some(step) = self.driver.step(event.name) else { return Ok(()) };
        let time_ns = Fields::from(&line[..event.time.end], event.time.start)
            .decimal(SECOND_PLACES, "a time in s (a decimal number from 0)")?;
        match self.driver {
            Driver::Nvme => self.nvme(line, event.rest, step, time_ns, out),
            Driver::Scsi => self.scsi(line, event.rest, step, time_ns, out),
        }
    }

    fn finish(&mut self, out: &mut ReaderOutput) {
        self.pass_open(out);
        self.add_evidence(&mut out.about);
    }
}

impl Commands {
    fn of(driver: Driver) -> Self {
        Self {
            driver,
            devices: Devices::default(),
            open: HashMap::new(),
            requests: 0,
            open_at_end: 0,
            unstarted: 0,
            failed: 0,
            losses: 0,
            is_in_8: true,
        }
    }

    fn nvme(
        &mut self,
        line: &[u8],
        start: usize,
        step: Step,
        time_ns: i64,
        out: &mut ReaderOutput,
    ) -> Parsed<()> {
        let controller = Fields::from(line, start).word();
        let controller = controller.strip_suffix(b":").unwrap_or(controller);
        let queue = number(line, start, b"qid=", u64::MAX, "qid= and the number of a queue")?;
        let command = number(line, start, b"cmdid=", u64::MAX, "cmdid= and the number of a command")?;
        let key = [controller, format!(" {queue} {command}").as_bytes()].concat();
        if step == Step::Done {
            let status = number(line, start, b"status=", u64::MAX, "status= and a status of NVMe")?;
            self.done(&key, status != 0, time_ns, out);
            return Ok(());
        }
        let (name, at) = value(line, start, b"cmd=(").ok_or(Fault {
            expected: "cmd=( and a command of NVMe",
            at: line.len(),
            separator: b' ',
        })?;
        let is_of_device = queue != 0;
        let Some(op) = self.driver.operation(name).filter(|_| is_of_device) else {
            out.about.skipped.commands += 1;
            self.enter(key, None, out);
            return Ok(());
        };
        let (lbn, blocks, flags) = if op == Op::Flush {
            (0, 0, 0)
        } else {
            let lbn = number(line, at, b"slba=", LBN_MAX, "slba= and a block from 0 to 9223372034707292160")?;
            let last = number(line, at, b"len=", u64::from(u16::MAX), "len= and a length from 0 to 65535")?;
            let control = number(line, at, b"ctrl=", u64::MAX, "ctrl= and bits of control")?;
            (lbn, last + 1, if control & NVME_FUA == 0 { 0 } else { flags::FUA })
        };
        let namespace = value(line, start, b"disk=").map(|(disk, _)| disk.to_vec());
        let device = namespace.unwrap_or_else(|| {
            let number = value(line, start, b"nsid=").map_or(b"".as_slice(), |(number, _)| number);
            [controller, b"n", number].concat()
        });
        let request = TraceRow { arrival_ns: time_ns, op, flags, ..TraceRow::default() };
        self.start(key, &device, (lbn, blocks), request, out);
        Ok(())
    }

    fn scsi(
        &mut self,
        line: &[u8],
        start: usize,
        step: Step,
        time_ns: i64,
        out: &mut ReaderOutput,
    ) -> Parsed<()> {
        let mut device = Vec::new();
        for key in [b"host_no=".as_slice(), b"channel=", b"id=", b"lun="] {
            let expected = "host_no=, channel=, id= and lun= with the numbers of a device";
            let part = number(line, start, key, u64::MAX, expected)?;
            device.extend_from_slice(if device.is_empty() { b"" } else { b":" });
            device.extend_from_slice(part.to_string().as_bytes());
        }
        let (name, at) = value(line, start, b"cmnd=(").ok_or(Fault {
            expected: "cmnd=( and a command of SCSI",
            at: line.len(),
            separator: b' ',
        })?;
        let Some(op) = self.driver.operation(name) else {
            out.about.skipped.commands += u64::from(step == Step::Start);
            return Ok(());
        };
        let (lbn, blocks) = if op == Op::Flush {
            (0, 0)
        } else {
            (
                number(line, at, b"lba=", LBN_MAX, "lba= and a block from 0 to 9223372034707292160")?,
                number(line, at, b"txlen=", I32_MAX, "txlen= and a number of blocks from 0 to 2147483647")?,
            )
        };
        // Older kernels print no tag.
        let tag = value(line, start, b"driver_tag=").map_or(b"".as_slice(), |(tag, _)| tag);
        let key = [&device, b" ".as_slice(), tag, format!(" {lbn} {blocks} {op:?}").as_bytes()].concat();
        match step {
            Step::Start => {
                let request = TraceRow { arrival_ns: time_ns, op, ..TraceRow::default() };
                self.start(key, &device, (lbn, blocks), request, out);
            }
            Step::Done => {
                let status = value(line, at, b"status=").map_or(b"".as_slice(), |(status, _)| status);
                let is_good = matches!(status, b"SAM_STAT_GOOD" | b"0x00" | b"0x0" | b"0" | b"");
                let host = value(line, at, b"host=").map_or(b"".as_slice(), |(host, _)| host);
                self.done(&key, !is_good || !matches!(host, b"DID_OK" | b""), time_ns, out);
            }
            Step::Refused => drop(self.open.remove(&key)),
        }
        Ok(())
    }

    fn start(
        &mut self,
        key: Vec<u8>,
        device: &[u8],
        (lbn, blocks): (u64, u64),
        request: TraceRow,
        out: &mut ReaderOutput,
    ) {
        if blocks == 0 && request.op != Op::Flush {
            out.about.skipped.empty += 1;
            self.enter(key, None, out);
            return;
        }
        self.requests += 1;
        self.is_in_8 &= lbn.is_multiple_of(SECTORS_OF_4K) && blocks.is_multiple_of(SECTORS_OF_4K);
        let device = self.devices.number(device, &mut out.about);
        let request = TraceRow { lbn: lbn as i64, blocks: blocks as i32, device, ..request };
        self.enter(key, Some(request), out);
    }

    /// Enters a command under `key`. An earlier one that is open under this key has lost its completion.
    fn enter(&mut self, key: Vec<u8>, request: Option<TraceRow>, out: &mut ReaderOutput) {
        if let Some(earlier) = self.open.insert(key, request).flatten() {
            self.open_at_end += 1;
            out.rows.push(earlier);
        }
    }

    fn done(&mut self, key: &[u8], has_failed: bool, time_ns: i64, out: &mut ReaderOutput) {
        match self.open.remove(key) {
            Some(Some(request)) => {
                let service_ns = if has_failed { 0 } else { (time_ns - request.arrival_ns).max(0) };
                self.failed += u64::from(has_failed);
                out.rows.push(TraceRow { service_ns, response_ns: service_ns, ..request });
            }
            Some(None) => {}
            None => self.unstarted += 1,
        }
    }

    /// Passes on the requests without a completion, in order of arrival.
    fn pass_open(&mut self, out: &mut ReaderOutput) {
        let mut open: Vec<TraceRow> = self.open.drain().filter_map(|(_, request)| request).collect();
        open.sort_by_key(|request| (request.arrival_ns, request.device, request.lbn));
        self.open_at_end += open.len() as u64;
        open.into_iter().for_each(|request| out.rows.push(request));
    }

    fn add_evidence(&self, about: &mut TraceInfo) {
        let Self { losses, open_at_end, unstarted, failed, requests, .. } = self;
        if *losses > 0 {
            let text =
                format!("requests are missing: the tracer lost events (number of its reports: {losses})");
            about.doubt(Aspect::Completeness, text);
        }
        // Some commands are always in flight at the start and at the end.
        let is_many = |count: u64| count * 100 > *requests;
        if is_many(*unstarted) {
            let text = format!("completions without a start: {unstarted}, beside {requests} requests that started; requests are missing");
            about.doubt(Aspect::Completeness, text);
        }
        if is_many(*open_at_end) {
            let text =
                format!("{open_at_end} of {requests} requests have no completion, and so no measured time");
            about.doubt(Aspect::Pairing, text);
        }
        if *failed > 0 {
            let text = format!(
                "{failed} of {requests} requests ended with an error, and count without a measured time"
            );
            about.doubt(Aspect::Pairing, text);
        }
        let text = "places and sizes count as blocks of 512 bytes: the events do not give the size of logical blocks, which is 4,096 bytes on some devices";
        if *requests > 0 && (!self.is_in_8 || *requests < SHOWN_BY) {
            about.doubt(Aspect::Plausibility, text);
        } else if *requests > 0 {
            about.remark(Aspect::Plausibility, text);
        }
    }
}
