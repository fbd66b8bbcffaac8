"""A study with damaged or contradictory ledgers: the rows are reported, excluded from tables, and mended."""

from collections.abc import Callable
from pathlib import Path

import pytest

from sledsim.ledger.lines import content_of, line_of

from ..conftest import Cli

SMALL = ("random:rate=300", "--count", "250", "--replications", "2", "--over", "settle_ms=0.1,0.2")


def test_shards_that_disagree_are_in_no_table(cli: Cli, tmp_path: Path) -> None:
    assert cli("sweep", *SMALL, "--out", tmp_path, "--shard", "1/1").returncode == 0
    (path,) = tmp_path.glob("*.ledger")
    lines = path.read_bytes().splitlines(keepends=True)
    row = content_of(lines[2][:-1])
    row["figures"]["mean_response_s"] *= 2
    (tmp_path / "other.ledger").write_bytes(b"".join([*lines[:2], line_of(row)]))
    for command in ("status", "table", "plot", "merge"):
        done = cli("sweep", command, tmp_path)
        assert done.returncode == 1, command
        assert "points with two rows of different figures: 1. This is a bug of sledsim" in done.stderr
    assert not (tmp_path / "table.csv").exists()


@pytest.mark.dear("many points of a study are simulated", every_change=True)
@pytest.mark.parametrize(
    "damaged",
    [lambda line: b"#" + line[1:], lambda line: line.replace(b"osdi00", b"osdi01")],
    ids=["checksum", "content"],
)
def test_a_damaged_definition_is_reported_and_mended(
    cli: Cli, tmp_path: Path, damaged: Callable[[bytes], bytes]
) -> None:
    words_of = ("sweep", *SMALL, "--out", tmp_path)
    assert cli(*words_of).returncode == 0
    cli("sweep", "table", tmp_path)
    path, before = tmp_path / "study.ledger", (tmp_path / "table.csv").read_bytes()
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0], damaged(lines[1]), *lines[2:]]))
    for command in ("status", "verify", "table"):
        done = cli("sweep", command, tmp_path)
        assert done.returncode == 2 and "expected the ledger of a sweep" in done.stderr, command
    done = cli("sweep", "status", tmp_path)
    assert "found 2 rows without a definition of their study" in done.stderr
    assert "2 of 2 points: 2 ok." in cli(*words_of).stdout
    assert cli("sweep", "verify", tmp_path).returncode == 0
    cli("sweep", "table", tmp_path)
    assert (tmp_path / "table.csv").read_bytes() == before


def test_damage_is_reported_in_a_line(cli: Cli, tmp_path: Path) -> None:
    cli("sweep", *SMALL, "--out", tmp_path)
    with (tmp_path / "study.ledger").open("ab") as file:
        file.write(b"garbage\n" * 1000)
    said = cli("sweep", "status", tmp_path).stderr
    assert len(said) < 500 and "and 995 more: expected lines that match their checksums" in said
