"""Verification of rows whose study has lost or changed a part."""

from pathlib import Path

import pytest

import sledsim
from sledsim.exploration.study_points import Study
from sledsim.exploration.verification import verify


def test_a_changed_trace_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "mine.ascii"
    path.write_text("0.0 0 1000 8 1\n1.5 0 500 8 0\n")
    sledsim.sweep(str(path), "osdi00", "fcfs", folder=tmp_path / "out")
    assert verify(tmp_path / "out").differences == []
    path.write_text("0.0 0 1000 8 1\n1.5 0 508 8 0\n")
    with pytest.raises(sledsim.TraceError, match="expected the trace of the study, found a different one"):
        verify(tmp_path / "out")


def test_verifying_goes_on_where_a_policy_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process may not have registered the policy."""
    sledsim.extend.register_scheduler("verified-once", lambda now_s, waiting: 0)
    policies = ["fcfs", "verified-once", "sptf"]
    sledsim.sweep("random:rate=500", "osdi00", policies, folder=tmp_path, count=200, replications=2)
    assert verify(tmp_path).notes == ()
    found_in_full = Study._found_in_full

    def without_it(self: Study, name: str) -> str:
        return found_in_full(self, name.replace("verified-once", "not-registered"))

    monkeypatch.setattr(Study, "_found_in_full", without_it)
    found = verify(tmp_path)
    assert (found.rows, found.of_how_many, found.differences) == (2, 3, [])
    (note,) = found.notes
    assert note.startswith("1 row was not run again (device = osdi00, workload = random:rate=500, scale = 1")
    assert "'sledsim --register FILE.py:NAME study sweep verify ...'" in note
    assert "scheduler = verified-once): " in note and 'unknown scheduler "not-registered"' in note
