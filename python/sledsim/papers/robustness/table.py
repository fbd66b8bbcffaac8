"""The comparing claims, as conditions over runs, and the claims left out; both are read from TOML files.

A file has a table for each setting. Its keys are the policy; `subjects`, the compared devices and volumes (a
name, or a list of a name, changed parameters, and the members of a volume); `loads`; and the claims, each
with the statement of the paper and the conditions. Braces repeat a condition for each alternative, for
example ``{heavy|light}``; equal braces in a condition take the same alternative. ``~`` between two figures
means that they are within 15 % of each other.
"""

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sledsim.files import toml
from sledsim.plausible import Load, Made, Setting, said

from .requests import MAKERS

_BRACES = re.compile(r"{(.+?)}")
#: Origin that the keys of ledgers state for requests that functions of `MAKERS` make.
_MAKER = "sledsim.papers.robustness"


@dataclass(frozen=True)
class LeftOut:
    """A comparing claim that no condition over runs can express.

    Attributes:
        id: Id of the claim.
        says: Statement of the paper.
        why: Reason why the claim is left out.
    """

    id: str
    says: str
    why: str


def _conditions(text: str) -> Iterator[str]:
    braces = list(dict.fromkeys(_BRACES.findall(text)))
    for chosen in itertools.product(*(one.split("|") for one in braces)):
        of = dict(zip(braces, chosen, strict=True))
        condition = _BRACES.sub(lambda found, of=of: of[found[1]], text)  # type: ignore[misc]
        one, is_alike, other = condition.partition(" ~ ")
        pairs = [(one, other), (other, one)] if is_alike else []
        yield from (f"{a} < 1.15 * {b}" for a, b in pairs) if pairs else (condition,)


def _setting(name: str, given: Mapping[str, Any]) -> Setting:
    subjects = {
        key: Made(one) if isinstance(one, str) else Made(one[0], one[1], one[2:])
        for key, one in given["subjects"].items()
    }
    loads = {
        key: Load(one)
        if isinstance(one, str)
        else Load(**one, make=MAKERS.get(one["requests"]), maker=_MAKER)
        for key, one in given["loads"].items()
    }
    claims = [
        said(key, one[0], *itertools.chain(*map(_conditions, one[1:])))
        for key, one in given.items()
        if key.startswith(name[:3])
    ]
    how = {key: given[key] for key in ("scheduler", "by_load") if key in given}
    return Setting(name, subjects, loads, tuple(claims), **how)


_PAPERS = [
    toml.loads(path.read_text(encoding="utf-8")) for path in sorted(Path(__file__).parent.glob("p*.toml"))
]
LEFT_OUT = tuple(LeftOut(name, *one) for paper in _PAPERS for name, one in paper.pop("left_out").items())
SETTINGS = tuple(_setting(name, given) for paper in _PAPERS for name, given in paper.items())
