"""Version and URL of the project in all files that have them: ``make about`` copies both from Cargo.toml.

A package index shows a readme without the files beside it, so links and pictures need full addresses.
"""

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from sledsim.common.toml import tomllib

ROOT = Path(__file__).parents[1]
PACKAGE = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]
VERSION: str = PACKAGE["version"]
URL: str = PACKAGE["repository"]
#: Addresses of this version's files, to read and to download.
PAGES, FILES = f"{URL}/blob/v{VERSION}", f"{URL}/raw/v{VERSION}"
#: Links that an index shows beside a package.
LINKS = {
    "Homepage": URL,
    "Documentation": f"{PAGES}/docs/index.md",
    "Changelog": f"{PAGES}/CHANGELOG.md",
    "Source": URL,
    "Issues": f"{URL}/issues",
}
_LINK = re.compile(r"(!?)(\[[^\]]*\])\((?!https?://|#)([^)\s]+)\)")


def _readme(_: str) -> str:
    """Return the readme of the repository, with links that work from anywhere."""

    def whole(found: re.Match[str]) -> str:
        picture, text, path = found.groups()
        return f"{picture}{text}({FILES if picture else PAGES}/{path})"

    return _LINK.sub(whole, (ROOT / "README.md").read_text())


def _pyproject(text: str) -> str:
    links = "".join(f'{name} = "{url}"\n' for name, url in LINKS.items())
    return re.sub(r"(?<=\[project\.urls\]\n)(?:\w+ = .*\n)*", links, text)


def _citation(text: str) -> str:
    text = re.sub(r"(?m)^version: .*", f"version: {VERSION}", text)
    return re.sub(r"(?m)^repository-code: .*", f'repository-code: "{URL}"', text)


def _crates(text: str) -> str:
    """Pin a crate of the workspace to the same version of the others."""
    return re.sub(r'(path = "[^"]+", version = )"[^"]*"', rf'\1"={VERSION}"', text)


def _workload(text: str) -> str:
    """Set the version that made the bundled fit, as every version makes it again (`test_fitted.py`)."""
    return re.sub(r"(?m)^sledsim_version = .*", f'sledsim_version = "{VERSION}"', text)


#: Every file with the version or the URL, and the function that makes its new text of the old one.
MADE: dict[str, Callable[[str], str]] = {
    "Cargo.toml": _crates,
    "pyproject.toml": _pyproject,
    "CITATION.cff": _citation,
    "python/README.md": _readme,
    "crates/sledsim/src/workload/generators/fitted/demo.toml": _workload,
}


def made() -> Iterator[tuple[Path, str, str]]:
    """Return every such file, with its present and its wanted text."""
    for name, make in MADE.items():
        path = ROOT / name
        text = path.read_text() if path.exists() else ""
        yield path, text, make(text)


def main(words: list[str]) -> int:
    """Write the files that differ, or list them (``--check``)."""
    stale = [(path, wanted) for path, text, wanted in made() if text != wanted]
    for path, wanted in stale:
        print(f"{path.relative_to(ROOT)}: not what Cargo.toml says: make about" if words else path)
        if not words:
            path.write_text(wanted)
    return int(bool(stale and words))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
