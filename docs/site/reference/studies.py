"""The page of the studies of a device without a queue, with every option and column."""

import re
from collections.abc import Iterator

from sledsim.common.citations import cited
from sledsim.studies import STUDIES, described, returned

from ..markdown import code, joined, plain, table
from .kinds import anchor
from .options import options_table


def pages() -> Iterator[tuple[str, str]]:
    """Yield the page of studies."""
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
            "Find each study and the meaning of its options. A study examines one device without a queue:"
            " `sledsim study NAME -O option=value`. [Another page](../reference/studies.md) has the"
            " findings.",
            table(("study", "topic"), listed),
            *sections,
        ),
    )


def _named(text: str) -> str:
    """Mark the names of columns in a text as code."""
    return re.sub(r"`[^`]*`|\b[a-z0-9]+(?:_[a-z0-9]+)+\b", lambda name: code(name[0].strip("`")), text)
