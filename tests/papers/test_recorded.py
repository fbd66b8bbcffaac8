"""Test findings recorded on real traces, which a book made without the traces has, marked as such."""

from pathlib import Path

import pytest

import sledsim
from sledsim import papers
from sledsim.papers import Experiment, OnInput, Result, Verdict, claim, record as record_command
from sledsim.papers.book import recordings, running
from sledsim.papers.book.recordings import FOLDER, record, write
from sledsim.papers.shared.disk_traces import LIKE_CELLO, LIKE_TPCC, _traced
from sledsim.papers.shared.findings import completing, together
from sledsim.papers.shared.hp_disks import FILES, TPCC, TPCC_FILE, read_disks, read_tpcc
from sledsim.papers.shared.trace_margins import _claim

from .conftest import Quick

TRACES = Path(__file__).parents[3] / "shared" / "traces"
needs_traces = pytest.mark.skipif(
    not all(any(TRACES.glob(f"*/{name}")) for name in (*FILES, TPCC_FILE)),
    reason="the traces of HP and of TPC-C are not beside this checkout",
)
RECORDINGS = sorted(path.stem for path in FOLDER.glob("*.json"))


def found(input: str, told: bool | None, quantity: str = "a ratio") -> OnInput:
    return OnInput(quantity, "below 1", input, "0.9", told)


def experiment(drawn: bool | None, *real: bool | None) -> Experiment:
    """Make an experiment whose claim depends on a drawn input and given traces, and one without a claim."""

    def run(quick: bool, traces: object = None) -> Result:
        inputs = [found("a stream", drawn)]
        inputs += [found(f"disk {at}", told) for at, told in enumerate(real) if traces is not None]
        other = together([found("a stream", True, "another ratio")])
        findings = [*together(inputs), *other]
        return Result([], [claim("001-C22", "A claim.", *findings)], notes=["A note."])

    return Experiment("001-E-3", "A title", "It.", (22,), run, ("hplajw",))


@pytest.mark.parametrize(
    ("drawn", "real", "verdict"),
    [
        (True, (False,), Verdict.NOT_BORNE_OUT),
        (True, (None, None), Verdict.SHAPE),
        (None, (None, True), Verdict.SHAPE),
        (None, (None,), Verdict.NOT_BORNE_OUT),
        (False, (True,), Verdict.NOT_BORNE_OUT),
        (True, (True, False), Verdict.NOT_BORNE_OUT),
    ],
)
def test_what_is_recorded_counts_as_what_is_found_on_the_traces(
    drawn: bool | None,
    real: tuple[bool | None, ...],
    verdict: Verdict,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row = experiment(drawn, *real)
    monkeypatch.setattr(running, "experiment", lambda _: row)
    monkeypatch.setattr(recordings, "FOLDER", tmp_path / "recorded")
    write(record(row, tmp_path), tmp_path / "recorded")
    with_traces, without = papers.run(row.id, True, tmp_path), papers.run(row.id, True)
    assert [one.claims[0].elsewhere for one in (with_traces, without)] == [verdict] * 2
    # No input has all statistics that the paper prints of its own.
    assert {one.claims[0].verdict for one in (with_traces, without)} == {Verdict.UNPUBLISHED}
    texts = [finding.found for finding in without.claims[0].findings]
    marked = [text for text in texts if "(recorded): 0.9" in text]
    assert len(texts) == len(with_traces.claims[0].findings) == len(real) + 2 and len(marked) == len(real)
    note = without.result.notes[-1]
    assert "`sledsim paper run 001-E-3 --quick --traces FOLDER`: disk 0" in note
    assert sledsim.__version__ in note and not any("(recorded)" in one for one in with_traces.result.notes)
    bare = papers.run(row.id, True, recordings=False)
    assert list(bare.result.notes) == ["A note."] and len(bare.claims[0].findings) == 2


def test_what_is_recorded_of_another_quantity_or_input_is_left_out(tmp_path: Path) -> None:
    recording = record(experiment(True, False), tmp_path)
    with completing(recording.complete):
        assert len(together([found("a stream", True)])) == 2
        assert len(together([found("a stream", True, "another ratio")])) == 1
        assert len(together([found("another stream", True)])) == 1
        assert together([]) == []
    assert len(together([found("a stream", True)])) == 1


def test_the_command_records_what_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(record_command, "experiment", lambda _: experiment(True, False))
    monkeypatch.setattr(record_command, "write", lambda recording: write(recording, tmp_path))
    record_command.main(tmp_path, ["001-E-3"])
    assert capsys.readouterr().out == f"{tmp_path / '001-E-3.json'}\n"
    monkeypatch.setattr(record_command, "experiment", lambda _: experiment(True))
    record_command.main(tmp_path, ["001-E-3"])
    assert capsys.readouterr().out == "001-E-3: no claim depends on the traces\n"
    with pytest.raises(sledsim.ParameterError, match="002-E-1: expected an experiment that uses real"):
        record(papers.experiment("002-E-1"), tmp_path)


@pytest.mark.dear("an experiment takes seconds")
@pytest.mark.parametrize("id", RECORDINGS)
def test_every_recorded_finding_has_its_place_in_the_book(quick_chapter: Quick, id: str) -> None:
    """A renamed quantity or a new input requires a new recording."""
    chapter = quick_chapter(id)
    used = {
        (one.quantity, one.input)
        for each in chapter.claims
        for one in each.findings
        if isinstance(one, OnInput) and one.is_recorded
    }
    recording = recordings.recording_of(id)
    assert recording is not None
    assert used == {(group.quantity, row["input"]) for group in recording.groups for row in group.findings}


@pytest.mark.dear("experiments of a paper are simulated")
@needs_traces
def test_what_is_recorded_is_what_is_found_now() -> None:
    recording = recordings.recording_of("001-E-3")
    assert recording is not None
    kept = {(group.quantity, row["input"]): row for group in recording.groups for row in group.findings}
    cello = [disk.trace for disk in read_disks(TRACES) if disk.name.startswith("cello")]
    used = [
        _traced(f"the {TPCC}", LIKE_TPCC, "osdi00", read_tpcc(TRACES)),
        _traced("cello 2003", LIKE_CELLO, "osdi00", cello),
    ]
    for one in _claim("001-C22", used).findings:
        assert isinstance(one, OnInput)
        assert kept[one.quantity, one.input] == {"input": one.input, "ours": one.ours, "told": one.told}
