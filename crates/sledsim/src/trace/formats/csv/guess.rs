//! Recognition of columns by the names in a table's header, and of the column of operations also by its
//! values.

use super::super::super::columns::Op;
use super::super::super::fields::quote;
use super::super::shape::is_number;
use super::calendar;
use super::column_map::{time_unit, unit_bytes, Entry, Field, Meaning, TimeUnit};
use super::dialect::Table;
use super::notation::any_number;
use super::{operations, words};

/// Column names by which each field is recognised, separated by blanks. Names in a header are
/// compared in lower case, without other characters than letters and digits, and without a unit.
const NAMES: [(Field, &str); 9] = [
    (Field::Time, "time timestamp ts arrival arrivaltime issuetime inittime submittime starttime date datetime t"),
    (
        Field::Lbn,
        "lbn lba slba sector block blkno startsector startingsector sectornumber startlba startblock blocknumber \
         blockaddr blkaddr objid",
    ),
    (Field::Offset, "offset byteoffset minoffset startoffset off position pos address addr byteaddress"),
    (
        Field::Size,
        "size length len datalen datalength reqlen iosize iolength requestsize reqsize transfersize transferlength \
         xfersize objsize objectsize",
    ),
    (
        Field::Op,
        "op type rw t iotype ioop optype rwtype reqtype requesttype opcode operation readwrite readorwrite iswrite rwbs \
         rwflag rwflags cmd command direction dir isread",
    ),
    (
        Field::Device,
        "device dev disk disknum disknumber diskname volume vol lun asu drive devid devname deviceid devicename diskid \
         volumeid majorminor",
    ),
    (Field::Metadata, "metadata meta ismetadata ismeta"),
    (Field::Response, "response responsetime resptime latency lat iotime elapsed elapsedtime"),
    (Field::Service, "service servicetime svctime diskservicetime disksvctime"),
];
/// Names of columns of sizes that count sectors or bytes, with the number of bytes in this unit.
const COUNTS: [(u64, &str); 2] = [
    (512, "sectors nsect nsectors nrsector nrsectors numsectors blocks nblocks nrblocks numblocks bcount sectorcount blockcount"),
    (1, "bytes nbytes nrbytes numbytes bytecount"),
];

/// Recognises columns by their names. Each field belongs to the first column with a suitable name, and
/// times to a column of starts if there is one. A column
/// of operations whose name is unknown is recognised by its values.
pub(super) fn columns(table: &Table<'_>) -> Vec<Entry> {
    let first_row = table.first_row();
    let mut entries: Vec<Entry> = Vec::new();
    for (at, name) in table.names.iter().enumerate() {
        let value = first_row.get(at).copied().unwrap_or_default();
        let Some((field, mut meaning)) = column(name, value) else { continue };
        if field == Field::Op {
            match words::answers(table, at) {
                Some(Ok(ops)) => meaning.ops = ops,
                Some(Err(())) => continue,
                None => meaning.ops = words::bits(table, at),
            }
        }
        let column = table.in_map(at);
        let taken = entries.iter_mut().find(|entry| entry.field.is_exclusive_with(field));
        match taken {
            None => entries.push(Entry { field, column, meaning }),
            // Beside a column of starts, other times may be those of ends.
            Some(taken) if field == Field::Time && is_start(name) && !is_start(&taken.column) => {
                *taken = Entry { field, column, meaning };
            }
            Some(_) => {}
        }
    }
    if entries.iter().all(|entry| entry.field != Field::Op) {
        let is_free = |at: &usize| entries.iter().all(|entry| entry.column != table.in_map(*at));
        let says = |at: &usize| says_operations(&table.column(*at));
        if let Some(at) = (0..table.names.len()).filter(is_free).find(says) {
            entries.push(Entry { field: Field::Op, column: table.in_map(at), meaning: Meaning::default() });
        }
    }
    entries
}

