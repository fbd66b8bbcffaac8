"""A study of the bare device: its definition, its table, its chart, and the files that it writes."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..charts.style import save_charts
from ..common import units
from ..common.grids import Grid, of_rows
from ..common.output_files import PathLike, write_table
from ..common.shown import Form, Result, counted, quoted
from ..pages import page as pages
from ..pages.page import About, Table as PageTable
from .sheet_options import Progress
from .tables import Table, origin

#: Largest number of rows of a table that is shown in full; number of rows shown of a longer table without a
#: `digest`.
_ROWS_SHOWN, _ROWS_OF_MANY = 60, 30


@dataclass(frozen=True, repr=False)
class Definition:
    """The definition of a study; each file of a study ends with it, as ``ROW``, built by `defined`.

    Attributes:
        description: Description in one line.
        table: Function that computes the table for a device; its name is the name of the study.
        chart: Function that draws the chart of a table.
        digest: Function that returns a short table for screens; None shows evenly spread rows of a long
            table.
        source: Claim or experiment of a paper to which the study belongs, such as ``001-E-8``.
        own_name: Name of the study if it differs from the name of its function; studies of packages need it.
    """

    description: str
    table: Callable[..., Table]
    chart: Callable[[Table], Any]
    digest: Callable[[Table], Table] | None = None
    source: str = ""
    own_name: str = ""

    @property
    def name(self) -> str:
        """The name by which users call the study, such as ``seek-map``."""
        return self.own_name or self.table.__name__.replace("_", "-")

    def __repr__(self) -> str:
        return f"<sledsim.studies.Definition {self.name}>"


def defined(
    table: Callable[..., Table],
    chart: Callable[[Table], Any],
    digest: Callable[[Table], Table] | None = None,
) -> Definition:
    """Build the definition of a study whose description and source are in the first line of its file.

    The line has the form "Description (source)."
    """
    # Python run without docstrings has no such line.
    said = (sys.modules[table.__module__].__doc__ or "").partition("\n")[0].removesuffix(".")
    description, _, source = said.removesuffix(")").partition(" (")
    return Definition(description[:1].lower() + description[1:], table, chart, digest, source)


@dataclass(frozen=True, eq=False, repr=False)
class Study(Result):
    """The result of a study of one device, as `run` returns it.

    Attributes:
        definition: Definition of the study.
        device: Name of the device.
        table: Table of the results in SI units, one observation per row.
    """

    definition: Definition
    device: str
    table: Table

    @property
    def name(self) -> str:
        """The name of the study."""
        return self.definition.name

    @property
    def origin(self) -> dict[str, Any]:
        """The origin of the table: study, device, parameters, options, version and notes."""
        return origin(self.table)

    @property
    def notes(self) -> list[str]:
        """Remarks on the table in sentences, for example why values are missing."""
        notes: list[str] = self.origin["notes"]
        return notes

    def _form(self) -> Form:
        return Form(
            f"{self.definition.description}: {self.device}",
            self._parts,
            self.notes,
            ("plot()", "table", "origin", "to_pandas()"),
            f"{self.name} of {quoted(self.device)}: {counted(self.table.num_rows, 'row')}",
        )

    def _parts(self) -> list[Grid | str]:
        shown, note = self._shown()
        rows = shown.to_pylist()
        # Rows of several quantities have units next to their values.
        names = [name for name in shown.column_names if name != "unit"]
        more = f"{note} of {self.table.num_rows:,} rows: 'table', --json and --out DIR have all."
        return [of_rows(rows, names, cell=_cell), *([more] if note else [])]

    def _shown(self) -> tuple[Table, str]:
        """Return the rows to show, and a text that says which part of the table they are; empty for all."""
        count = self.table.num_rows
        if count <= _ROWS_SHOWN:
            return self.table, ""
        if self.definition.digest:
            return self.definition.digest(self.table), "Digest"
        spread = sorted({round(at * (count - 1) / (_ROWS_OF_MANY - 1)) for at in range(_ROWS_OF_MANY)})
        return self.table.take(spread), f"{len(spread)}, evenly spread,"

    def plot(self) -> Any:
        """Return the study as an Altair chart (needs ``sledsim[plot]``)."""
        from ..charts.offline import offline

        return offline(self._drawn())

    def _drawn(self) -> Any:
        return self.definition.chart(self.table)

    def write(self, folder: PathLike, progress: Progress = None) -> list[Path]:
        """Write the table and the plots into a folder, which is created if needed; return the paths.

        Raises:
            OSError: A file cannot be written; an incomplete file is removed.
            ModuleNotFoundError: The plots need ``sledsim[plot]``; the table has been written.
        """
        return self.write_table(folder) + self.write_plots(folder, progress)

    def write_table(self, folder: PathLike) -> list[Path]:
        """Write the table as Parquet, with its origin as metadata, and as CSV; return both paths.

        Raises:
            OSError: A file cannot be written; an incomplete file is removed.
        """
        return write_table(self.table, folder, self.name)

    def write_plots(self, folder: PathLike, progress: Progress = None) -> list[Path]:
        """Write the chart as a web page that works offline, as PNG and as SVG; return the paths.

        Raises:
            OSError: A file cannot be written; an incomplete file is removed.
            ModuleNotFoundError: Altair is missing: install ``sledsim[plot]``.
        """
        return save_charts(self._drawn(), folder, self.name, progress, self._about())

    def _about(self) -> About:
        """Return further parts for the web page of the study: description, table or digest, and origin."""
        said = self.definition.description
        digest = self.definition.digest
        whole = digest(self.table) if digest else self.table
        shown = pages.table("Table of the study", whole.slice(0, pages.ROWS_SHOWN).to_pylist())
        about = PageTable("Origin of the table", ("Setting", "Value"), _texts(self.origin))
        tables = [replace(shown, count=max(shown.count, whole.num_rows))]
        return About(self.name, f"{said[:1].upper()}{said[1:]}.", tables, [about])


def _texts(origin: Mapping[str, Any]) -> list[list[str]]:
    """Return the origin of a table as pairs of texts: name and value of each entry and parameter."""
    found = []
    for key, value in origin.items():
        if isinstance(value, Mapping):
            found += [[f"{key}: {name}", str(one)] for name, one in value.items()]
        else:
            found.append([key, str(value)])
    return found


def _cell(row: Mapping[str, Any], name: str, unit: units.Unit) -> str:
    value = row.get(name)
    if value is None:
        return ""
    if name == "quantity":
        return units.label(value)
    if name in ("value", "paper"):
        return units.quantity(row["quantity"], value)
    return units.text(value, unit)
