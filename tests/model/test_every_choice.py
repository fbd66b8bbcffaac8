"""Every built-in device, with every documented name of each of its keys, serves requests correctly."""

import re

import pytest

import sledsim
from sledsim.model.core_tables import table

#: Further keys of a name, for devices without them.
NEEDED = {
    "cantilevers": {"row_order": "lbn", "cylinder_switch": "seek"},
    "random": {"layout_seed": 3, "layout_extent_blocks": 8},
    "zone-grouped": {"layout_zone_cylinders": 100, "layout_zone_y_bits": 500},
    "by-popularity": {"layout_popularity": [[4800, 800, 9], [96, 64, 4]]},
    "slew-limited": {"actuator_rise_ms": 0.02},
    "linear-system": {"loop_frequency_hz": 739.0, "loop_damping": 0.7, "loop_tolerance_nm": 4.0},
    "table": {"seek_table_steps": 512},
}
#: An erasable medium, on which a log is short.
ERASABLE = {
    **{"erase_block_kib": 4096, "erase_ms": 2000.0, "erase_slice_ms": 10.0},
    **{"erase_power_mw": 100.0, "erase_reserve_blocks": 8},
}
#: Reasons for impossible names: the device's spares or tables are of another kind, or it is no sled.
REASONS = re.compile(
    "needs measured_x|slips: |the zones hold|are unused or spare|leave none for blocks|sparing = "
    "|apply only to a sled|a medium to be erased|needs mechanism = sled"
)


#: Keys of each kind with a list of names, each with each name; names that tests register stay.
CHOICES = {
    kind: [(key, name) for key, names in row.choices.items() for name in names]
    for kind, row in table("kinds").items()
}


def choices(device: sledsim.Device) -> list[tuple[str, str]]:
    """Yield the keys of a device's kind, each with each name."""
    return CHOICES[
        next(kind for kind in sledsim.listings.device_kinds() if device.name in sledsim.devices(kind))
    ]


@pytest.mark.dear("a device serves under every policy, once for each name", every_change="cf-card")
@pytest.mark.parametrize("name", sorted(sledsim.devices()))
def test_devices_pass_their_check_with_every_name_of_a_key(name: str) -> None:
    device = sledsim.device(name)
    has = device.parameters
    passed = 0
    for key, value in choices(device):
        needed = NEEDED.get(value, ERASABLE if key == "erase_management" else {})
        besides = {other: of for other, of in needed.items() if other not in has or value == "cantilevers"}
        try:
            changed = device.with_parameters(**besides, **{key: value})
        except sledsim.ParameterError as error:
            assert REASONS.search(str(error)), f"{key} = {value}: {error}"
            continue
        found = sledsim.extend.check_device(changed)
        assert found.passed, f"{key} = {value}: {found}"
        passed += 1
    assert passed >= 0.6 * len(choices(device))
