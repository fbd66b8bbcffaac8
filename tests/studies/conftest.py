"""The devices that the papers study."""

import pytest

import sledsim


@pytest.fixture(scope="session")
def hong() -> sledsim.Device:
    return sledsim.device("mascots03")


@pytest.fixture(scope="session")
def first_design() -> sledsim.Device:
    return sledsim.device("sigmetrics00")
