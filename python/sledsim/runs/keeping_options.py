"""Options of a run that few calls need."""

from collections.abc import Iterable
from typing import Annotated, TypedDict

from ..common.declared import Declared, document_options
from ..common.output_files import PathLike


class KeepingOptions(TypedDict, total=False):
    """Options that choose the columns to keep and fit a trace to the device.

    Attributes:
        columns: Names of columns and of `listings.column_sets`, such as ``times,energy_j``, or ``none``.
            With ``none`` a stream runs in constant memory; any other choice keeps arrivals and completions,
            too. Fewer columns are faster.
    """

    fit: Annotated[
        bool,
        Declared(
            "Fit a trace that reaches past the end of the device, as `fit` does, in place of ``past_end``",
            False,
        ),
    ]
    columns: Annotated[str | Iterable[str], Declared("Columns to keep", "all")]
    path: Annotated[PathLike | None, Declared("File for the rows, in place of memory; see `Run.write`")]


document_options(KeepingOptions)
