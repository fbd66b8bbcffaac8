"""What was found of the comparing claims: a row each, as a table, in files and in words."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import _native
from ...common.arrow import pyarrow
from ...common.files import PathLike, write_table, write_text
from ...common.shown import Form, Shown, counted
from ...common.tabular import Tabular
from ...uncertainty.deciding import one_split
from ...uncertainty.shares import share
from .measuring import Answer

if TYPE_CHECKING:
    import pyarrow as _pyarrow

#: The name of the files of a result, without ending.
NAME = "robustness"
#: The whole interval above that is robust, above half of all mostly, below the last not.
ROBUST, MOSTLY, NOT = 0.9, 0.5, 0.1
#: The verdicts in their order, with what they mean.
VERDICTS: Mapping[str, str] = {
    "robust": "the whole interval of the share is above 90 %",
    "mostly": "the whole interval is above half",
    "in a part": "the interval has half in it, or is below it",
    "not": "the whole interval is below 10 %",
    "undecided": "the interval is so wide that more than two of these may be: too few devices",
    "unknown": "it is known for less than a tenth of the devices: the others cannot be made",
}
#: Of fewer devices on one side no rule is made.
_LEAST = 5
#: So small a part of the devices says nothing of the others.
_KNOWN = 0.1


@dataclass(frozen=True)
class Part:
    """In which part of plausible devices a claim holds.

    Attributes:
        holds_in: In how many.
        known: For how many that is known.
        low: The lower end of the interval of the share, with 95 % confidence; None where nothing is known.
        high: The upper end.
        verdict: One of `VERDICTS`.
        rule: The one rule that decides best; empty where too few devices differ.
        factor: The number in it.
        accuracy: For which part of devices that it was not made from it is right, both answers alike.
        own: Whether it holds for the paper's own device; None where that is not known.
        why: Why it is not known for some, of the first of them; empty where it is known for all.
    """

    holds_in: int
    known: int
    low: float | None
    high: float | None
    verdict: str
    rule: str
    factor: str
    accuracy: float | None
    own: bool | None
    why: str

    @property
    def share(self) -> float | None:
        """The share that was found."""
        return self.holds_in / self.known if self.known else None

    @property
    def decides(self) -> bool:
        """Whether the rule is right for three devices of four."""
        return self.accuracy is not None and self.accuracy >= 0.75

    @classmethod
    def of(cls, answer: Answer, seed: int) -> "Part":
        """What an answer tells."""
        decided = ~answer.undefined
        known, count = int(decided.sum()), int(answer.holds[decided].sum())
        if not known:
            return cls(0, 0, None, None, "unknown", "", "", None, answer.own, answer.why)
        found = share(count, known)
        split = None
        if min(count, known - count) >= _LEAST:
            columns = {name: column[decided] for name, column in answer.columns.items()}
            split = one_split(columns, answer.holds[decided], seed)
        return cls(
            count,
            known,
            found.low,
            found.high,
            verdict(found.low, found.high) if known >= _KNOWN * len(decided) else "unknown",
            split.rule if split else "",
            split.factor if split else "",
            split.validated_balanced if split else None,
            answer.own,
            "" if known == len(decided) else answer.why,
        )


def verdict(low: float, high: float) -> str:
    """One of `VERDICTS`, from the interval of a share."""
    if low > ROBUST:
        return "robust"
    if low > MOSTLY:
        return "mostly"
    if high < NOT:
        return "not"
    return "undecided" if high > ROBUST or (low < NOT and high > MOSTLY) else "in a part"


@dataclass(frozen=True)
class Row:
    """What was found of a claim.

    Attributes:
        claim: Its id, with the part.
        id: Its id.
        setting: On what it was tried.
        says: What the paper says.
        conditions: What is to hold, all of it.
        devices: How many plausible devices were looked at.
        here: At the rates that the paper has.
        by_load: With each device loaded as the paper's own is; None where there is no load to speak of.
        seed: Of the devices and requests; None in results of earlier versions, which did not say.
        count: Requests of each load that is drawn; None for as many as each setting has.
    """

    claim: str
    id: str
    setting: str
    says: str
    conditions: tuple[str, ...]
    devices: int
    here: Part
    by_load: Part | None
    seed: int | None = None
    count: int | None = None

    @classmethod
    def of_nothing(cls) -> "Row":
        """A row that says nothing, for the names of its columns."""
        return cls("", "", "", "", (), 0, Part(0, 0, None, None, "", "", "", None, None, ""), None)

    @property
    def asked(self) -> tuple[int, int | None, int | None]:
        """What claims of one table have in common: devices, seed and count."""
        return self.devices, self.seed, self.count

    @property
    def paper(self) -> str:
        """The number of the paper."""
        return self.claim.partition("-")[0]

    @property
    def verdict(self) -> str:
        """One of `VERDICTS`: of devices that are loaded alike, where the claim is about a load."""
        return self.part.verdict

    @property
    def part(self) -> Part:
        """What the verdict comes from."""
        return self.by_load or self.here

    def flat(self) -> dict[str, Any]:
        """As a row of a table."""
        found: dict[str, Any] = {
            "claim": self.claim,
            "paper": self.paper,
            "says": self.says,
            "condition": " and ".join(self.conditions),
            "setting": self.setting,
            "devices": self.devices,
            "seed": self.seed,
            "count": self.count,
            "verdict": self.verdict,
        }
        for prefix, part in (("", self.here), ("by_load_", self.by_load)):
            plain = asdict(part) if part else dict.fromkeys(Part.__dataclass_fields__)
            plain = {"share": part.share if part else None, **plain}
            plain["part_verdict"] = plain.pop("verdict")
            found |= {f"{prefix}{key}": value for key, value in plain.items()}
        return found


@dataclass(frozen=True, repr=False)
class Robustness(Tabular, Shown):
    """What was found of the comparing claims.

    Attributes:
        rows: A row a claim.
    """

    rows: Sequence[Row]

    def table(self) -> "_pyarrow.Table":
        """A row a claim."""
        return pyarrow.table(_columns([row.flat() for row in self.rows]))

    def _arrow(self) -> "_pyarrow.Table":
        return self.table()

    def _in_line(self) -> str:
        return f"of {counted(len(self.rows), 'claim')}"

    def _form(self) -> Form:
        rows = [
            {"claim": row.claim, "verdict": row.verdict, "share": row.part.share, "says": row.says}
            for row in self.rows
        ]
        return Form("Robustness of claims", rows=rows, calls=("table()", "to_pandas()"))

    def plain(self) -> list[dict[str, Any]]:
        """As JSON has it."""
        return [asdict(row) | {"verdict": row.verdict} for row in self.rows]

    def merged(self, new: "Robustness", order: Sequence[str]) -> "Robustness":
        """These rows with those of another result in their places.

        Args:
            new: The other one.
            order: The claims in their order; what is not among them is left out.
        """
        rows = {row.claim: row for row in (*self.rows, *new.rows)}
        return Robustness(tuple(rows[name] for name in order if name in rows))

    def write(self, folder: PathLike) -> list[Path]:
        """Write the table as Parquet and CSV, and all of it as JSON, from which `read` makes it again.

        Raises:
            OSError: A file cannot be written; no part of it is left.
        """
        plain = {"version": _native.__version__, "claims": self.plain()}
        text = json.dumps(plain, indent=1) + "\n"
        return [*write_table(self.table(), folder, NAME), write_text(Path(folder) / f"{NAME}.json", text)]


_KINDS = {
    **dict.fromkeys(
        ("devices", "seed", "count", "holds_in", "known", "by_load_holds_in", "by_load_known"), "int64"
    ),
    **{
        f"{prefix}{key}": "float64"
        for prefix in ("", "by_load_")
        for key in ("share", "low", "high", "accuracy")
    },
    **dict.fromkeys(("own", "by_load_own"), "bool_"),
}


def _columns(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    names = [*(rows[0] if rows else Row.of_nothing().flat())]
    return {
        name: pyarrow.array([row[name] for row in rows], getattr(pyarrow, _KINDS.get(name, "string"))())
        for name in names
    }


def is_there(folder: PathLike) -> bool:
    """Whether a folder has a result."""
    return (Path(folder) / f"{NAME}.json").is_file()


def read(folder: PathLike) -> Robustness:
    """The result in a folder, without rows where there is none.

    Raises:
        OSError: It cannot be read.
        ParameterError: The file holds something else.
    """
    path = Path(folder) / f"{NAME}.json"
    if not path.is_file():
        return Robustness(())
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
        return Robustness(tuple(_row(one) for one in given["claims"]))
    except (ValueError, KeyError, TypeError) as error:
        raise _native.ParameterError(
            f"{path}: expected what 'sledsim paper robustness --out' writes, found another file ({error})"
        ) from error


def _row(given: Mapping[str, Any]) -> Row:
    by_load = given["by_load"]
    parts = {
        "conditions": tuple(given["conditions"]),
        "here": Part(**given["here"]),
        "by_load": by_load and Part(**by_load),
    }
    return Row(**{key: value for key, value in given.items() if key != "verdict"} | parts)


def check_alike(
    there: Robustness, claims: Collection[str], asked: tuple[int, int | None, int | None], folder: PathLike
) -> None:
    """Find out whether claims can stand beside those of a folder that they do not take the place of.

    Raises:
        ParameterError: Those are of another number of devices, or of other requests.
    """
    for row in there.rows:
        if row.claim not in claims and row.asked != asked:
            raise _native.ParameterError(
                f"{folder}: expected the same as of {row.claim} there, {_in_words(*row.asked)}, found"
                f" {_in_words(*asked)}: ask for all papers, or give another folder"
            )


def _in_words(devices: int, seed: int | None, count: int | None) -> str:
    of_seed = "" if seed is None else f" --seed {seed}"
    return f"--devices {devices}{of_seed}{'' if count is None else f' --count {count}'}"


def percent(part: Part | None) -> str:
    """A share with its interval, in per cent."""
    if part is None or part.share is None or part.low is None or part.high is None:
        return ""
    low, high = np.clip([part.low, part.high], 0, 1)
    return f"{100 * part.share:.0f} % ({100 * low:.0f} to {100 * high:.0f})"


def decides(part: Part) -> str:
    """What decides, in words."""
    if part.accuracy is None:
        return ""
    words = part.rule if part.decides else f"no number alone ({part.rule})"
    return f"{words}: right for {100 * part.accuracy:.0f} %"
