"""Options of a run that few calls need."""

from collections.abc import Iterable
from typing import Annotated, TypedDict

from ..common.declared import Declared, document_options
from ..common.output_files import PathLike


class KeepingOptions(TypedDict, total=False):
    """Options for the parts of a run to keep, and for fitting a trace.

    Attributes:
        columns: Names of columns and of `listings.column_sets`, such as ``times,energy_j``, or ``none``,
            which runs a stream in constant memory. Arrivals and completions are kept in addition to any other
            column. Fewer columns run faster.
    """

    fit: Annotated[
        bool,
        Declared(
            "Make a trace past the end of the device fit, as `fit` does, instead of ``past_end``",
            False,
        ),
    ]
    columns: Annotated[str | Iterable[str], Declared("Columns to keep", "all")]
    path: Annotated[
        PathLike | None, Declared("Write the rows to this file instead of memory, as `Run.write` does")
    ]


document_options(KeepingOptions)
