"""Write the shares of plausible devices for a picture: ``... --json | python -m docs.images.shares``.

``sledsim paper robustness --json`` prints all shares; the page shows only some, as the table is long.
"""

import csv
import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("shares.csv")
_COLUMNS = ("claim", "verdict", "share", "low", "high")


def shares_of_claims() -> list[dict[str, str]]:
    """Return the rows of the file of shares."""
    with FILE.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def of_json(claims: Iterable[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Return the rows of the file from the JSON that the command prints."""
    return [
        {"claim": claim["claim"], "verdict": claim["verdict"]}
        | {name: f"{min(max((claim['by_load'] or claim['here'])[name], 0), 1):.2f}" for name in _COLUMNS[2:]}
        for claim in claims
    ]


if __name__ == "__main__":
    with FILE.open("w", encoding="utf-8", newline="") as file:
        rows = csv.DictWriter(file, _COLUMNS, lineterminator="\n")
        rows.writeheader()
        rows.writerows(of_json(json.load(sys.stdin)))
