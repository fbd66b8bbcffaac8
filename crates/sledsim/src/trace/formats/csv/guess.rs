//! Guesses what the columns of a table hold, by the names in its header.

use super::super::shape::{is_number, is_whole};
use super::column_map::{time_unit, unit_bytes, Entry, Field, Meaning, TimeUnit};
use super::dialect::Table;

/// Names in lower case, without a unit and without anything but letters, between blanks.
const NAMES: [(Field, &str); 9] = [
    (Field::Time, "time timestamp ts arrival arrivaltime issuetime t"),
    (Field::Lbn, "lbn lba sector block blkno startsector startlba blocknumber"),
    (Field::Offset, "offset byteoffset off position pos"),
    (Field::Size, "size length len iosize requestsize reqsize transfersize"),
    (Field::Op, "op type rw iotype optype opcode operation readwrite rwbs cmd"),
    (Field::Device, "device dev disk disknumber volume vol lun asu drive deviceid diskid volumeid"),
    (Field::Metadata, "metadata meta ismetadata ismeta"),
    (Field::Response, "response responsetime latency lat"),
    (Field::Service, "service servicetime"),
];
/// Names of a number of sectors, and of one of bytes.
const COUNTS: [(u64, &str); 2] = [
    (512, "sectors nsect nsectors numsectors blocks nblocks numblocks bcount sectorcount"),
    (1, "bytes nbytes numbytes bytecount"),
];

/// The columns that can be told by their names; each field once, by the first column of such a name.
pub(super) fn columns(table: &Table<'_>) -> Vec<Entry> {
    let first_row = table.first_row();
    let mut entries: Vec<Entry> = Vec::new();
    for (at, name) in table.names.iter().enumerate() {
        let value = first_row.get(at).copied().unwrap_or_default();
        let Some((field, meaning)) = column(name, value) else { continue };
        let is_place = |field| matches!(field, Field::Lbn | Field::Offset);
        let is_taken = |entry: &Entry| entry.field == field || is_place(entry.field) && is_place(field);
        if !entries.iter().any(is_taken) {
            entries.push(Entry { field, column: name.clone(), meaning });
        }
    }
    entries
}

/// Field in a column of that name and with that first value.
fn column(name: &str, value: &[u8]) -> Option<(Field, Meaning)> {
    let words: Vec<String> = name
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let joined = words.concat();
    if let Some(unit) = called(&joined, &COUNTS) {
        return Some((Field::Size, Meaning { unit_bytes: Some(unit), ..Meaning::default() }));
    }
    if let Some(field) = called(&joined, &NAMES) {
        return Some((field, default_meaning(field, value)?));
    }
    let (unit, rest) = words.split_last()?;
    let field = called(&rest.concat(), &NAMES)?;
    let meaning = match field {
        Field::Time | Field::Response | Field::Service => {
            Meaning { time: Some(time_unit(unit)?), ..Meaning::default() }
        }
        Field::Lbn | Field::Offset | Field::Size => {
            Meaning { unit_bytes: Some(unit_bytes(unit)?), ..Meaning::default() }
        }
        Field::Op | Field::Device | Field::Metadata => return None,
    };
    Some((field, meaning))
}

/// Entry of that name in a table of names.
fn called<T: Copy>(name: &str, table: &[(T, &str)]) -> Option<T> {
    table.iter().find(|(_, names)| names.split(' ').any(|known| known == name)).map(|(what, _)| *what)
}

/// Unit of a column without one in its name. Measured times without one are left alone.
fn default_meaning(field: Field, value: &[u8]) -> Option<Meaning> {
    let none = Meaning::default();
    Some(match field {
        Field::Time => Meaning { time: Some(time_unit_of(value)?), ..none },
        Field::Lbn => Meaning { unit_bytes: Some(512), ..none },
        Field::Offset | Field::Size => Meaning { unit_bytes: Some(1), ..none },
        Field::Response | Field::Service => return None,
        Field::Op | Field::Device | Field::Metadata => none,
    })
}

/// The unit of a time: a time of day in this century has 10 digits in s, 13 in ms, 16 in us, 19 in ns, and 18 as a
/// Windows file time; any other number is taken for seconds.
fn time_unit_of(value: &[u8]) -> Option<TimeUnit> {
    if !is_number(value) {
        return None;
    }
    let digits = value.split(|&byte| byte == b'.').next().unwrap_or_default();
    Some(match digits.len() {
        18 if is_whole(value) => TimeUnit::FileTime,
        13 => TimeUnit::Decimal { places: 6 },
        16 => TimeUnit::Decimal { places: 3 },
        19 => TimeUnit::Decimal { places: 0 },
        _ => TimeUnit::Decimal { places: 9 },
    })
}

#[cfg(test)]
mod tests {
    use super::super::column_map;
    use super::*;

    #[test]
    fn common_names_are_told() {
        for (head, expected) in [
            (
                "time_us,op,sector,nsect,sync,meta\n1,R,2,3,1,0\n",
                "time=time_us:us,op=op,lbn=sector:sectors,size=nsect:sectors,metadata=meta",
            ),
            (
                "time_us,device,offset_bytes,size_bytes,rw,class\n1,0,512,512,R,2\n",
                "time=time_us:us,device=device,offset=offset_bytes:B,size=size_bytes:B,op=rw",
            ),
            (
                "Timestamp;LBA;Size;Type;Latency (us)\n1672531200;0;8;R;1\n",
                "time=Timestamp:s,lbn=LBA:sectors,size=Size:B,op=Type,response=Latency (us):us",
            ),
            ("ts,lba,offset,length\n1672531200000,1,2,3\n", "time=ts:ms,lbn=lba:sectors,size=length:B"),
            ("ts,len_sectors\n1672531200000000.5,1\n", "time=ts:us,size=len_sectors:sectors"),
            ("ts,latency\n1672531200000000000,1\n", "time=ts:ns"),
            ("ts,device_us\n128166372003061629,1\n", "time=ts:filetime"),
            ("foo,bar\n1,2\n", ""),
        ] {
            let table = Table::of(head.as_bytes()).unwrap();
            assert_eq!(column_map::text(&columns(&table)), expected);
        }
    }
}
