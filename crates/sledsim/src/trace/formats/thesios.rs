//! The traces of disks of Google that Thesios synthesizes (README at
//! https://github.com/google-research-datasets/thesios): one request of a storage server per line, with the
//! columns of its header. Times are in seconds since 1970, offsets and sizes in bytes. Files put together
//! from several have a header before each part.
//!
//! A request has a file and an offset in it instead of a place on the disk. Its file is therefore laid out in
//! extents, each of which takes the next free place when it is first used.

use std::collections::HashMap;

use super::super::columns::TraceRow;
use super::super::evidence::Aspect;
use super::super::fields::{Commas, Parsed};
use super::super::lines::{LineFormat, Lines};
use super::super::quantities::{sectors, OFFSET_MAX};
use super::super::trace_info::ReaderOutput;
use super::shape::{first_line, is_read_or_write};
use super::{FormatKind, FormatRow};
use crate::error::ensure;
use crate::hashing::ByNumbers;

pub(super) const ROW: FormatRow = FormatRow::new(
    "thesios",
    "Thesios CSV (Google): requests of a storage server that come to its disk; files are laid out by first use",
    FormatKind::new(SAMPLE, matches, |source, _| Ok(Lines::reader(source, Thesios::default()))).with_clock(),
);

/// A small file in this format.
const SAMPLE: &[u8] = b"filename,file_offset,application,c_time,io_zone,redundancy_type,op_type,service_class,from_flash_cache,cache_hit,request_io_size_bytes,disk_io_size_bytes,response_io_size_bytes,start_time,disk_time,simulated_disk_start_time,simulated_latency\n\
    f1,1048576,app,1705000000,COLD,ERASURE_CODED,READ,OTHER,0,0,65536,65536,65536,1705305600.25,0.0125,1705305600.2505,0.0131\n\
    f2,0,app,1705000001,WARM,REPLICATED,WRITE,LATENCY_SENSITIVE,0,-1,4096,0,0,1705305600.5,0,0,0.0002\n";

const SECOND_PLACES: usize = 9;
/// Number of bytes of an extent; the requests of published traces are at most half as large.
const EXTENT: u64 = 16 << 20;

/// Names of the columns that are read, in the order of the constants below.
const NAMES: [&[u8]; 8] = [
    b"filename",
    b"file_offset",
    b"op_type",
    b"request_io_size_bytes",
    b"start_time",
    b"cache_hit",
    b"disk_time",
    b"simulated_latency",
];
const FILE: usize = 0;
const OFFSET: usize = 1;
const OP: usize = 2;
const SIZE: usize = 3;
const START: usize = 4;
/// Number of columns that a header must have; the other columns are optional.
const REQUIRED: usize = 5;
const HIT: usize = 5;
const DISK_TIME: usize = 6;
const LATENCY: usize = 7;
/// The columns of published files, which a part of a file without its header has.
const PUBLISHED: &[u8] = b"filename,file_offset,,,,redundancy_type,op_type,,,cache_hit,request_io_size_bytes,,,start_time,disk_time,,simulated_latency";
const REDUNDANCY: [&[u8]; 2] = [b"REPLICATED", b"ERASURE_CODED"];

/// The position in `NAMES` of the name of each column of a line, if the column is read.
type Header = Vec<Option<usize>>;

#[derive(Default)]
struct Thesios {
    header: Option<Header>,
    files: Files,
    /// Number of reads that the server answered from its cache.
    hits: u64,
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|byte| *byte == b',').map(<[u8]>::trim_ascii)
}

/// Reads the positions of the columns from a header; `None` if the line is no header.
fn header_of(line: &[u8]) -> Option<Header> {
    let header: Header = words(line).map(|word| NAMES.iter().position(|name| *name == word)).collect();
    (0..REQUIRED).all(|field| header.contains(&Some(field))).then_some(header)
}

/// True if a line without a header before it has the columns of published files.
fn is_row(line: &[u8]) -> bool {
    let is = |at: usize, holds: &dyn Fn(&[u8]) -> bool| words(line).nth(at).is_some_and(holds);
    words(line).count() == words(PUBLISHED).count()
        && is(5, &|word| REDUNDANCY.contains(&word))
        && is(6, &is_read_or_write)
}

fn matches(head: &[u8]) -> bool {
    let line = first_line(head);
    header_of(line).is_some() || is_row(line)
}

