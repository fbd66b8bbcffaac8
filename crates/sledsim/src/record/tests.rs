//! Tests of the record: columns by name, and rows that are filled in any order.

use super::*;

/// Checks that every service reaches its row: in any order of services, and at any distance between two rows.
#[test]
fn services_are_in_their_rows_in_any_order() {
    let count = 30_011;
    let record = |stride: u32, columns: &str| {
        let mut record = Record::new(select(columns).unwrap(), 0);
        (0..count).for_each(|row| record.arrive(row, Time(row.into()), row));
        for row in (0..count).map(|number| (u64::from(number) * u64::from(stride) % u64::from(count)) as u32)
        {
            let ns = u64::from(row) + 1;
            // Every third row had no bus time before, every fifth has none afterwards.
            let bus = Span(if row % 3 == 0 { 0 } else { ns });
            let service = Service { seek_x: Span(2 * ns), rows: row, bus, ..Service::default() };
            let energy = ServiceEnergy { tips_j: ns as f64, ..ServiceEnergy::default() };
            record.serve(row, Time(3 * ns), &service, &energy);
            let end = Time(4 * ns);
            let completion = if row % 5 == 0 { end } else { end + Span(7) };
            record.complete(row, end, completion, row % 7, 1 << (row % 64));
        }
        record
    };
    for columns in ["all", "times", "seek_x_ns", "energy_j,bus_ns"] {
        let in_order = record(1, columns).into_rows(count as usize);
        // The rows are filled in strides far apart, and in a mixture of far and near.
        for stride in [10_007, 4099, 4091, 15_005] {
            let mut some = record(stride, columns);
            assert_eq!(some.clone().into_rows(count as usize), in_order, "{columns} {stride}");
            assert_eq!(some.complete_rows(0, count as usize), count as usize);
            let taken = some.take(5000, count as usize);
            assert_eq!(taken.bus_ns, in_order.bus_ns.iter().take(5000).copied().collect::<Vec<_>>());
            assert_eq!(taken.completion_ns, in_order.completion_ns[..5000]);
        }
    }
}

#[test]
fn rows_go_on_behind_the_last_number_of_32_bits() {
    let mut record = Record { first: u64::from(u32::MAX) - 2, ..Record::default() };
    for at in 0..6_u32 {
        let row = (u32::MAX - 2).wrapping_add(at);
        record.arrive(row, Time(10 + u64::from(at)), 0);
        let end = Time(20 + u64::from(at));
        record.complete(row, end, end, 1, 1);
    }
    assert_eq!(record.complete_rows(0, 6), 6);
    let taken = record.take(4, 6);
    assert_eq!(taken.arrival_ns, [10, 11, 12, 13]);
    record.complete(2, Time(90), Time(90), 1, 1);
    assert_eq!(record.take(2, 2).completion_ns, [24, 90], "the remaining rows keep their values");
}

fn names(text: &str) -> Vec<&'static str> {
    super::names(select(text).unwrap()).collect()
}

#[test]
fn sets_and_columns_are_named_together() {
    assert_eq!(names("times"), ["arrival_ns", "start_ns", "completion_ns", "queue_length", "kind"]);
    assert_eq!(names("none"), ["arrival_ns", "completion_ns", "kind"]);
    assert_eq!(names("energy_j, lbn"), ["arrival_ns", "completion_ns", "energy_j", "lbn", "kind"]);
    assert_eq!(names("response_ns,where"), ["arrival_ns", "completion_ns", "served_by", "kind"]);
    assert_eq!(names("all").len(), COLUMNS.len());
    assert_eq!(names("request,times,phases,energy"), names("all"));
}

#[test]
fn every_listed_name_is_selectable() {
    assert!(selectable().all(|(name, meaning)| select(name).is_ok() && !meaning.is_empty()));
}

#[test]
fn what_was_lost_is_known_before_it_is_put_into_its_row() {
    let mut record = Record::new(select("all").unwrap(), 100_000);
    for row in [0_u32, 50_000, 99_000, 3] {
        let service = Service { lost_blocks: row % 7, ..Service::default() };
        record.serve(row, Time(5), &service, &service.energy);
        assert_eq!(record.lost_blocks_of(row), row % 7);
    }
    assert_eq!([0, 50_000, 99_000, 3, 4].map(|row| record.lost_blocks_of(row)), [0, 6, 6, 3, 0]);
}

#[test]
fn an_unknown_column_is_answered_with_the_nearest() {
    let error = select("times,energy_w").unwrap_err().to_string();
    assert!(error.starts_with("unknown column \"energy_w\": did you mean \"energy_j\"?"), "{error}");
}
