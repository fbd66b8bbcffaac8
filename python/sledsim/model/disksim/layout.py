"""Import of a drive's zones, slipped sectors and defects from DiskSim's layout ``dm_layout_g1``."""

from .block_parameters import Parameters, whole
from .keys import Keys
from .tokens import fault
from .values import Block, Value

TYPE = "dm_layout_g1"
ZONE = "dm_layout_g1_zone"
#: Words of the device file for the numbers of DiskSim's "LBN-to-PBN mapping scheme".
HEAD_ORDERS = {0: "same", 1: "serpentine-by-zone", 2: "serpentine"}
#: Words of the device file for the numbers of DiskSim's "Sparing scheme used".
SPARINGS = {
    **{0: "none", 1: "tracks", 2: "cylinder", 3: "track", 4: "cylinder-slip-zone", 5: "cylinder-front"},
    **{6: "cylinder-front-slip-zone", 7: "disk", 8: "range", 9: "zone", 10: "zone-and-slips"},
}
#: Allowed values of DiskSim's parameter "Skew units".
_UNITS = ("sectors", "revolutions")
#: Largest difference of an angle from whole sectors that counts as a rounding error.
_ROUNDING = 1e-6


def layout(model: Parameters, keys: Keys) -> list[Parameters]:
    """Import the layout as keys of the device file, and return the readers of the layout and its zones.

    Raises:
        ParameterError: The layout is of another type, or a value is missing or wrong.
    """
    given = model.value("Layout Model")
    if isinstance(given.content, Block) and given.content.type != TYPE:
        fault(given.place, f"Layout Model = {given.content.type}: only {TYPE} is supported")
    found = model.inner("Layout Model", TYPE)
    keys.choose("head_order", found, "LBN-to-PBN mapping scheme", HEAD_ORDERS)
    keys.choose("sparing", found, "Sparing scheme used", SPARINGS)
    if keys.values["sparing"] == "range":
        name = "Rangesize for sparing"
        keys.keep("spare_range_cylinders", found, name, found.whole(name, 1))
    zones = [_zone(value) for value in found.items("Zones")]
    if not zones:
        fault(found.place("Zones"), "Zones: expected at least one zone")
    _put_zones(found, zones, keys)
    return [found, *zones]


def _zone(value: Value) -> Parameters:
    if not isinstance(value.content, Block) or value.content.type != ZONE:
        fault(value.place, f"Zones: expected blocks of the type {ZONE}")
    return Parameters(value.content)


def _put_zones(found: Parameters, zones: list[Parameters], keys: Keys) -> None:
    units = _units(found, _UNITS[0])
    rows = [_row(zone, _units(zone, units), keys) for zone in zones]
    keys.keep("zones", found, "Zones", rows)
    for key, name, size in (("slips", "slips", 1), ("defects", "defects", 2)):
        table: list[list[int]] = []
        for number, zone in enumerate(zones):
            items = [whole(item, name, 0) for item in zone.items(name)]
            if len(items) % size:
                fault(
                    zone.place(name),
                    f"{name}: expected pairs of bad and replacement sectors, found {len(items)} numbers",
                )
            table += [[number, *items[at : at + size]] for at in range(0, len(items), size)]
        if table:
            keys.keep(key, found, "Zones", table, f"{name} of the zones")


def _units(block: Parameters, above: str) -> str:
    if "Skew units" not in block:
        return above
    units = block.word("Skew units")
    if units not in _UNITS:
        fault(block.place("Skew units"), f"Skew units = {units}: expected {' or '.join(_UNITS)}")
    return units


def _row(zone: Parameters, units: str, keys: Keys) -> list[int]:
    sectors = zone.whole("Blocks per track", 1)
    per_unit = sectors if units == "revolutions" else 1
    skews = [
        _angle(zone, name, per_unit, keys) if name in zone else 0
        for name in ("Skew for track switch", "Skew for cylinder switch")
    ]
    return [
        zone.whole("First cylinder number", 0),
        zone.whole("Last cylinder number", 0),
        sectors,
        _angle(zone, "Offset of first block", per_unit, keys),
        zone.whole("Empty space at zone front", 0),
        *skews,
        zone.whole("Number of spares", 0),
    ]


def _angle(zone: Parameters, name: str, sectors_per_unit: int, keys: Keys) -> int:
    """Return an angle of a zone, rounded to whole sectors; rounding is recorded in `keys`."""
    given = zone.number(name)
    sectors = given * sectors_per_unit
    kept = int(sectors) if sectors_per_unit == 1 else round(sectors)
    if abs(kept - sectors) > _ROUNDING:
        keys.lost(zone.block, name, given, f"angles are whole sectors here: {kept} in place of {sectors:g}")
    return kept
