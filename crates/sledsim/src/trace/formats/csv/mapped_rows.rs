//! Conversion of the lines of a table with known columns into requests.

use std::ops::Range;

use super::super::super::columns::{Op, TraceRow};
use super::super::super::completions::{Completions, Ended, Event};
use super::super::super::device_numbers::Devices;
use super::super::super::evidence::{Aspect, Evidence};
use super::super::super::fields::{Fault, Parsed};
use super::super::super::lines::LineFormat;
use super::super::super::plausibility::{Extents, Unit};
use super::super::super::quantities::sectors;
use super::super::super::trace_info::ReaderOutput;
use super::column_map::{Entry, Field};
use super::dialect::{split, words, Table};
use super::notation::Notation;
use super::row_kinds::{RowKind, RowKinds};
use super::values::{unit_bytes, Row, Values};
use crate::error::ensure;

/// The fault of a line that has another number of columns than the header.
const COLUMNS: &str = "as many columns as in the header";
/// Name of the device of requests in whose column there is nothing.
const NAMELESS: &[u8] = b"?";

/// Converter from lines of a table with known columns to requests.
#[derive(Default)]
pub(super) struct MappedRows {
    separator: u8,
    /// The header line; empty if the table has no header.
    header: Vec<u8>,
    columns: Vec<(usize, Entry)>,
    /// Number of columns into which a line is split, at least up to the last column that is needed.
    count: usize,
    /// Number of columns of every line; 0 if lines may have any number.
    all: usize,
    /// Number of the next lines that are no part of the table.
    titles: usize,
    /// Positions of the columns within the current line.
    places: Vec<Range<usize>>,
    values: Values,
    kinds: RowKinds,
    /// Requests that wait for their completions.
    completions: Completions,
    devices: Devices,
    is_behind_first: bool,
    extents: Extents,
    /// Evidence on how the columns were recognised; it is passed on with the first line.
    evidence: Vec<Evidence>,
}

impl MappedRows {
    pub fn new(
        table: &Table<'_>,
        columns: Vec<(usize, Entry)>,
        notation: Notation,
        evidence: Vec<Evidence>,
    ) -> Self {
        let unit = |fields: &[Field]| {
            let entry = columns.iter().find(|(_, entry)| fields.contains(&entry.field));
            match entry.map_or(1, |(_, entry)| unit_bytes(entry.field, &entry.meaning)) {
                1 => Unit::Bytes,
                512 => Unit::Sectors,
                _ => Unit::Other,
            }
        };
        let all = if table.has_named_columns(&columns) { table.names.len() } else { 0 };
        let needed = columns.iter().map(|(at, _)| at + 1).max().unwrap_or(0);
        Self {
            separator: table.separator,
            header: if table.has_header { table.first.trim_ascii().to_vec() } else { Vec::new() },
            // Runs of blanks are counted only by splitting the line there.
            count: if table.separator == b' ' { needed.max(all) } else { needed },
            all,
            titles: table.titles,
            values: Values::new(table, &columns, notation),
            kinds: RowKinds::of(&columns),
            extents: Extents::new(unit(&[Field::Lbn, Field::Offset]), unit(&[Field::Size])),
            columns,
            evidence,
            ..Self::default()
        }
    }