/// Remarks on columns of numbers that have usual names and hold no field: another column has their field, or
/// their unit is unknown. Fields for which `is_said` do not count.
pub(super) fn unread_columns(
    table: &Table<'_>,
    columns: &[(usize, Entry)],
    is_said: impl Fn(Field) -> bool,
) -> Vec<String> {
    let first_row = table.first_row();
    let free = table.names.iter().enumerate().filter(|(at, _)| columns.iter().all(|(taken, _)| taken != at));
    free.filter_map(|(at, name)| {
        let value = first_row.get(at).copied().unwrap_or_default();
        let bare: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        let field = column(name, value).map(|(field, _)| field);
        let field = field.or_else(|| called(&bare.to_ascii_lowercase(), &NAMES));
        let field = field.filter(|field| field.is_number() && !is_said(*field))?.name();
        let place = at + 1;
        Some(format!("not read: the column {name:?} (--map {field}={place}:UNIT reads it as {field})"))
    })
    .collect()
}

/// True if the name of a column of times says that they are those of starts.
fn is_start(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["start", "issue", "init", "submit", "arriv", "begin"].iter().any(|word| name.contains(word))
}

/// A doubt if times are times of day, and another column is named like a date.
pub(super) fn unread_day(table: &Table<'_>, columns: &[(usize, Entry)]) -> Option<String> {
    let (time, _) = columns.iter().find(|(_, entry)| entry.field == Field::Time)?;
    let is_day = |name: &str| name.to_ascii_lowercase().contains("date");
    let day = table.names.iter().find(|name| is_day(name))?;
    let is_of_day = table.first_row().get(*time).is_some_and(|word| calendar::is_time_of_day(word));
    is_of_day
        .then(|| format!("the column {day:?} is not read: days without requests between others are left out"))
}

/// The name and first value of the first column that is named like a time but does not hold times.
pub(super) fn unread_time(table: &Table<'_>) -> Option<(String, String)> {
    let first_row = table.first_row();
    let is_time = |name: &str| matches!(column(name, b"0"), Some((Field::Time, _)));
    let at = table.names.iter().position(|name| is_time(name))?;
    let value = first_row.get(at)?;
    Some((table.names[at].clone(), quote(value)))
}

/// True if all words are names of operations and some are reads or writes; words that begin with a
/// digit do not count as names.
fn says_operations(words: &[&[u8]]) -> bool {
    let moves_data = |word: &&[u8]| operations::of_word(word).is_some_and(Op::moves_data);
    let is_word = |word: &[u8]| !word.first().is_some_and(u8::is_ascii_digit);
    words.iter().any(moves_data)
        && words.iter().all(|word| is_word(word) && operations::of_word(word).is_some())
}

/// Recognises the column with the name `name` and the first value `value`: returns its field, and
/// how its values are interpreted.
fn column(name: &str, value: &[u8]) -> Option<(Field, Meaning)> {
    if has_unknown_unit(name) {
        return None;
    }
    let name = with_micro(name);
    let words: Vec<String> = name
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    let joined = words.concat();
    if let Some(unit) = called(&joined, &COUNTS) {
        return Some((Field::Size, Meaning::of_places(unit)));
    }
    if let Some(field) = called(&joined, &NAMES) {
        // T is the operation in block tools, and a time elsewhere.
        let field = if joined == "t" && operations::of_word(value).is_some() && !is_number(value) {
            Field::Op
        } else {
            field
        };
        return Some((field, default_meaning(field, value)?));
    }
    let (unit, rest) = words.split_last()?;
    let field = called(&rest.concat(), &NAMES)?;
    let meaning = match field {
        Field::Time | Field::Response | Field::Service => Meaning::of_time(time_unit(unit)?),
        Field::Lbn | Field::Offset | Field::Size => Meaning::of_places(unit_bytes(unit)?),
        _ => return None,
    };
    Some((field, meaning))
}

/// Writes the micro sign, and the Greek letter that looks like it, as u.
fn with_micro(name: &str) -> String {
    name.replace(['\u{b5}', '\u{3bc}'], "u")
}

/// The end of a name from its last bracket on, in which a unit stands, and what is before it.
fn split_unit(name: &str) -> (&str, &str) {
    name.split_at(name.rfind(['(', '[']).unwrap_or(name.len()))
}

/// True if a unit in brackets has other letters than those of the known units.
fn has_unknown_unit(name: &str) -> bool {
    !with_micro(split_unit(name).1).is_ascii()
}

