//! The iologs of fio (fio(1), "Trace file format"), versions 2 and 3: each line is an action on a file. In
//! version 2, a line `file wait us 0` lets time pass; in version 3, each line starts with its time in us.

use std::collections::HashSet;

use super::super::columns::{Op, TraceRow};
use super::super::device_numbers::Devices;
use super::super::fields::{content_lines, Fields, Parsed};
use super::super::lines::{LineFormat, Lines};
use super::super::quantities::{sectors, OFFSET_MAX, SECTOR_BYTES};
use super::super::trace_info::{ReaderOutput, TraceInfo};
use super::super::writer::{push_whole, Writer};
use super::{FormatKind, FormatRow};
use crate::error::{ensure, Error, Result};

pub(super) const ROW: FormatRow = FormatRow::new(
    "fio",
    "fio iolog, versions 2 and 3 (written as version 3); each file counts as a device, and syncs are flushes",
    FormatKind::new(
        SAMPLE,
        |head| content_lines(head).next().is_some_and(|line| line.starts_with(b"fio version ")),
        |source, _| Ok(Lines::reader(source, Fio::default())),
    )
    .writer(|| Box::new(FioWriter::default())),
);

/// A small file in this format.
const SAMPLE: &[u8] = b"fio version 3 iolog\n18 /tmp/f add\n126 /tmp/f open\n130 /tmp/f read 2023424 16384\n4666059 /tmp/f close\n";

const HEADER: &str = "fio version 3 iolog\n";
const NS_PER_US: i64 = 1_000;
/// The largest time in us that can be expressed in ns.
const TIME_US_MAX: u64 = (i64::MAX / NS_PER_US) as u64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Version {
    /// Version 2: lines with `wait` let time pass.
    Second,
    /// Version 3: each line starts with its time.
    Third,
}

#[derive(Default)]
struct Fio {
    version: Option<Version>,
    time_us: u64,
    files: Devices,
}

impl LineFormat for Fio {
    fn line(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<()> {
        let Some(version) = self.version else {
            self.version = Some(header(line)?);
            return Ok(());
        };
        let mut fields = Fields::new(line);
        if version == Version::Third {
            self.time_us = fields.integer(0..=TIME_US_MAX, "a time in us from 0")?;
        }
        let before_file = fields.fault_here("a file name");
        let file = fields.word();
        ensure!(!file.is_empty(), before_file);
        let before_action = fields.fault_here(match version {
            Version::Second => "an action (add, open, close, read, write, trim, sync, datasync or wait)",
            Version::Third => "an action (add, open, close, read, write, trim, sync or datasync)",
        });
        let op = match fields.word() {
            b"add" | b"open" | b"close" => return fields.end(),
            b"wait" if version == Version::Second => return self.wait(&mut fields),
            b"read" => Op::Read,
            b"write" => Op::Write,
            b"trim" => Op::Discard,
            b"sync" | b"datasync" => Op::Flush,
            _ => return Err(before_action),
        };
        let (offset, size) = (fields.offset()?, fields.size()?);
        fields.end()?;
        if size == 0 && op != Op::Flush {
            out.about.skipped.empty += 1;
            return Ok(());
        }
        let (lbn, blocks) = if op == Op::Flush { (0, 0) } else { sectors(offset, size) };
        let device = self.files.number(file, &mut out.about);
        let arrival_ns = self.time_us as i64 * NS_PER_US;
        out.rows.push(TraceRow { arrival_ns, lbn, blocks, op, device, ..TraceRow::default() });
        Ok(())
    }
}

impl Fio {
    /// Parses a line with the action `wait`, and lets its time pass after all earlier waits.
    fn wait(&mut self, fields: &mut Fields<'_>) -> Parsed<()> {
        let expected = "a wait in us from 0";
        let before = fields.fault_here(expected);
        let wait_us = fields.integer(0..=TIME_US_MAX, expected)?;
        fields.integer(0..=u64::MAX, "0 after a wait")?;
        fields.end()?;
        self.time_us = Some(self.time_us + wait_us).filter(|time| *time <= TIME_US_MAX).ok_or(before)?;
        Ok(())
    }
}

/// Parses the version from the first line.
fn header(line: &[u8]) -> Parsed<Version> {
    match line.trim_ascii() {
        b"fio version 2 iolog" => Ok(Version::Second),
        b"fio version 3 iolog" => Ok(Version::Third),
        _ => Err(Fields::new(line)
            .fault_here("\"fio version 2 iolog\" or \"fio version 3 iolog\" in the first line")),
    }
}

/// A writer of version 3, which adds and opens each device before the first request to it.
#[derive(Default)]
struct FioWriter {
    opened: HashSet<i32>,
}

impl Writer for FioWriter {
    fn request(&mut self, request: &TraceRow, about: &TraceInfo, bytes: &mut Vec<u8>) -> Result<bool> {
        let (time_us, offset) = times_and_offset(request)?;
        let name = file_name(request.device, about);
        if self.opened.is_empty() {
            bytes.extend_from_slice(HEADER.as_bytes());
        }
        let mut begin = |action: &str| {
            push_whole(time_us, bytes);
            bytes.push(b' ');
            bytes.extend_from_slice(name.as_bytes());
            bytes.push(b' ');
            bytes.extend_from_slice(action.as_bytes());
        };
        if self.opened.insert(request.device) {
            begin("add\n");
            begin("open\n");
        }
        begin(match request.op {
            Op::Read => "read ",
            Op::Write => "write ",
            Op::Discard => "trim ",
            Op::Flush => "sync ",
        });
        push_whole(offset, bytes);
        bytes.push(b' ');
        push_whole(u64::from(request.blocks.unsigned_abs()) * SECTOR_BYTES, bytes);
        bytes.push(b'\n');
        Ok(true)
    }
}

/// Returns the arrival time of a request rounded to us, and its offset in bytes.
fn times_and_offset(request: &TraceRow) -> Result<(u64, u64)> {
    let time_us = u64::try_from(request.arrival_ns).map(|ns| (ns + 500) / NS_PER_US as u64);
    let lbn = u64::try_from(request.lbn).ok().filter(|lbn| *lbn <= OFFSET_MAX / SECTOR_BYTES);
    match (time_us, lbn) {
        (Ok(time_us), Some(lbn)) => Ok((time_us.min(TIME_US_MAX), lbn * SECTOR_BYTES)),
        (Err(_), _) => Err(Error::Trace(format!(
            "fio: expected an arrival time of at least 0 ns, found {}",
            request.arrival_ns
        ))),
        (_, None) => Err(Error::Trace(format!(
            "fio: expected a sector from 0 to {}, found {}",
            OFFSET_MAX / SECTOR_BYTES,
            request.lbn
        ))),
    }
}

/// The file name that stands for a device; blanks in the device's name are replaced, because the format
/// cannot hold them.
fn file_name(device: i32, about: &TraceInfo) -> String {
    match about.device_names.get(&device) {
        Some(name) if !name.is_empty() => name.replace(|letter: char| letter.is_whitespace(), "_"),
        _ => format!("device{device}"),
    }
}
