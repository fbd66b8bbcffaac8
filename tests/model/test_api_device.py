"""Devices from Python: loading, overriding, and mechanics over arrays."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import sledsim

from ..public import public_names

CHARACTERISTICS = (
    "capacity_bytes capacity_gross_bytes density_bits_per_m2 blocks block_bytes cylinders "
    "tracks_per_cylinder rows_per_track blocks_per_row tip_sectors_per_row tip_sectors_per_track "
    "row_bytes track_bytes cylinder_bytes spare_bits_y tip_bits_per_s settle_s write_settle_s "
    "turnaround_s row_s track_s streaming_bytes_per_s sustained_bytes_per_s max_seek_s mean_seek_s "
    "mean_access_4k_s random_4k_per_s gamma_per_mib"
).split()
#: The tables before any test registers names of its own, which stay and may have no description.
TABLES = (sledsim.devices(), sledsim.schedulers(), sledsim.formats(), sledsim.listings.past_end_rules())


def test_tables_name_and_describe() -> None:
    for table in TABLES:
        assert table
        assert all(name and description for name, description in table.items())
    assert "osdi00" in sledsim.devices()
    assert {"fcfs", "sstf_lbn", "clook_lbn", "sptf"} <= set(sledsim.schedulers())
    assert {"error", "wrap", "squeeze", "sleds"} == set(sledsim.listings.past_end_rules())


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
@pytest.mark.parametrize("name", sledsim.devices())
def test_every_device_loads_and_survives_its_own_parameters(name: str) -> None:
    device = sledsim.device(name)
    assert device.name == name
    characteristics = list(device.characteristics())
    assert characteristics == CHARACTERISTICS or device.kind != "mems"
    assert device.kind in sledsim.listings.device_kinds() and name in sledsim.devices(device.kind)
    parameters = json.loads(json.dumps(device.parameters))
    again = sledsim.Device.from_parameters(parameters)
    assert again.parameters == device.parameters
    assert again.characteristics() == device.characteristics()
    assert set(device.paper) <= set(characteristics), "each printed figure stands beside one of ours"
    own = set(device.parameters) - {"name", "description", "kind"}
    assert own <= set(device.sources), "each value has a source"


def test_overrides_change_the_device() -> None:
    device = sledsim.device("osdi00", settle_ms=0.1)
    assert device.parameters["settle_ms"] == 0.1
    assert device.characteristics()["settle_s"] == pytest.approx(1e-4)
    assert sledsim.device("osdi00", settle_ms=np.float64(0.1)).parameters == device.parameters
    assert sledsim.device("osdi00", sleds=np.int64(2)).parameters["sleds"] == 2


def test_a_device_file_extends_another(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\nextends = "osdi00"\nsettle_ms = 0.3\n')
    device = sledsim.device(path)
    assert (device.name, device.parameters["settle_ms"]) == ("mine", 0.3)
    # A changed value does not have the source of the value that it replaces.
    assert device.sources["settle_ms"] == f"{path}: no source given"
    assert device.sources["acceleration_m_per_s2"] == "001 Table 1"


def test_a_device_that_is_written_is_read_as_it_was(tmp_path: Path) -> None:
    one = sledsim.device("osdi00", settle_ms=0.3, name='a "b"\\', layout="columnar")
    for device in (*map(sledsim.device, TABLES[0]), one):
        device.write(tmp_path / "own.toml")
        again = sledsim.device(tmp_path / "own.toml")
        assert again == device
        assert (again.sources, again.certainty, again.paper) == (
            device.sources,
            device.certainty,
            device.paper,
        )
    with pytest.raises(FileNotFoundError):
        one.write(tmp_path / "nowhere" / "own.toml")


def test_yes_and_no_are_truth_values(tmp_path: Path) -> None:
    disk = sledsim.device("atlas10k")
    turned = disk.with_parameters(write_back="no", almost_hits="yes")
    assert turned == disk.with_parameters(write_back=False, almost_hits=True)
    assert disk.with_parameters(description="yes").parameters["description"] == "yes"
    for wrong in ("maybe", "Yes", ""):
        with pytest.raises(sledsim.ParameterError, match=r"write_back = .*expected a boolean"):
            disk.with_parameters(write_back=wrong)
    # A file has types of its own for these values.
    (tmp_path / "own.toml").write_text('extends = "atlas10k"\nwrite_back = "no"\n')
    with pytest.raises(sledsim.ParameterError, match="expected a boolean"):
        sledsim.device(tmp_path / "own.toml")


def test_scalars_give_floats(device: sledsim.Device) -> None:
    assert type(device.seek_x_s(0.0, 1e-5)) is float
    assert type(device.seek_y_s(0.0, 1, 1e-5, -1)) is float
    assert type(device.turnaround_s(0.0, 1)) is float
    assert device.seek_x_s(0.0, 0.0) == 0.0


def test_arrays_broadcast(device: sledsim.Device) -> None:
    x_m = np.linspace(-5e-5, 5e-5, 7)
    seeks_s = device.seek_x_s(x_m[:, None], x_m)
    assert isinstance(seeks_s, np.ndarray)
    assert seeks_s.shape == (7, 7)
    assert seeks_s[2, 5] == device.seek_x_s(float(x_m[2]), float(x_m[5]))
    assert np.all(np.diag(seeks_s) == 0)
    turns_s = device.turnaround_s(x_m, [[1], [-1]])
    assert isinstance(turns_s, np.ndarray)
    assert turns_s.shape == (2, 7)
    empty = device.seek_x_s([], 0.0)
    assert isinstance(empty, np.ndarray)
    assert empty.shape == (0,)


def test_shapes_that_do_not_go_together_are_refused(device: sledsim.Device) -> None:
    with pytest.raises(ValueError, match="broadcast"):
        device.seek_x_s(np.zeros(2), np.zeros(3))


def test_directions_are_whole_numbers(device: sledsim.Device) -> None:
    with pytest.raises(sledsim.ParameterError, match="expected whole numbers"):
        device.turnaround_s(0.0, 0.5)
    with pytest.raises(sledsim.ParameterError):
        device.turnaround_s(0.0, 2)


def test_locate_keeps_the_shape(device: sledsim.Device) -> None:
    lbn = np.arange(0, 6000, 1000).reshape(2, 3)
    places = device.locate(lbn)
    assert set(places) == {"cylinder", "track", "row", "slot", "x_m", "y_m"}
    assert all(column.shape == (2, 3) for column in places.values())
    one = device.locate(1000)
    assert all(column.shape == () for column in one.values())
    assert one["cylinder"] == places["cylinder"][0, 1]


@pytest.mark.parametrize("lbn", [-1, 10**9])
def test_locate_refuses_blocks_that_are_not_there(device: sledsim.Device, lbn: int) -> None:
    with pytest.raises(sledsim.ParameterError, match=str(abs(lbn))):
        device.locate([0, lbn])


def test_wrong_names_and_values_are_explained(tmp_path: Path) -> None:
    with pytest.raises(sledsim.ParameterError, match=r'unknown device "osdi01".*"osdi00"'):
        sledsim.device("osdi01")
    with pytest.raises(sledsim.ParameterError, match=r"unknown key `settle_mss`.*`settle_ms`"):
        sledsim.device("osdi00", settle_mss=0.2)
    with pytest.raises(sledsim.ParameterError, match="settle_ms"):
        sledsim.device("osdi00", settle_ms="0.2ms")
    with pytest.raises(sledsim.ParameterError, match="settle_ms = -1"):
        sledsim.device("osdi00", settle_ms=-1)
    with pytest.raises(sledsim.ParameterError, match="settle_ms"):
        sledsim.device("osdi00", settle_ms=None)
    with pytest.raises(FileNotFoundError, match=r"none\.toml"):
        sledsim.device(tmp_path / "none.toml")


def test_a_fault_in_a_device_file_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('extends = "osdi00"\n\nsetle_ms = 0.3\n')
    with pytest.raises(sledsim.ParameterError, match=r"mine\.toml:3:1: unknown key `setle_ms`"):
        sledsim.device(path)


def test_the_import_is_light() -> None:
    code = "import sledsim, sys; sledsim.__version__; print({'numpy', 'pyarrow'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_every_public_name_is_there() -> None:
    assert None not in public_names().values()
    assert dir(sledsim) == sorted(sledsim.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        sledsim.nothing  # noqa: B018