/// The first column with a usual name of numbers and a unit in brackets that is unknown: its field, its place from 1 on
/// and its name. Columns for which `is_mapped` do not count.
pub(super) fn of_unknown_unit(
    table: &Table<'_>,
    is_mapped: impl Fn(Field, usize) -> bool,
) -> Option<(Field, usize, String)> {
    table.names.iter().enumerate().filter(|(_, name)| has_unknown_unit(name)).find_map(|(at, name)| {
        let (bare, _) = split_unit(name);
        let bare: String = bare.chars().filter(char::is_ascii_alphanumeric).collect();
        let field = called(&bare.to_ascii_lowercase(), &NAMES)
            .filter(|field| field.is_number() && !is_mapped(*field, at))?;
        Some((field, at + 1, name.clone()))
    })
}

/// Looks up the lower-case name `name` in a table of names.
fn called<T: Copy>(name: &str, table: &[(T, &str)]) -> Option<T> {
    table
        .iter()
        .find(|(_, names)| names.split_ascii_whitespace().any(|known| known == name))
        .map(|(what, _)| *what)
}

/// Rule for interpreting the values of a column whose name gives no unit. `None` for columns of
/// measured times without a unit, which are ignored.
fn default_meaning(field: Field, value: &[u8]) -> Option<Meaning> {
    Some(match field {
        Field::Time if calendar::is_date(value) || calendar::is_time_of_day(value) => Meaning::default(),
        Field::Time => Meaning::of_time(time_unit_of(value)?),
        Field::Lbn => Meaning::of_places(512),
        Field::Offset | Field::Size => Meaning::of_places(1),
        Field::Response | Field::Service => return None,
        _ => Meaning::default(),
    })
}

/// The unit of times, judged from the number of digits of the value `value`. Times since 1970 have
/// 10 digits in s, 13 in ms, 16 in us and 19 in ns; Windows file times have 18. A value with
/// another number of digits counts as seconds.
fn time_unit_of(value: &[u8]) -> Option<TimeUnit> {
    let number = any_number(value);
    let (digits, is_whole) = match &number {
        Some(number) => (number.whole().len(), number.is_whole()),
        None if is_number(value) => (0, false),
        None => return None,
    };
    Some(match digits {
        18 if is_whole => TimeUnit::FileTime,
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
    fn common_names_are_recognised() {
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
            ("timestamp,lba,bytes\n2024-02-29T12:00:00Z,1,2\n", "time=timestamp,lbn=lba:sectors,size=bytes:B"),
            ("t,rw_flag,sector,len\n1,0,8,512\n", "time=t:s,op=rw_flag:read=0:write=1,lbn=sector:sectors,size=len:B"),
            (
                "time_s,T,sector,bytes,lat (\u{3bc}s)\n1,W,8,512,3\n",
                "time=time_s:s,op=T,lbn=sector:sectors,size=bytes:B,response=lat (\u{3bc}s):us",
            ),
            ("ts,is_read,lbn,n_sectors\n1,0,8,8\n", "time=ts:s,op=is_read:read=1,lbn=lbn:sectors,size=n_sectors:sectors"),
            (
                "ts,what,kind,lbn,nr_sector\n1,x,WS,8,8\n2,y,RA,8,8\n",
                "time=ts:s,lbn=lbn:sectors,size=nr_sector:sectors,op=kind",
            ),
            ("ts,what,lbn,nr_sector\n1,F,8,8\n2,D,8,8\n", "time=ts:s,lbn=lbn:sectors,size=nr_sector:sectors"),
            (
                "Line #,Process,IO Type,Init Time (s),IO Time (\u{b5}s),Disk Service Time (\u{b5}s),Size (B),Min Offset,Disk\n\
                 1,System (4),Write,0.5,\"1,250\",900,\"4,096\",0x1000,0\n",
                "op=IO Type,time=Init Time (s):s,response=IO Time (\u{b5}s):us,service=Disk Service Time (\u{b5}s):us,\
                 size=Size (B):B,offset=Min Offset:B,device=Disk",
            ),
            ("ts,device_us\n128166372003061629,1\n", "time=ts:filetime"),
            ("foo,bar\n1,2\n", ""),
        ] {
            let table = Table::of(head.as_bytes(), None).unwrap();
            assert_eq!(column_map::text(&columns(&table)), expected);
        }
    }
}
