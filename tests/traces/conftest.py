"""Shared fixtures of the tests of traces."""

import pytest

import sledsim


@pytest.fixture(scope="session")
def demo() -> sledsim.Trace:
    return sledsim.demo_trace()
