"""Requests remapped onto a smaller or larger device."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sledsim
from sledsim.traces.tools import (
    remap_trace,
    trace_end,
)
from sledsim.traces.tools.change import permuted

from .test_trace_tools import in_pieces


@pytest.mark.dear("many requests are read and written", every_change=True)
@given(
    st.lists(st.tuples(st.integers(0, 2**40), st.integers(1, 2000)), min_size=1, max_size=30),
    st.sampled_from(["wrap", "squeeze", "hash"]),
    st.integers(4096, 2**42),
)
def test_what_is_remapped_fits(extents: list[tuple[int, int]], rule: str, capacity: int) -> None:
    lbn, blocks = map(list, zip(*extents, strict=True))
    trace = sledsim.Trace(np.arange(len(lbn)), lbn, blocks)
    moved = remap_trace(trace, rule, capacity)
    assert (moved.lbn >= 0).all()
    assert trace_end(moved) <= capacity
    assert np.array_equal(moved.blocks, trace.blocks)
    if rule == "squeeze":
        order = np.argsort(trace.lbn, kind="stable")
        starts = moved.lbn[order] + moved.blocks[order] - moved.blocks[order]
        unclamped = starts < capacity - 2000
        assert (np.diff(starts[unclamped]) >= 0).all()


def test_squeezing_can_stretch() -> None:
    trace = sledsim.Trace([0, 1], [0, 50], [10, 10])
    assert remap_trace(trace, "squeeze", 600).lbn.tolist() == [0, 500]


def test_hashing_keeps_a_mebibyte_together() -> None:
    trace = sledsim.Trace(np.arange(4), [0, 2047, 2048, 2049], np.ones(4, int))
    first, last_of_it, second, behind = remap_trace(trace, "hash", 2**30, seed=9).lbn.tolist()
    assert (last_of_it - first, behind - second) == (2047, 1)
    assert second - first != 2048


@pytest.mark.parametrize("spare", [0, 1, 2047, 5_000_000])
def test_hashing_gives_each_mebibyte_a_place_of_its_own_where_the_trace_fits(spare: int) -> None:
    extents = 600
    trace = sledsim.Trace(np.arange(extents), np.arange(extents) * 2048, np.full(extents, 8))
    moved = remap_trace(trace, "hash", extents * 2048 + spare)
    assert len(np.unique(moved.lbn)) == extents
    assert moved.notes == ()
    if not spare:
        assert np.array_equal(np.sort(moved.lbn), trace.lbn)
    # About one neighbour in 600 stays a neighbour in a random permutation; 20 are far beyond chance.
    assert (np.diff(moved.lbn) == 2048).sum() < 20
    assert not np.array_equal(remap_trace(trace, "hash", extents * 2048 + spare, seed=2).lbn, moved.lbn)


@given(st.integers(1, 3000), st.integers(0, 2**64 - 1), st.integers(0, 2**40))
def test_a_permutation_has_each_place_once(count: int, seed: int, which: int) -> None:
    places = permuted(np.arange(count), count, np.full(count, which), seed)
    assert np.array_equal(np.sort(places), np.arange(count))


def test_places_that_may_coincide_are_reported(demo: sledsim.Trace) -> None:
    capacity = trace_end(demo) // 2
    for rule in ("wrap", "hash"):
        (note,) = remap_trace(demo, rule, capacity).notes
        assert note.startswith(f"addresses may coincide: the trace reaches {trace_end(demo):,} sectors")
        stream = remap_trace(in_pieces(demo), rule, capacity)
        assert sum(map(len, stream)) == len(demo)
        assert stream.about()["notes"] == (note,)
    assert remap_trace(demo, "squeeze", capacity).notes == ()


def test_an_end_before_that_of_the_trace_is_refused() -> None:
    trace = sledsim.Trace([0, 1], [0, 50], [10, 10])
    with pytest.raises(
        sledsim.TraceError, match=r"a request at LBN 50 of 10 blocks exceeds the given end 59: .*--end"
    ):
        remap_trace(trace, "squeeze", 600, end=59)
    assert remap_trace(trace, "squeeze", 600, end=120).lbn.tolist() == [0, 250]