impl LineFormat for Thesios {
    fn line(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<()> {
        if let Some(header) = header_of(line) {
            self.header = Some(header);
            return Ok(());
        }
        let header = match &self.header {
            Some(header) => header,
            None => {
                let expected = "the header of Thesios: filename,file_offset,...,start_time,...";
                ensure!(is_row(line), Commas::of(line).fault_here(expected));
                self.header.insert(header_of(PUBLISHED).unwrap_or_default())
            }
        };
        let mut columns: [Option<Commas<'_>>; NAMES.len()] = Default::default();
        let mut rest = Commas::of(line);
        for field in header {
            if let Some(field) = field {
                columns[*field] = Some(rest.clone());
            }
            rest.word();
        }
        rest.end()?;
        if let Some((file, offset, size, request)) = request(columns, out)? {
            let Some(request) = request else {
                self.hits += 1;
                out.about.skipped.other += 1;
                return Ok(());
            };
            let (lbn, blocks) = sectors(self.files.place(file, offset, size), size);
            out.rows.push(TraceRow { lbn, blocks, ..request });
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut ReaderOutput) {
        if self.hits > 0 {
            let text = format!(
                "reads that the server answered from its cache (cache_hit = 1) did not come to the disk and are left out: {}",
                self.hits
            );
            out.about.remark(Aspect::Completeness, text);
        }
        let files = self.files.numbers.len();
        if files > 0 {
            let text = format!(
                "places are made up: the trace gives a file and an offset in it; the extents of 16 MiB of its files ({files}) follow each other in order of first use, so that distances between files are not those of the disk"
            );
            out.about.doubt(Aspect::Plausibility, text);
        }
    }
}

/// File, offset and size of a request, and its other properties, which are `None` for a hit in the
/// server's cache.
type Found<'a> = (&'a [u8], u64, u64, Option<TraceRow>);

/// Parses a request; returns `None` for one without data, which is counted in `out`.
fn request<'a>(
    columns: [Option<Commas<'a>>; NAMES.len()],
    out: &mut ReaderOutput,
) -> Parsed<Option<Found<'a>>> {
    let at = |field: usize| columns[field].clone().unwrap_or_else(|| Commas::of(b""));
    let offset = at(OFFSET).offset()?;
    let op = at(OP).read_or_write()?;
    let size = at(SIZE).size()?;
    let seconds = |field: usize, expected| match &columns[field] {
        Some(column) => column.clone().decimal(SECOND_PLACES, expected),
        None => Ok(0),
    };
    let arrival_ns = seconds(START, "a time in s since 1970 (a decimal number from 0)")?;
    let service_ns = seconds(DISK_TIME, "a time of the disk in s (a decimal number from 0)")?;
    let response_ns = seconds(LATENCY, "a latency in s (a decimal number from 0)")?;
    let request = TraceRow { arrival_ns, op, response_ns, service_ns, ..TraceRow::default() };
    let hit = columns[HIT].clone().map_or(b"0".as_slice(), |mut column| column.word());
    let before_hit = at(HIT).fault_here("1 (hit in the cache), 0 or -1");
    ensure!([b"0".as_slice(), b"1", b"-1"].contains(&hit), before_hit);
    if size == 0 {
        out.about.skipped.empty += 1;
        return Ok(None);
    }
    Ok(Some((at(FILE).word(), offset, size, (hit != b"1").then_some(request))))
}

/// The places of files in a space of their own.
#[derive(Default)]
struct Files {
    numbers: HashMap<Box<[u8]>, u64>,
    /// The place of each extent used, by file and extent of the file, in extents.
    extents: ByNumbers<(u64, u64), u64>,
}

impl Files {
    /// Returns the place in bytes of a request. A request that reaches into an extent that does not follow
    /// is moved to the end of the extent in which it begins.
    fn place(&mut self, name: &[u8], offset: u64, size: u64) -> u64 {
        let file = match self.numbers.get(name) {
            Some(number) => *number,
            None => {
                let number = self.numbers.len() as u64;
                self.numbers.insert(name.into(), number);
                number
            }
        };
        let (first, last) = (offset / EXTENT, offset.saturating_add(size - 1).min(OFFSET_MAX) / EXTENT);
        let start = self.extent(file, first) * EXTENT;
        let is_whole = first == last || self.extent(file, first + 1) == start / EXTENT + 1;
        let place = start + offset % EXTENT;
        if is_whole {
            place
        } else {
            place.min((start + EXTENT).saturating_sub(size))
        }
    }

    fn extent(&mut self, file: u64, extent: u64) -> u64 {
        let next = self.extents.len() as u64;
        *self.extents.entry((file, extent)).or_insert(next)
    }
}
