"""Recognition of formats: each listing states the sign by which a format is recognised."""

from contextlib import suppress
from pathlib import Path

import pytest

import sledsim

from ..common.test_packages import FORMAT, Install, install as install
from ..conftest import Cli

pytestmark = pytest.mark.registers_seek_models


@pytest.mark.dear("commands of every kind are run", every_change=True)
def test_a_listing_says_by_what_a_format_is_recognised(install: Install, cli: Cli, tmp_path: Path) -> None:
    """Files without a known ending are recognised by content or not at all, as the listing states."""
    install("told-format", {"formats": {"told_rows": "told_format"}}, told_format=FORMAT)
    demo = sledsim.demo_trace().transfers().rows(slice(0, 20))

    def reads(path: Path) -> bool:
        with suppress(sledsim.TraceError):
            return sledsim.read_trace(path).lbn.tolist() == demo.lbn.tolist()
        return False

    for name in sledsim.listings.writable_formats():
        said = cli("list", "formats", name).stdout
        path = tmp_path / f"x.{name}"
        sledsim.write_trace(demo, path)
        assert reads(path)
        other = path.rename(tmp_path / f"{name}.any")
        is_recognised = reads(other)
        assert ("Recognised by its content" in said) is is_recognised
        assert (f"Recognised by the ending .{name} of the file" in said) is not is_recognised
