"""The gallery and the book of the site: drawn by the commands beside them, and kept from build to build."""

import subprocess
from pathlib import Path

import pytest
from docs.site import book, gallery
from docs.site.gallery import Picture

from sledsim.studies import STUDIES


def picture(command: str = "sledsim study start-up --out start-up") -> Picture:
    return Picture("one", "One", command, "start-up/start-up.svg", "what is seen.")


def test_every_study_and_bundled_command_has_a_picture() -> None:
    names = [one.name for one in (*gallery.real(), *gallery.studies())]
    assert len({*names}) == len(names) and len(gallery.studies()) == len(STUDIES)
    assert all(one.command.startswith("sledsim ") and "--" in one.command for one in gallery.real())


@pytest.mark.dear("a part of the site is built")
def test_a_picture_is_drawn_once_and_again_for_another_command(tmp_path: Path) -> None:
    pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")
    one = picture()
    assert not one.is_kept(tmp_path)
    gallery.make([one], tmp_path)
    drawn = tmp_path / "one" / one.file
    assert one.is_kept(tmp_path) and drawn.read_text().startswith("<svg")
    before = drawn.stat().st_mtime_ns
    gallery.make([one], tmp_path)
    assert drawn.stat().st_mtime_ns == before
    assert not picture("sledsim study start-up --set sleds=2 --out start-up").is_kept(tmp_path)


@pytest.mark.dear("a part of the site is built")
def test_a_command_that_fails_keeps_nothing(tmp_path: Path) -> None:
    wrong = picture("sledsim study no-such-study --out start-up")
    with pytest.raises(subprocess.CalledProcessError) as error:
        gallery.make([wrong], tmp_path)
    assert b"no-such-study" in error.value.stderr
    assert not wrong.is_kept(tmp_path)


def test_the_page_has_every_command_and_says_what_was_left_out(tmp_path: Path) -> None:
    text = dict(gallery.page(tmp_path))["gallery/index.md"]
    assert isinstance(text, str)
    for one in (*gallery.real(), *gallery.studies()):
        assert f"```sh\n{one.command}\n```" in text
    assert text.count("was left out") == len(gallery.real()) + len(gallery.studies())
    kept = gallery.studies()[0]
    (tmp_path / kept.name / kept.name.removeprefix("study-")).mkdir(parents=True)
    (tmp_path / kept.name / kept.file).write_text("<svg/>")
    (tmp_path / kept.name / "made-by.txt").write_text(kept.made_by)
    pages = dict(gallery.page(tmp_path))
    assert pages[f"gallery/{kept.shown}"] == b"<svg/>" and f"]({kept.shown})" in str(
        pages["gallery/index.md"]
    )


def test_the_book_is_a_part_of_the_site_where_it_is_kept(tmp_path: Path) -> None:
    ((_, text),) = book.page(tmp_path)
    assert "was left out" in text and book.BOOK.command in text
    folder = tmp_path / "book" / "book"
    folder.mkdir(parents=True)
    (folder / "index.html").write_text("<title>The book</title>")
    rows = ["claim,verdict,quantity", "002-C1,reproduced,a", "002-C1,reproduced,b", "004-C4,contradicts,c"]
    (folder / "verdicts.csv").write_text("\n".join(rows))
    (tmp_path / "book" / "made-by.txt").write_text(book.BOOK.made_by)
    ((_, text),) = book.page(tmp_path)
    lines = {line.split(" | ")[0].strip("| "): line for line in text.splitlines() if line.startswith("| 0")}
    assert " 1 " in lines["002"] and " 1 " in lines["004"] and " 1 " not in lines["000"]
    book.copy(tmp_path, tmp_path / "site")
    assert (tmp_path / "site" / "book" / "index.html").is_file()
