"""Navigation: the kinds of pages in the order of docs/index.md, and the front page."""

import re
from collections.abc import Mapping, Sequence

from .markdown import joined, toctree
from .staging import OTHERS, ROOT, Staging

_PROJECT = [path for page, path in OTHERS.items() if path.startswith("project/")]
#: Text in place of the live sled if it was not built.
NO_LIVE = (
    "> The page in which the simulator itself runs was left out of this site: its WebAssembly was not built"
    " with the site."
)
#: State of the live sled at the start: many requests wait, and time passes slowly.
_SHOWN = "workload=random:rate=1300,count=2000,seed=1&amp;speed=0.003&amp;at=400"
_LIVE = f"""\
```{{raw}} html
<iframe class="live-sled" src="live/index.html#{_SHOWN}" title="The sled, live" loading="lazy"></iframe>
<p><a href="live/index.html">Open the sled in its own page</a>: choose device, policy and workload, or drop a
trace file.</p>
```"""


def kinds() -> dict[str, list[str]]:
    """Return the pages of each kind in the order of docs/index.md."""
    sections = re.split(r"^## ", (ROOT / "docs" / "index.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    found = {}
    for section in sections[1:]:
        links = re.findall(r"\]\(([\w/-]+\.md)[)#]", section)
        found[section.partition("\n")[0]] = list(dict.fromkeys(links))
    return found


def front_page(staging: Staging, added: Mapping[str, Sequence[str]], live: bool) -> str:
    """Return the README with the live sled before its picture, and the navigation.

    Args:
        staging: Staging folder with the pages.
        added: Generated pages by kind of pages.
        live: True if the live sled was built.
    """
    text = staging.relinked("README.md", (ROOT / "README.md").read_text(encoding="utf-8"))
    # Put the live sled before the first picture.
    head, picture, rest = text.partition("\n![")
    sections: dict[str, list[str]] = {kind: [] for kind in added if kind not in kinds()} | kinds()
    sections = {kind: [*pages, *added.get(kind, ())] for kind, pages in sections.items()}
    trees = [_tree(*row) for row in {**sections, "Project": ["contents.md", *_PROJECT]}.items()]
    return joined(head, _LIVE if live else NO_LIVE, picture.strip() + rest, *trees)


def _tree(caption: str, pages: Sequence[str]) -> str:
    return toctree((page.removesuffix(".md") for page in pages), caption=caption, hidden="")
