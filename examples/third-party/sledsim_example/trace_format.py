"""The trace format ``lines``: a request per line, with seconds, R or W, first block and number of blocks."""

from typing import IO

import numpy as np

import sledsim


def read(file: IO[bytes]) -> sledsim.Trace:
    """Read the requests of a file that sledsim has opened and decompressed."""
    rows = [line.split() for line in file if line.strip()]
    seconds = np.array([float(row[0]) for row in rows])
    order = np.argsort(seconds, kind="stable")
    return sledsim.Trace(
        arrival_ns=np.round(seconds[order] * 1e9).astype(np.int64),
        lbn=np.array([int(row[2]) for row in rows])[order],
        blocks=np.array([int(row[3]) for row in rows])[order],
        op=np.array([row[1] == b"W" for row in rows])[order],
    )


def write(trace: sledsim.Trace, file: IO[bytes]) -> int:
    """Write the reads and writes of a trace; return the number of other requests, which are left out."""
    moves = trace.rows(trace.op <= 1)
    for at in range(len(moves)):
        letter = "W" if moves.op[at] else "R"
        seconds = moves.arrival_ns[at] * 1e-9
        file.write(f"{seconds:.9f} {letter} {moves.lbn[at]} {moves.blocks[at]}\n".encode())
    return len(trace) - len(moves)
