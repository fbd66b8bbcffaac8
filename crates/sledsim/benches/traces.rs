//! Speed of trace readers: `cargo bench --bench traces`. Traces in memory, one thread; divan prints the median, and
//! lines and bytes a second.

use std::fmt::Write;
use std::io::Cursor;
use std::ops::ControlFlow;

use divan::counter::{BytesCount, ItemsCount};
use divan::Bencher;
use sledsim::trace::{Input, ReadOptions, TraceReader};

const LINES: usize = 200_000;
const FORMATS: [&str; 6] = ["disksim", "spc", "msr", "alibaba", "mqsim", "csv"];

fn main() {
    divan::main();
}

/// Requests of several sizes at scattered places, 300 us apart.
fn text(format: &str) -> String {
    let mut text = String::new();
    for at in 0..LINES as u64 {
        let (us, lbn, blocks) = (at * 300 + at % 7, at * 7919 * 8 % 300_000_000, 8 << (at % 5));
        let (offset, size, read) = (lbn * 512, blocks * 512, u8::from(at % 3 > 0));
        let letter = ["W", "R"][read as usize];
        let (second, micro) = (us / 1_000_000, us % 1_000_000);
        let filetime = 128_166_372_003_061_629 + us * 10;
        let _ = match format {
            "disksim" => {
                writeln!(text, "{}.{:06} {} {lbn} {blocks} {read}", us / 1000, us % 1000 * 1000, at % 4)
            }
            "spc" => writeln!(text, "{},{lbn},{size},{letter},{second}.{micro:06}", at % 4),
            "msr" => {
                let word = ["Write", "Read"][read as usize];
                writeln!(text, "{filetime},usr,0,{word},{offset},{size},{}", 30_000 + at % 70_000)
            }
            "alibaba" => writeln!(text, "{},{letter},{offset},{size},{}", at % 4, 1_577_808_144_360_767 + us),
            "mqsim" => writeln!(text, "{} {} {lbn} {blocks} {read}", us * 1000, at % 4),
            _ if at == 0 => writeln!(text, "time_us,lba,size_bytes,op,device"),
            _ => writeln!(text, "{us},{lbn},{size},{letter},{}", at % 4),
        };
    }
    text
}

#[divan::bench(args = FORMATS, sample_count = 20, sample_size = 1)]
fn read_trace(bencher: Bencher<'_, '_>, format: &str) {
    let text = text(format).into_bytes();
    let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
    bencher
        .counter(ItemsCount::new(LINES))
        .counter(BytesCount::of_slice(&text))
        .with_inputs(|| Input::Reader(Box::new(Cursor::new(text.clone())), "memory".to_owned()))
        .bench_values(|input| {
            let mut reader = TraceReader::open(input, &options).expect("the text is a trace");
            reader.rest(&mut |_| ControlFlow::Continue(())).expect("every line is good")
        });
}
