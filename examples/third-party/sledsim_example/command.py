"""The command ``sledsim longest``, which prints the requests with the longest response times."""

from typing import Annotated

import numpy as np
import typer

import sledsim


def longest(
    trace: Annotated[str, typer.Argument(help="Trace file, or 'demo' for the bundled trace.")],
    device: Annotated[str, typer.Option("--device", "-d", help="Name of the device.")] = "osdi00",
    count: Annotated[int, typer.Option(help="Number of requests to print.")] = 3,
) -> None:
    """Print the requests with the longest response times."""
    read = sledsim.demo_trace() if trace == "demo" else sledsim.read_trace(trace)
    response_ns = sledsim.simulate(sledsim.device(device), read, past_end="wrap").response_ns
    for row in np.argsort(response_ns)[: -count - 1 : -1]:
        print(f"request {row}: {response_ns[row] * 1e-6:.3f} ms")
