"""Pictures that are drawn from tables agree with today's tables."""

import pytest
from docs.images.figures import PICTURES

from tests.docs.test_docs_links import ROOT


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_as_its_table(name: str) -> None:
    drawn = (ROOT / "docs" / "images" / f"{name}.svg").read_text()
    assert drawn == PICTURES[name]().svg(), "python -m docs.images.figures"


def test_every_row_of_a_table_is_drawn() -> None:
    dots = {name: picture().svg().count("<circle ") for name, picture in PICTURES.items()}
    assert dots["gaps"] == 2 * 12 and dots["shares"] > 60
    assert PICTURES["costs"]().svg().count("<rect ") == 21
