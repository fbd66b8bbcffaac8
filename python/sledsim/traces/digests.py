"""What a trace is to a simulation, in 64 digits."""

import hashlib

import numpy as np

from .trace import Trace


def digest_of(trace: Trace) -> str:
    """The SHA-256 of the reads and writes as a simulation sees them: equal requests, equal digest."""
    digest = hashlib.sha256()
    for column in trace.transfers()._native_columns():
        digest.update(np.ascontiguousarray(column).tobytes())
    return digest.hexdigest()
