"""Results on the comparing claims: one row each, as a table, in files and as text."""

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

#: Name of the files of a result, without extension.
NAME = "robustness"
#: Bounds for the whole interval: above for robust, above for mostly, below for not.
ROBUST, MOSTLY, NOT = 0.9, 0.5, 0.1
#: Verdicts in their order, with their meaning.
VERDICTS: Mapping[str, str] = {
    "robust": "the whole interval of the share is above 90 %",
    "mostly": "the whole interval is above half",
    "in a part": "the interval contains half, or lies below it",
    "not": "the whole interval is below 10 %",
    "undecided": "the interval is so wide that more than two of these are possible: too few devices or draws",
    "unknown": "the result is known for less than a tenth of the devices: the others cannot be built",
}
#: Minimum number of devices on each side of the threshold of a rule.
_LEAST = 5
#: Minimum share of devices with a known result for a verdict.
_KNOWN = 0.1


@dataclass(frozen=True)
class Part:
    """The share of plausible devices in which a claim holds.

    Attributes:
        holds_in: Number of devices in which the claim holds, for each draw of requests.
        changes_in: Number of devices in which the answer depends on the draw.
        known: Number of devices with a known result.
        share: Mean over devices of the share of draws in which the claim holds; None without a known result.
        low: Lower end of the 95 % interval of the share; None without a known result.
        high: Upper end of the interval.
        doubt: Sources of the width of the interval; None without a known result.
        verdict: Verdict, a key of `VERDICTS`.
        rule: Best rule on one parameter, among devices with one answer under all draws; empty if too few of
            them differ.
        factor: Parameter of the rule.
        accuracy: Share of other devices for which the rule is right, with both answers weighted alike.
        own: Share of draws in which the claim holds for the paper's own device; None if not known.
        why: Reason of the first device without a known result; empty if all are known.
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
        """True if the rule is right for three devices of four."""
        return self.accuracy is not None and self.accuracy >= 0.75

    @classmethod
    def of(cls, answer: Answer, seed: int) -> "Part":
        """Build the part of a row from an answer."""
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
    """Return the key of `VERDICTS` for the interval of a share."""
    if low > ROBUST:
        return "robust"
    if low > MOSTLY:
        return "mostly"
    if high < NOT:
        return "not"
    return "undecided" if high > ROBUST or (low < NOT and high > MOSTLY) else "in a part"


@dataclass(frozen=True)
class Asked:
    """Settings that all claims of a table share; see `Row`."""

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
    """The result for one claim.

    Attributes:
        claim: Id of the claim with its part.
        id: Id of the claim.
        setting: Setting in which the claim was tested.
        says: Statement of the paper.
        conditions: Conditions that all have to hold.
        samples: Number of plausible devices drawn.
        here: Result at the rates of the paper.
        by_load: Result with each device under the paper's utilization; None for claims without a load.
        seed: Seed of devices and requests; None in results of earlier versions.
        count: Number of requests of each drawn load; None for the number of each setting.
        replications: Number of draws of requests for each device, if requests are drawn.
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
        """Return an empty row, for the names of its columns."""
        part = Part(0, 0, 0, None, None, None, None, "", "", "", None, None, "")
        return cls("", "", "", "", (), 0, part, None)

    @property
    def asked(self) -> "Asked":
        """The settings that all claims of a table share."""
        return Asked(self.samples, self.seed, self.count, self.replications)

    @property
    def paper(self) -> str:
        """The number of the paper."""
        return self.claim.partition("-")[0]

    @property
    def verdict(self) -> str:
        """Verdict of `VERDICTS`: at equal utilization if the claim is about a load."""
        return self.part.verdict

    @property
    def part(self) -> Part:
        """The part that the verdict comes from."""
        return self.by_load or self.here

    def flat(self) -> dict[str, Any]:
        """The result as a table row."""
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
    """The results for the comparing claims.

    Attributes:
        rows: Results, one for each claim.
    """

    rows: Sequence[Row]

    def table(self) -> "_pyarrow.Table":
        """The results as a table, one row per claim."""
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
        """The results as JSON data."""
        return [asdict(row) | {"verdict": row.verdict} for row in self.rows]

    def merged(self, new: "Robustness", order: Sequence[str]) -> "Robustness":
        """Return these rows updated with the rows of another result.

        Args:
            new: Other result.
            order: Claims in their order; other claims are dropped.
        """
        rows = {row.claim: row for row in (*self.rows, *new.rows)}
        return Robustness(tuple(rows[name] for name in order if name in rows))

    def write(self, folder: PathLike) -> list[Path]:
        """Write the table as Parquet and CSV, and the result as JSON for `read`.

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
    """True if a folder has a result."""
    return (Path(folder) / f"{NAME}.json").is_file()


def read(folder: PathLike) -> Robustness:
    """Read the result in a folder; without rows if the folder has no result.

    Raises:
        OSError: The file cannot be read.
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
            f"{path}: expected a file of 'sledsim paper robustness --out', found another file ({error})"
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
    """Check that claims can stand beside the other claims of a folder.

    Raises:
        ParameterError: The other claims have another number of devices, or other requests.
    """
    for row in there.rows:
        if row.claim not in claims and row.asked != asked:
            raise ParameterError(
                f"{folder}: expected the settings of {row.claim} there, {row.asked}, found {asked}:"
                " run all papers again, or give another folder"
            )
