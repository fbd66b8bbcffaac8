"""Digests of traces for simulations, in 64 digits."""

import hashlib

import numpy as np

from .trace import Trace


def digest_of(trace: Trace) -> str:
    """The SHA-256 of the reads and writes as a simulation receives them; equal requests match."""
    digest = hashlib.sha256()
    for column in trace.transfers()._native_columns():
        digest.update(np.ascontiguousarray(column).tobytes())
    return digest.hexdigest()
