"""Results on the comparing claims: a row per claim, as a table and in files."""

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

#: Name of the files that hold the results, without the ending.
NAME = "robustness"
#: Bounds of the verdicts "robust" and "mostly" (the whole interval is above) and "not" (it is below).
ROBUST, MOSTLY, NOT = 0.9, 0.5, 0.1
#: Meanings of the verdicts on robustness, from best to worst.
VERDICTS: Mapping[str, str] = {
    "robust": "the whole interval of the share is above 90 %",
    "mostly": "the whole interval of the share is above 50 %",
    "in a part": "the interval of the share contains 50 %, or lies below 50 %",
    "not": "the whole interval of the share is below 10 %",
    "undecided": "the interval is too wide to choose between these verdicts: too few devices or draws",
    "unknown": "the result is known for less than 10 % of the devices: the others cannot be built",
}
#: Least number of devices with the claim, and of devices without it, for which a rule that separates both is
#: sought.
_LEAST = 5
#: Minimum share of devices with a known result, below which the verdict is "unknown".
_KNOWN = 0.1


@dataclass(frozen=True)
class Part:
    """The share of plausible devices with which a claim holds, and the parameter that decides.

    Attributes:
        holds_in: Number of devices with which the claim holds in every draw of requests.
        changes_in: Number of devices with which the claim holds in some draws only.
        known: Number of devices with a known result.
        share: Mean over devices of the share of draws of requests in which the claim holds; None without a
            known result.
        low: Lower end of the 95 % interval of the share; None without a known result.
        high: Upper end of the 95 % interval of the share; None without a known result.
        doubt: Width of the interval that is due to the choice of devices, and to the draws of requests; None
            without a known result.
        verdict: Verdict on robustness, a key of `VERDICTS`.
        rule: Bound on one parameter that best tells the devices with which the claim always holds from those
            with which it never holds; empty if there are too few of either.
        factor: Parameter that the rule bounds.
        accuracy: Share of the devices not used to find the rule for which it is right; devices with and
            without the claim have equal weight.
        own: Share of draws in which the claim holds with the paper's own device; None if it is not known.
        why: Reason why the result is unknown for the first such device; empty if every result is known.
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
        """True if the rule is right for at least three quarters of the devices."""
        return self.accuracy is not None and self.accuracy >= 0.75

    @classmethod
    def of(cls, answer: Answer, seed: int) -> "Part":
        """Build a result from the answers on all devices; `seed` selects those that test the rule."""
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
    """Return the verdict, a key of `VERDICTS`, for the two ends of the interval of a share."""
    if low > ROBUST:
        return "robust"
    if low > MOSTLY:
        return "mostly"
    if high < NOT:
        return "not"
    return "undecided" if high > ROBUST or (low < NOT and high > MOSTLY) else "in a part"


@dataclass(frozen=True)
class Asked:
    """Settings with which all claims of a table are tested: devices, seed, requests and draws (see `Row`)."""

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
        claim: Id of the claim with a letter for the tested statement, for example ``001-C20a``.
        id: Id of the claim, for example ``001-C20``.
        setting: Name of the setting (devices, loads and policy) in which the claim was tested.
        says: Statement of the paper, in the words of this project.
        conditions: Conditions over runs, all of which have to hold for the claim.
        samples: Number of plausible devices drawn.
        here: Result at the arrival rates at which the paper tests the claim.
        by_load: Result with each device at the utilization of the paper's own device; None for claims
            that are not about a load.
        seed: Seed of devices and requests; None in results of earlier versions.
        count: Number of requests of each random load; None for the number that the setting states.
        replications: Number of draws of requests for each device.
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
        """Return an empty row, from which an empty table takes the names of its columns."""
        part = Part(0, 0, 0, None, None, None, None, "", "", "", None, None, "")
        return cls("", "", "", "", (), 0, part, None)

    @property
    def asked(self) -> "Asked":
        """The settings with which the claim was tested, shared by all claims of a table."""
        return Asked(self.samples, self.seed, self.count, self.replications)

    @property
    def paper(self) -> str:
        """The number of the paper."""
        return self.claim.partition("-")[0]

    @property
    def verdict(self) -> str:
        """Verdict on robustness: at equal utilization for a claim about a load, else at the paper's rates."""
        return self.part.verdict

    @property
    def part(self) -> Part:
        """The result that gives the verdict: `by_load`, or `here` if `by_load` is None."""
        return self.by_load or self.here

    def flat(self) -> dict[str, Any]:
        """Return the result as columns by name, for a table with a row per claim."""
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
    """The results on comparing claims over plausible devices.

    Attributes:
        rows: Result for each claim.
    """

    rows: Sequence[Row]

    def table(self) -> "_pyarrow.Table":
        """Return the results as an Arrow table with a row per claim."""
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
        """Return the results as JSON data."""
        return [asdict(row) | {"verdict": row.verdict} for row in self.rows]

    def merged(self, new: "Robustness", order: Sequence[str]) -> "Robustness":
        """Return these results with those of `new` added, which replace results on the same claims.

        Args:
            new: Results to add.
            order: Ids of claims in the order of the rows; results on other claims are dropped.
        """
        rows = {row.claim: row for row in (*self.rows, *new.rows)}
        return Robustness(tuple(rows[name] for name in order if name in rows))

    def write(self, folder: PathLike) -> list[Path]:
        """Write the table into a folder as Parquet and CSV, and the results as JSON, which `read` reads.

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
    """True if a folder has the file ``robustness.json``."""
    return (Path(folder) / f"{NAME}.json").is_file()


def read(folder: PathLike) -> Robustness:
    """Read the results in a folder; they have no rows if the folder has no file ``robustness.json``.

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
    """Check that results on `claims` with the settings `asked` can be added to those in a folder, `there`.

    Raises:
        ParameterError: A result on another claim has other settings.
    """
    for row in there.rows:
        if row.claim not in claims and row.asked != asked:
            raise ParameterError(
                f"{folder}: expected {row.asked}, the settings of {row.claim} in this folder, found {asked}:"
                " repeat the command with these settings, with all papers, or with another folder"
            )
