"""The product of a few short lists is limited before it is built."""

from pathlib import Path

import pytest

import sledsim
from sledsim.common.points import check_points
from sledsim.exploration.design.space import read_space


def test_points_are_counted_before_they_are_made() -> None:
    check_points([("one", range(1000)), ("other", range(1000))], "take fewer")
    with pytest.raises(
        sledsim.ParameterError, match="found 1,001,000: 1,001 values of one x 1,000 values of other; take"
    ):
        check_points([("one", range(1001)), ("same", [1]), ("other", range(1000))], "take fewer")


def test_a_space_in_a_file_has_a_limit(tmp_path: Path) -> None:
    many = [*range(1, 501)]
    (tmp_path / "space.toml").write_text(f"[format]\nprobes = {many}\nsectors = {many}\n")
    with pytest.raises(
        sledsim.ParameterError, match="found 1,250,000: 500 values of probes x 500 values of sectors x 5"
    ):
        read_space(tmp_path / "space.toml")
