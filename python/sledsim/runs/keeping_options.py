"""Rarely used options of a run: columns to keep, the output file, and fitting of the trace."""

from collections.abc import Iterable
from typing import Annotated, TypedDict

from ..common.declared import Declared, document_options
from ..common.output_files import PathLike


class KeepingOptions(TypedDict, total=False):
    """Options of a run: columns to keep, the output file, and fitting of the trace.

    Attributes:
        columns: Names of the columns to keep, and of sets of columns (`listings.column_sets`), such as
            ``times,energy_j``; or ``none``, with which a stream runs in constant memory. Arrivals and
            completions are kept with any other column. A run that keeps fewer columns is faster.
    """

    fit: Annotated[
        bool,
        Declared(
            "Change a trace that exceeds the device so that it fits, as `fit` does, in place of ``past_end``",
            False,
        ),
    ]
    columns: Annotated[str | Iterable[str], Declared("Columns to keep", "all")]
    path: Annotated[
        PathLike | None,
        Declared("Write the columns to this file instead of memory, as `Run.write` does"),
    ]


document_options(KeepingOptions)
