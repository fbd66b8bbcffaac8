"""Links of the documentation lead somewhere, and every page leads to the glossary."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOP = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
KINDS = ["tutorials", "how-to", "reference", "background"]


def anchors(page: Path) -> set[str]:
    """Return the anchors of the headings of a page, as GitHub makes them."""
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    plain = (
        re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading) for heading in re.findall(r"(?m)^#+ (.+)$", text)
    )
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("page", [*TOP, *PAGES], ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        path, _, anchor = target.partition("#")
        if "://" in target:
            continue
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), target
        assert not anchor or anchor in anchors(there), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_page_is_of_one_kind_stands_in_the_index_and_leads_to_the_glossary(page: Path) -> None:
    inside = page.relative_to(ROOT / "docs")
    if inside.name == "index.md":
        return
    assert inside.parts[0] in KINDS
    assert f"]({inside.as_posix()}" in (ROOT / "docs" / "index.md").read_text()
    assert inside.name == "glossary.md" or "glossary.md)" in page.read_text()


def test_the_readme_is_short() -> None:
    text = re.sub(r"```.*?```", "", (ROOT / "README.md").read_text(), flags=re.DOTALL)
    prose = [line for line in text.splitlines() if not line.startswith(("#", "|", "!"))]
    assert len(" ".join(prose).split()) <= 300
