"""Options of a run that few calls need."""

from collections.abc import Iterable
from typing import Annotated, TypedDict

from ..common.declared import Declared, document_options
from ..common.output_files import PathLike


class KeepingOptions(TypedDict, total=False):
    """The part of a run that is kept, and a trace that is made to fit.

    Attributes:
        columns: Names of columns and of `listings.column_sets`, such as ``times,energy_j``, or ``none``,
            with which a stream runs in constant memory. Arrivals and completions are kept with any others.
            Fewer columns are faster.
    """

    fit: Annotated[
        bool,
        Declared(
            "Make a trace fit that reaches past the end, as `fit` does, in place of ``past_end``", False
        ),
    ]
    columns: Annotated[str | Iterable[str], Declared("Columns to keep", "all")]
    path: Annotated[
        PathLike | None, Declared("A file for the rows, in place of memory, as `Run.write` has it")
    ]


document_options(KeepingOptions)
