"""Stage the pages for Sphinx: copies of the pages of the repository, and generated pages.

A page is written only if it has changed, so that Sphinx reads only changed pages again.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
#: Pages of the repository outside `docs`, or under another name in the site.
OTHERS = {
    "ARCHITECTURE.md": "project/architecture.md",
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "SECURITY.md": "project/security.md",
    "README.md": "index.md",
    "docs/index.md": "contents.md",
}
#: Anchors in docs/index.md of folders whose section has another name.
_SECTIONS = {"docs/how-to": "how-to-guides"}
_LINK = re.compile(r"(\]\()([^)\s]+)(\))")
_CODE = re.compile(r"(```.*?```|`(?:(?!\n\n)[^`])+`)", re.DOTALL)


class Staging:
    """A folder of sources that is filled and then cleared of all other files.

    Attributes:
        folder: Path of the folder.
        pages: Path in the folder of each page of the repository.
        texts: Contents of written files, by path in the folder.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        docs = (page.relative_to(ROOT).as_posix() for page in sorted(DOCS.rglob("*.md")))
        self.pages: Mapping[str, str] = {page: page.removeprefix("docs/") for page in docs} | OTHERS
        self.texts: dict[str, bytes] = {}

    def write(self, path: str, text: str | bytes) -> None:
        """Add a file to the folder."""
        self.texts[path] = text.encode() if isinstance(text, str) else text

    def copy_pages(self) -> None:
        """Copy all pages of the repository, with their links adapted."""
        for page, path in self.pages.items():
            self.write(path, self.relinked(page, (ROOT / page).read_text(encoding="utf-8")))

    def relinked(self, page: str, text: str) -> str:
        """Return the text of a page of the repository with links for the folder."""

        def there(found: re.Match[str]) -> str:
            return f"{found[1]}{self._link(page, found[2])}{found[3]}"

        parts = _CODE.split(text)
        return "".join(part if part.startswith("`") else _LINK.sub(there, part) for part in parts)

    def _link(self, page: str, target: str) -> str:
        path, sign, anchor = target.partition("#")
        if "://" in target or not path:
            return target
        linked = Path(os.path.normpath(ROOT / page / ".." / path)).relative_to(ROOT).as_posix()
        there = self.pages.get(linked)
        if (ROOT / linked).is_dir():
            there, sign, anchor = "contents.md", "#", _SECTIONS.get(linked, Path(linked).name)
        elif there is None:
            # The target is not a page: a picture or another file.
            there = linked.removeprefix("docs/") if linked.startswith("docs/") else f"files/{linked}"
            self.write(there, (ROOT / linked).read_bytes())
        return os.path.relpath(there, Path(self.pages[page]).parent) + sign + anchor

    def finish(self) -> set[str]:
        """Write changed files and remove all others; return the paths written."""
        changed = set()
        for path, text in self.texts.items():
            file = self.folder / path
            if not file.is_file() or file.read_bytes() != text:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(text)
                changed.add(path)
        for file in self.folder.rglob("*"):
            if file.is_file() and file.relative_to(self.folder).as_posix() not in self.texts:
                file.unlink()
        return changed
