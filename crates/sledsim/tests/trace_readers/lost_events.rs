//! Events that are missing, as sequence numbers tell, and events that are no requests of their device.

use sledsim::trace::{Aspect, TraceInfo};

use crate::support::{read_bytes, Record, COMPLETION, DISPATCH, FLUSH, WRITE};

/// The texts of the doubts on completeness that tell of sequence numbers.
fn jumps(about: &TraceInfo) -> Vec<&str> {
    let is_such = |text: &str| text.contains("sequence numbers");
    let doubts = about.evidence.iter().filter(|one| one.is_doubtful && one.aspect == Aspect::Completeness);
    doubts.map(|one| one.text.as_str()).filter(|text| is_such(text)).collect()
}

/// A text of requests with a dispatch and a completion each, whose events have the numbers `numbers` at the CPU `cpu`.
fn text(device: &str, cpu: usize, numbers: &[u64]) -> String {
    let line = |(at, number): (usize, &u64)| {
        let (action, end) = if at % 2 == 0 { ("D", "[dd]") } else { ("C", "[0]") };
        format!("{device} {cpu} {number} 0.{at:09} 100 {action} R {} + 8 {end}\n", at / 2 * 8)
    };
    numbers.iter().enumerate().map(line).collect()
}

#[test]
fn a_jump_of_sequence_numbers_is_doubtful_in_a_text() {
    let about = |text: &str| read_bytes(text.as_bytes(), Some("blkparse"), false).unwrap().1;
    let found = about(&text("8,0", 0, &[1, 2, 3, 4, 905, 906]));
    let said = "events are missing: sequence numbers jump over 900 events (number of jumps: 1), unless the text was filtered";
    assert_eq!(jumps(&found), [said]);
    // Other CPUs and devices count for themselves; a recording may begin anywhere, and again.
    let other = text("8,0", 1, &[70, 71, 72, 73]) + &text("8,16", 1, &[1, 2, 3, 4]);
    let start = text("8,0", 0, &[1, 2, 3, 4]);
    assert!(jumps(&about(&format!("{start}{other}{start}"))).is_empty());
    let alternating = text("8,0", 1, &[1, 2]) + &text("8,16", 1, &[1, 2]) + &text("8,0", 1, &[3, 4]);
    assert!(jumps(&about(&alternating)).is_empty());
    let beside = format!("{other}{}", text("8,0", 1, &[80, 81]));
    assert_eq!(jumps(&about(&beside)).len(), 1);
    // Texts that were filtered jump often; messages have no numbers.
    for numbers in [[4, 7, 10, 13, 16, 19], [1, 2, 9, 10, 17, 18]] {
        assert!(jumps(&about(&text("8,0", 0, &numbers))).is_empty());
    }
    // Messages may count, and the numbers of a CPU may count the events of all devices.
    let message = "8,0 0 5 0.000000009 0 m N cfq schedule\n";
    assert!(jumps(&about(&format!("{start}{message}{}", text("8,0", 0, &[6, 7])))).is_empty());
    let together = text("8,16", 0, &[1, 2]) + &text("8,0", 0, &[3, 4, 5, 6]) + &text("8,16", 0, &[7, 8]);
    assert!(jumps(&about(&together)).is_empty());
    let message = "8,0 0 99 0.000000009 0 m N cfq schedule\n";
    assert!(jumps(&about(&format!("{start}{message}{}", text("8,0", 0, &[5, 6])))).is_empty());
}

/// A record with its CPU and its number.
fn numbered(number: u32, cpu: u32, record: &Record) -> Vec<u8> {
    let mut bytes = record.little_endian();
    bytes[4..8].copy_from_slice(&number.to_le_bytes());
    bytes[40..44].copy_from_slice(&cpu.to_le_bytes());
    bytes
}

#[test]
fn a_jump_of_sequence_numbers_is_doubtful_in_binary_records() {
    let content = |numbers: [u32; 4]| {
        let actions = [DISPATCH, COMPLETION, DISPATCH, COMPLETION];
        let records = numbers.iter().zip(actions).enumerate();
        let bytes = records.map(|(at, (number, action))| {
            numbered(*number, 3, &Record::new(at as u64, action | WRITE, at as u64 / 2 * 8, 4096))
        });
        bytes.collect::<Vec<_>>().concat()
    };
    let about = |numbers| read_bytes(&content(numbers), Some("blktrace"), false).unwrap().1;
    let said = "events are missing: sequence numbers jump over 897 events (number of jumps: 1)";
    assert_eq!(jumps(&about([1, 2, 900, 901])), [said]);
    assert!(jumps(&about([7, 8, 9, 10])).is_empty());
    assert!(jumps(&about([1, 5, 9, 13])).is_empty());
}

#[test]
fn requests_without_data_are_no_flushes() {
    let text = "8,0 0 1 0.000000000 1 D R 700 + 0 [dd]\n8,0 0 2 0.000000001 1 D W 800 + 0 [dd]\n\
                8,0 0 3 0.000000002 1 D FWS 0 + 0 [dd]\n8,0 0 4 0.000000003 1 C R 700 + 0 [0]\n\
                8,0 0 5 0.000000009 1 C FWS 0 + 0 [0]\n8,0 0 6 0.000000010 1 D N [dd]\n";
    let (trace, about) = read_bytes(text.as_bytes(), Some("blkparse"), false).unwrap();
    assert_eq!((trace.response_ns, about.skipped.empty, about.skipped.commands), (vec![7], 2, 1));
    let text = "dd-1 [001] ..... 1.000000: 8,0 D R 700 + 0 [dd]\ndd-1 [001] ..... 1.000001: 8,0 D FN [dd]\n";
    let (trace, about) = read_bytes(text.as_bytes(), Some("ftrace"), false).unwrap();
    assert_eq!((trace.len(), about.skipped.empty), (1, 1));
    let records = [DISPATCH, DISPATCH | WRITE, DISPATCH | FLUSH].map(|action| Record::new(1, action, 8, 0));
    let content: Vec<u8> = records.iter().flat_map(Record::little_endian).collect();
    let (trace, about) = read_bytes(&content, Some("blktrace"), false).unwrap();
    assert_eq!((trace.len(), about.skipped.empty), (1, 2));
}

#[test]
fn starts_of_accounting_are_named_if_there_is_nothing_else() {
    let text = "dd-1 [001] d..2. 1.000000: block_io_start: 8,0 R 4096 () 1000 + 8 [dd]\n\
                dd-1 [001] d..2. 1.000400: block_io_done: 8,0 R 0 () 1000 + 0 [dd]\n";
    let said = read_bytes(text.as_bytes(), None, false).unwrap_err().to_string();
    assert!(
        said.contains("1 requests have only the start and the end of their accounting (block_io_start"),
        "{said}"
    );
    let issue = "dd-1 [001] d..2. 1.000010: block_rq_issue: 8,0 R 4096 () 1000 + 8 [dd]\n";
    let (trace, _) = read_bytes(format!("{text}{issue}").as_bytes(), None, false).unwrap();
    assert_eq!(trace.len(), 1);
}
