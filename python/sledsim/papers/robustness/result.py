"""The findings on the comparing claims: a row each, as a table, in files and in words."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sledsim import ParameterError, __version__
from sledsim.files import PathLike, pyarrow, write_table, write_text
from sledsim.pages import Form, Result, counted, of_rows
from sledsim.plausible import DRAWS, Answer, Doubt, drawn_share, one_split

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
    "undecided": "the interval is so wide that more than two of these may be: too few devices or draws",
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
        holds_in: In how many it holds under each draw of requests.
        changes_in: In how many the draw decides.
        known: For how many it is known.
        share: The mean over devices of the part of its draws in which it holds; None where nothing is known.
        low: The lower end of the interval of the share, with 95 % confidence; None where nothing is known.
        high: The upper end.
        doubt: What makes the interval as wide as it is; None where nothing is known.
        verdict: One of `VERDICTS`.
        rule: The one rule that decides best among devices that have one answer under all draws; empty where
            too few of them differ.
        factor: The number in it.
        accuracy: For which part of devices that it was not made from it is right, both answers alike.
        own: In which part of its draws it holds for the paper's own device; None where that is not known.
        why: Why it is not known for some, of the first of them; empty where it is known for all.
    """

    holds_in: int
    changes_in: int
    known: int
    share: float | None
    low: float | None
    high: float | None
    doubt: Doubt | None
    verdict: str
    rule: str
    factor: str
    accuracy: float | None
    own: float | None
    why: str

    @property
    def decides(self) -> bool:
        """Tell whether the rule is right for three devices of four."""
        return self.accuracy is not None and self.accuracy >= 0.75

    @classmethod
    def of(cls, answer: Answer, seed: int) -> "Part":
        """The part of a row that an answer tells."""
        devices = answer.devices
        known = int(devices.known.sum())
        if not known:
            return cls(0, 0, 0, None, None, None, None, "unknown", "", "", None, answer.own, answer.why)
        found = drawn_share(devices)
        split = None
        if min(found.always, found.never) >= _LEAST:
            columns = {name: column[devices.decided] for name, column in answer.columns.items()}
            split = one_split(columns, devices.yes[devices.decided] > 0, seed)
        return cls(
            found.always,
            found.changing,
            known,
            found.value,
            found.low,
            found.high,
            found.doubt,
            verdict(found.low, found.high) if known >= _KNOWN * len(devices.known) else "unknown",
            split.rule if split else "",
            split.factor if split else "",
            split.validated_balanced if split else None,
            answer.own,
            "" if known == len(devices.known) else answer.why,
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
class Asked:
    """The settings that claims of one table have in common, as `Row` has them."""

    samples: int
    seed: int | None
    count: int | None
    replications: int

    def __str__(self) -> str:
        given = {"samples": self.samples, "seed": self.seed, "count": self.count}
        given |= {} if self.replications == DRAWS else {"replications": self.replications}
        return " ".join(f"--{name} {value}" for name, value in given.items() if value is not None)


@dataclass(frozen=True)
class Row:
    """The findings on a claim.

    Attributes:
        claim: Its id, with the part.
        id: Its id.
        setting: On what it was tried.
        says: What the paper says.
        conditions: What is to hold, all of it.
        samples: The number of plausible devices that were drawn.
        here: At the rates that the paper has.
        by_load: With each device loaded as the paper's own is; None where there is no load to speak of.
        seed: Of the devices and requests; None in results of earlier versions, which did not say.
        count: Requests of each load that is drawn; None for as many as each setting has.
        replications: Draws of requests of each device, where they are drawn.
    """

    claim: str
    id: str
    setting: str
    says: str
    conditions: tuple[str, ...]
    samples: int
    here: Part
    by_load: Part | None
    seed: int | None = None
    count: int | None = None
    replications: int = DRAWS

    @classmethod
    def of_nothing(cls) -> "Row":
        """A row that says nothing, for the names of its columns."""
        part = Part(0, 0, 0, None, None, None, None, "", "", "", None, None, "")
        return cls("", "", "", "", (), 0, part, None)

    @property
    def asked(self) -> "Asked":
        """The settings that claims of one table have in common."""
        return Asked(self.samples, self.seed, self.count, self.replications)

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
        """The part that the verdict comes from."""
        return self.by_load or self.here

    def flat(self) -> dict[str, Any]:
        """As a row of a table."""
        found: dict[str, Any] = {name: getattr(self, name) for name in ("claim", "paper", "says")}
        found |= {"condition": " and ".join(self.conditions), "setting": self.setting}
        found |= asdict(self.asked) | {"verdict": self.verdict}
        for prefix, part in (("", self.here), ("by_load_", self.by_load)):
            plain = asdict(part) if part else dict.fromkeys(Part.__dataclass_fields__)
            doubt = plain.pop("doubt") or dict.fromkeys(Doubt.__dataclass_fields__)
            plain |= {f"doubt_{key}": value for key, value in doubt.items()}
            plain["part_verdict"] = plain.pop("verdict")
            found |= {f"{prefix}{key}": value for key, value in plain.items()}
        return found


@dataclass(frozen=True, repr=False)
class Robustness(Result):
    """The findings on the comparing claims.

    Attributes:
        rows: A row a claim.
    """

    rows: Sequence[Row]

    def table(self) -> "_pyarrow.Table":
        """A row a claim."""
        return pyarrow.table(_columns([row.flat() for row in self.rows]))

    def _arrow(self) -> "_pyarrow.Table":
        return self.table()

    def _form(self) -> Form:
        rows = [
            {"claim": row.claim, "verdict": row.verdict, "share": row.part.share, "says": row.says}
            for row in self.rows
        ]
        return Form(
            "Robustness of claims",
            [of_rows(rows)],
            calls=("table()", "to_pandas()"),
            line=f"of {counted(len(self.rows), 'claim')}",
        )

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
        plain = {"version": __version__, "claims": self.plain()}
        text = json.dumps(plain, indent=1) + "\n"
        return [*write_table(self.table(), folder, NAME), write_text(Path(folder) / f"{NAME}.json", text)]


_DOUBTS = [f"doubt_{name}" for name in Doubt.__dataclass_fields__]
_KINDS = {
    **dict.fromkeys(("samples", "seed", "count", "replications"), "int64"),
    **{
        f"{prefix}{key}": kind
        for prefix in ("", "by_load_")
        for kind, keys in {
            "int64": ("holds_in", "changes_in", "known"),
            "float64": ("share", "low", "high", "accuracy", "own", *_DOUBTS),
        }.items()
        for key in keys
    },
}


def _columns(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    names = [*(rows[0] if rows else Row.of_nothing().flat())]
    return {
        name: pyarrow.array([row[name] for row in rows], getattr(pyarrow, _KINDS.get(name, "string"))())
        for name in names
    }


def is_there(folder: PathLike) -> bool:
    """Tell whether a folder has a result."""
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
        raise ParameterError(
            f"{path}: expected what 'sledsim paper robustness --out' writes, found another file ({error})"
        ) from error


def _row(given: Mapping[str, Any]) -> Row:
    by_load = given["by_load"]
    parts = {
        "conditions": tuple(given["conditions"]),
        "here": _part(given["here"]),
        "by_load": by_load and _part(by_load),
    }
    plain = {key: value for key, value in given.items() if key != "verdict"}
    if "devices" in plain:  # The name of an earlier version.
        plain["samples"] = plain.pop("devices")
    return Row(**plain | parts)


def _part(given: Mapping[str, Any]) -> Part:
    return Part(**{**given, "doubt": given["doubt"] and Doubt(**given["doubt"])})


def check_alike(there: Robustness, claims: Collection[str], asked: Asked, folder: PathLike) -> None:
    """Find out whether claims can stand beside those of a folder that they do not take the place of.

    Raises:
        ParameterError: Those are of another number of devices, or of other requests.
    """
    for row in there.rows:
        if row.claim not in claims and row.asked != asked:
            raise ParameterError(
                f"{folder}: expected the same as of {row.claim} there, {row.asked}, found {asked}:"
                " ask for all papers, or give another folder"
            )
