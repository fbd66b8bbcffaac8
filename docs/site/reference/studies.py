"""The page of the studies of a bare device, with every option and column."""

import re
from collections.abc import Iterator

from sledsim.common.citations import cited
from sledsim.studies import STUDIES, described, returned

from ..markdown import code, joined, plain, table
from .kinds import anchor
from .options import options_table


def pages() -> Iterator[tuple[str, str]]:
    """One page."""
    sections = []
    for study in STUDIES:
        text = cited(study.description)
        sections += [
            f"## `{study.name}`",
            f"{plain(text[:1].upper() + text[1:])}."
            + (f" From {plain(cited(study.source))}." if study.source else ""),
            f"`sledsim study {study.name} --out {study.name}` writes its table and its chart.",
            options_table(described(study.table)),
            f"**Columns of its table:** {_named(returned(study.table))}",
        ]
    listed = ((f"[`{one.name}`](#{anchor(one.name)})", plain(cited(one.description))) for one in STUDIES)
    yield (
        "generated/studies.md",
        joined(
            "# Every study",
            "A study shows what one device does before any queue. Look up here what there is, and what each"
            " option means: `sledsim study NAME -O option=value`. [Another page](../reference/studies.md)"
            " says what they found.",
            table(("study", "what it shows"), listed),
            *sections,
        ),
    )


def _named(text: str) -> str:
    """A text with the names of columns as code."""
    return re.sub(r"`[^`]*`|\b[a-z0-9]+(?:_[a-z0-9]+)+\b", lambda name: code(name[0].strip("`")), text)
