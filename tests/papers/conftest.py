"""What the tests of the papers share."""

import pytest

from sledsim import papers
from sledsim.papers import Claim


@pytest.fixture(scope="session")
def claims(chapters: list[papers.Chapter]) -> dict[str, Claim]:
    """Every claim by its id, as the quick experiments decide it."""
    return {found.id: found for chapter in chapters for found in chapter.result.claims}
