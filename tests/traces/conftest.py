"""What the tests of traces share."""

import pytest

import sledsim


@pytest.fixture(scope="session")
def demo() -> sledsim.Trace:
    return sledsim.demo_trace()
