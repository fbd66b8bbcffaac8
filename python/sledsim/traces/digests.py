"""SHA-256 digests of the requests of traces, in 64 hexadecimal digits."""

import hashlib

import numpy as np

from .trace import Trace


def digest_of(trace: Trace) -> str:
    """Return the SHA-256 of the requests of a trace, in the form in which simulations get them."""
    digest = hashlib.sha256()
    for column in trace.replayed()._native_columns():
        digest.update(np.ascontiguousarray(column).tobytes())
    return digest.hexdigest()
