//! Notation of numbers in tables: decimal marks, groups of digits, and what is asked because it is open.

use crate::support::read_mapped;

const HEADER: [&str; 4] = ["time_ms", "op", "offset", "bytes"];

/// A table of the four columns of `HEADER`, each value in quotes if the separator is a comma.
fn table(separator: &str, rows: &[[&str; 4]]) -> String {
    let quoted = |value: &&str| if separator == "," { format!("\"{value}\"") } else { (*value).to_owned() };
    let line = |row: &[&str; 4]| row.iter().map(quoted).collect::<Vec<_>>().join(separator) + "\n";
    [HEADER].iter().chain(rows).map(line).collect()
}

/// Arrival in us and number of sectors of each request.
type Requests = Vec<(i64, i32)>;

/// Reads the requests of a table, and the remarks on its notation.
fn read(text: &str, map: Option<&str>) -> Result<(Requests, Vec<String>), String> {
    let (trace, about) = read_mapped(text, map).map_err(|error| error.to_string())?;
    let arrivals = trace.arrival_ns.iter().map(|ns| ns / 1000);
    let notes = about.notes().into_iter().filter(|note| note.starts_with("numbers have")).collect();
    Ok((arrivals.zip(trace.blocks).collect(), notes))
}

#[test]
fn all_numbers_of_a_table_decide_its_marks() {
    let (comma, by_dots) = ("numbers have a decimal comma", "and digits grouped by dots");
    let [commas, dots, blanks, apostrophes] = ["commas", "dots", "blanks", "apostrophes"]
        .map(|mark| format!("numbers have digits grouped by {mark}"));
    for (separators, times, sizes, expected, said) in [
        // A group does not begin with 0, and has three digits.
        (",;\t|", ["0,125", "1,250"], ["512", "512"], [125, 1250], comma.to_owned()),
        (",;\t|", ["1,250", "12,5"], ["512", "512"], [1250, 12_500], comma.to_owned()),
        (",;\t|", ["1,250", "1000,125"], ["512", "512"], [1250, 1_000_125], comma.to_owned()),
        (
            ",;\t|",
            ["1.000", "1.000,125"],
            ["512", "512"],
            [1_000_000, 1_000_125],
            format!("{comma} {by_dots}"),
        ),
        (",;\t|", ["0,125", "1.000"], ["512", "512"], [125, 1_000_000], format!("{comma} {by_dots}")),
        (",;\t|", ["1.250", "2.000"], ["1,0", "512"], [1_250_000, 2_000_000], format!("{comma} {by_dots}")),
        (";\t|", ["1.250", "2.500"], ["4.096", "8.192"], [1_250_000, 2_500_000], dots),
        (",;\t|", ["1,250", "1,234,567"], ["512", "512"], [1_250_000, 1_234_567_000], commas.clone()),
        (",;\t|", ["1,250", "2,500"], ["4,096", "8,192"], [1_250_000, 2_500_000], commas.clone()),
        (",;\t|", ["1,250", "1,250.5"], ["512", "512"], [1_250_000, 1_250_500], commas.clone()),
        (",;\t|", ["1,250", "2.5"], ["512", "512"], [2500, 1_250_000], commas),
        (
            ",;\t|",
            ["1 250,5", "1\u{a0}250,5"],
            ["512", "512"],
            [1_250_500; 2],
            format!("{comma} and digits grouped by blanks"),
        ),
        (",;\t|", ["1\u{2009}250", "1\u{202f}250.5"], ["4 096", "512"], [1_250_000, 1_250_500], blanks),
        (",;\t|", ["1'250", "1\u{2019}250.5"], ["4'096", "512"], [1_250_000, 1_250_500], apostrophes),
        // What may be both is as usual: a decimal point, or a decimal comma between semicolons.
        (",\t|", ["1.250", "2.500"], ["512", "512"], [1250, 2500], String::new()),
        (";", ["1,250", "2,500"], ["512", "512"], [1250, 2500], comma.to_owned()),
        (",;\t|", ["1.5", "2.500"], ["512", "512"], [1500, 2500], String::new()),
    ] {
        for separator in separators.split("").filter(|separator| !separator.is_empty()) {
            let text = table(separator, &[[times[0], "R", "512", sizes[0]], [times[1], "W", "9", sizes[1]]]);
            let (found, notes) = read(&text, None).unwrap_or_else(|error| panic!("{text}{error}"));
            let arrivals: Vec<i64> = found.iter().map(|request| request.0).collect();
            assert_eq!((arrivals, notes.join("; ")), (expected.to_vec(), said.clone()), "{text}");
        }
    }
}

