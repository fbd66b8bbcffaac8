//! The division of a service into slices: its phases, and the parts of positioning.

use super::names::{Argument, Phase};
use crate::device::Service;
use crate::time::Span;

/// The phases of a service that take time, in order, with the duration of each; together they take
/// the whole service.
pub(super) fn phases(service: &Service) -> impl Iterator<Item = (Phase, Span)> {
    let Service { command, wait, positioning, hold, switching, transfer, bus, .. } = *service;
    let all = [
        (Phase::Command, command),
        (Phase::Wait, wait),
        (Phase::Positioning, positioning),
        (Phase::Hold, hold),
        (Phase::Switch, switching),
        (Phase::Transfer, transfer),
        (Phase::Bus, bus),
    ];
    all.into_iter().filter(|(_, lasts)| *lasts > Span::ZERO)
}

/// Duration of the motion in x (seek and settling) and in y (seek and turnarounds); `None` for a
/// device without axes.
fn axes(service: &Service) -> Option<[Span; 2]> {
    let axes = [service.seek_x + service.settle, service.seek_y + service.turnaround];
    (axes != [Span::ZERO; 2]).then_some(axes)
}

/// The two phases of positioning on the axis that takes longer, with the duration of each; for a
/// device without axes, seek and rotation.
pub(super) fn decisive(service: &Service) -> [(Phase, Span); 2] {
    let Service { positioning, seek_x, settle, seek_y, turnaround, rotation, .. } = *service;
    match axes(service) {
        None => [(Phase::Seek, positioning.saturating_sub(rotation)), (Phase::Rotation, rotation)],
        Some([x, y]) if x >= y => [(Phase::SeekX, seek_x), (Phase::Settle, settle)],
        Some(_) => [(Phase::SeekY, seek_y), (Phase::Turnaround, turnaround)],
    }
}

/// The argument that shows the duration of the motion on the axis that takes less time; `None` if
/// this axis does not move.
pub(super) fn meanwhile(service: &Service) -> Option<(Argument, u64)> {
    let [x, y] = axes(service)?;
    let (name, Span(ns)) = if x >= y { (Argument::Y, y) } else { (Argument::X, x) };
    (ns > 0).then_some((name, ns))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the slices show the axis that takes longer, or x if both take equally long, and that the
    /// argument shows the other axis.
    #[test]
    fn each_axis_is_shown_in_one_place() {
        for (x, y) in [(5, 4), (5, 5), (5, 6), (5, 0), (0, 5)] {
            let service = Service { seek_x: Span(x), seek_y: Span(y), ..Service::default() };
            let (shown, beside) =
                if x >= y { (Phase::SeekX, (Argument::Y, y)) } else { (Phase::SeekY, (Argument::X, x)) };
            assert_eq!(decisive(&service)[0], (shown, Span(x.max(y))), "{x} and {y}");
            assert_eq!(meanwhile(&service), (beside.1 > 0).then_some(beside), "{x} and {y}");
        }
    }
}