    fn request(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<()> {
        let rest = split(line, self.separator, self.count, &mut self.places);
        let kind =
            if self.kinds.is_one() { RowKind::Request } else { self.kinds.of_line(line, &self.places) };
        if kind == RowKind::Other {
            out.about.skipped.other += 1;
            return Ok(());
        }
        ensure!(self.has_all(line, rest), Fault { expected: COLUMNS, at: 0, separator: self.separator });
        let mut row = Row::default();
        for (at, entry) in &self.columns {
            let place = self.places.get(*at).cloned().unwrap_or(line.len()..line.len());
            let fault = |expected| Fault { expected, at: place.start, separator: self.separator };
            match self.values.take(&line[place.clone()], entry, &mut row) {
                Ok(()) => {}
                // The place of a flush does not matter, and at this point the operation may be unknown.
                Err(expected) if matches!(entry.field, Field::Lbn | Field::Offset | Field::Size) => {
                    row.fault = row.fault.or(Some(fault(expected)));
                }
                Err(_)
                    if kind == RowKind::Completion && !matches!(entry.field, Field::Time | Field::Device) => {
                }
                Err(expected) => return Err(row.fault.unwrap_or(fault(expected))),
            }
            if entry.field == Field::Device && !self.values.are_devices_numbers {
                row.device = Some(place);
            }
        }
        if let Some(fault) = row.fault.filter(|_| row.request.op != Op::Flush) {
            return Err(fault);
        }
        if let Some(place) = row.device.take() {
            let name = if place.is_empty() { NAMELESS } else { &line[place] };
            row.request.device = self.devices.number(name, &mut out.about);
        }
        if !self.is_behind_first {
            self.is_behind_first = true;
            out.times = row.times;
        }
        if kind == RowKind::Completion {
            let (lbn, blocks) = if row.size == 0 { (0, 0) } else { sectors(row.place_bytes, row.size_bytes) };
            let TraceRow { device, op, arrival_ns, .. } = row.request;
            let ended = Ended { device, op, lbn, blocks, has_failed: false };
            self.completions.ended(Event::Completion, ended, arrival_ns, out);
        } else {
            self.pass(row, out);
        }
        Ok(())
    }

    /// True if a line has as many columns as it must have; `rest` is what is left of it behind the columns
    /// that are needed.
    fn has_all(&self, line: &[u8], rest: Option<&[u8]>) -> bool {
        let is_separator = |byte: &&u8| **byte == self.separator;
        let others = || rest.map_or(0, |rest| 1 + rest.iter().filter(is_separator).count());
        if self.all == 0 {
            return true;
        }
        let found = self.places.len() + others();
        found == self.all || self.ends_in_empty(line, found) || self.count_columns(line) == self.all
    }

    /// True if the last columns of a line are empty, from the first that is more than it must have; `found` is the
    /// number of its columns.
    fn ends_in_empty(&self, line: &[u8], found: usize) -> bool {
        let start = line.len().checked_sub(found.saturating_sub(self.all));
        let end = start.map_or(&[][..], |start| &line[start..]);
        !end.is_empty() && end.iter().all(|byte| *byte == self.separator)
    }

    /// Number of the columns of a line, without empty ones at the end that are more than it must have.
    #[cold]
    fn count_columns(&self, line: &[u8]) -> usize {
        let found = words(line, self.separator);
        let last = found.iter().rposition(|word| !word.is_empty()).map_or(0, |last| last + 1);
        last.max(found.len().min(self.all))
    }

    fn pass(&mut self, row: Row, out: &mut ReaderOutput) {
        let Row { place, place_bytes, size, size_bytes, request, is_command, flushes_first, .. } = row;
        if is_command {
            out.about.skipped.commands += 1;
        } else if request.op == Op::Flush || flushes_first && size == 0 {
            let TraceRow { arrival_ns, device, response_ns, service_ns, .. } = request;
            let flush = TraceRow { arrival_ns, device, op: Op::Flush, ..TraceRow::default() };
            self.put(TraceRow { response_ns, service_ns, ..flush }, out);
        } else if self.extents.add(place, size, &mut out.about) {
            let (lbn, blocks) = sectors(place_bytes, size_bytes);
            self.put(TraceRow { lbn, blocks, ..request }, out);
        }
    }

    #[inline]
    fn put(&mut self, request: TraceRow, out: &mut ReaderOutput) {
        if self.kinds.complete.is_some() {
            self.completions.dispatched(request, out);
        } else {
            out.rows.push(request);
        }
    }
}

impl LineFormat for MappedRows {
    fn line(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<()> {
        out.about.evidence.append(&mut self.evidence);
        if self.titles > 0 {
            self.titles -= 1;
            return Ok(());
        }
        if !self.header.is_empty() && line.trim_ascii() == self.header {
            return Ok(());
        }
        self.request(line, out)
    }

    fn message(&self, fault: Fault, line: &[u8]) -> String {
        if fault.expected == COLUMNS {
            let found = self.count_columns(line);
            return format!("expected {} columns as in the header, found {found}", self.all);
        }
        let is_quoted = fault.at > 0 && line[fault.at - 1] == b'"';
        Fault { separator: if is_quoted { b'"' } else { fault.separator }, ..fault }.message(line)
    }

    fn finish(&mut self, out: &mut ReaderOutput) {
        self.completions.finish(out);
        if let Some(said) = self.values.notation.remark() {
            out.about.remark(Aspect::Notation, said);
        }
        self.extents.add_notes(&mut out.about);
    }
}
