"""What the claims state, for listings that run nothing: recorded of a run.

``sledsim paper run all --quick --json | python -m sledsim.papers.book.statements`` records them again, or
those of some experiments.
"""

import json
import sys
from pathlib import Path

from ...common.files import write_text
from .table import EXPERIMENTS

_FILE = Path(__file__).with_name("statements.json")


def statements() -> dict[str, str]:
    """The statement of each claim by its id, in the order of the experiments."""
    found: dict[str, str] = json.loads(_FILE.read_text(encoding="utf-8"))
    return found


def _main() -> None:
    told = {claim["id"]: claim["statement"] for run in json.load(sys.stdin) for claim in run["claims"]}
    known = (statements() if _FILE.exists() else {}) | told
    kept = {claim: known[claim] for row in EXPERIMENTS for claim in row.claims if claim in known}
    write_text(_FILE, json.dumps(kept, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    _main()