#[test]
fn what_is_open_is_asked() {
    let asked = |value: &str, [comma, dot]: [&str; 2]| {
        format!(
            "FILE: expected numbers with a certain decimal mark, found \"{value}\" in the column \"time_ms\": add --map \
             decimal=comma if it is {comma}, or --map decimal=dot if it is {dot}"
        )
    };
    for (separator, value, values, in_us) in [
        (",", "1,250", ["1.250", "1250"], [1250, 1_250_000]),
        ("\t", "12,500", ["12.500", "12500"], [12_500, 12_500_000]),
        (";", "1.250", ["1250", "1.250"], [1_250_000, 1250]),
    ] {
        let text = table(separator, &[["0", "R", "512", "512"], [value, "R", "512", "4096"]]);
        assert_eq!(read(&text, None).unwrap_err(), asked(value, values));
        for (mark, us) in ["comma", "dot"].into_iter().zip(in_us) {
            let (found, _) = read(&text, Some(&format!("decimal={mark}"))).unwrap();
            assert_eq!(found[1], (us, 8), "{mark}: {text}");
        }
    }
    let text = table(",", &[["1,250", "R", "512", "512"]]);
    let said = read(&text, Some("time=1:s,op=-")).unwrap_err();
    assert!(said.ends_with("add --map time=1:s,op=-,decimal=comma if it is 1.250, or --map time=1:s,op=-,decimal=dot if it is 1250"), "{said}");
}

/// A number far behind the first lines that contradicts them is a fault of its line, never read in another notation.
#[test]
fn later_lines_keep_to_the_notation() {
    let comma = "a number with a decimal point as in the lines before (if commas are decimal marks, add decimal=comma to \
                 the map of columns)";
    let dot = "a number with a decimal comma as in the lines before (if dots are decimal marks, add decimal=dot to the \
               map of columns)";
    let open =
        "a number with a certain decimal mark (add decimal=comma or decimal=dot to the map of columns)";
    for (separator, first, later, expected) in [
        (",", "1.5", "0,125", Err(comma)),
        (",", "7", "0,125", Err(comma)),
        (",", "7", "1,250", Err(open)),
        (",", "7", "1.250", Ok(1250)),
        (",", "1.5", "1,250", Ok(1_250_000)),
        (";", "1,5", "0.125", Err(dot)),
        (";", "1,5", "1.250", Ok(1_250_000)),
        (";", "7", "1.250", Err(open)),
        (";", "7", "0.125", Ok(125)),
        (";", "7", "0,125", Ok(125)),
        ("\t", "7", "0,125", Ok(125)),
        ("\t", "7", "1,250", Err(open)),
        ("\t", "1,5", "1,250,000", Err(dot)),
    ] {
        let mut rows = vec![["7", "R", "512", "512"]; 8_000];
        rows[0][0] = first;
        rows.push([later, "W", "512", "1024"]);
        let text = table(separator, &rows);
        match (read(&text, None), expected) {
            (Ok((found, _)), Ok(us)) => assert!(found.contains(&(us, 2)), "{first}, {later}, {separator:?}"),
            (Err(said), Err(expected)) => {
                assert_eq!(said, format!("FILE:8002: expected {expected}, found \"{later}\""));
            }
            (found, _) => panic!("{first}, {later}, {separator:?}: {found:?}"),
        }
    }
}

#[test]
fn words_that_are_no_groups_are_refused() {
    for value in ["1,25,000", "1,2345,678", "0 125", "1'25", "12345,678.5", "1.234.567,8,9", "1,234 567"] {
        let text = table(",", &[["1.5", "R", "512", "512"], [value, "R", "512", "512"]]);
        let said = read(&text, None).unwrap_err();
        assert!(said.starts_with("FILE:3: expected a"), "{value}: {said}");
    }
}

/// A table without a header keeps its first line, also if the numbers in it have marks.
#[test]
fn numbers_with_marks_are_no_header() {
    let map = Some("time=1:ms,offset=2:B,size=3:B,op=4");
    let (found, _) = read("0,125;0;1.024;R\n1,5;512;512;W\n", map).unwrap();
    assert_eq!(found, [(125, 2), (1500, 1)]);
    let (found, _) = read("\"1,000\",0,\"1,024\",R\n\"1,002,500\",512,512,W\n", map).unwrap();
    assert_eq!(found, [(1_000_000, 2), (1_002_500_000, 1)]);
}

/// Columns of grouped numbers, dates, times and hexadecimal numbers make a table as plain numbers do.
#[test]
fn grouped_digits_in_several_columns_make_a_table() {
    let text = "time_us,op,offset,size\n\"1,000\",R,\"1,048,576\",\"4,096\"\n\"2,500\",W,\"2,097,152\",\"4,096\"\n\"1,002,500\",W,\"3,145,728\",\"8,192\"\n";
    let (found, notes) = read(text, None).unwrap();
    assert_eq!(found, [(1000, 8), (2500, 8), (1_002_500, 16)]);
    assert_eq!(notes, ["numbers have digits grouped by commas"]);
    let wpa = "Line #,IO Type,Init Time (s),IO Time (\u{b5}s),Size (B),Min Offset,Disk\n\
               \"1,001\",Read,\"1.000100\",\"1,250\",\"4,096\",\"1,048,576\",0\n\
               \"1,002\",Write,\"1.002000\",\"2,500\",\"65,536\",\"2,097,152\",0\n";
    assert_eq!(read(wpa, None).unwrap().0, [(1_000_100, 8), (1_002_000, 128)]);
    let dates =
        "date;op;offset;size\n2024-02-29T12:00:00,5;R;0x10;4.096\n2024-02-29T12:00:01,5;W;0x200;8.192\n";
    assert_eq!(read(dates, None).unwrap().0, [(0, 9), (1_000_000, 16)]);
}
