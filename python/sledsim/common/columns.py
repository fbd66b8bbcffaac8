"""Check of the columns of a Parquet file before they are read, as columns of text may exceed memory."""

from collections.abc import Iterable

from .arrow import pyarrow
from .checked import WrongError


def check_numbers(schema: "pyarrow.Schema", names: Iterable[str]) -> None:
    """Check that each of some columns exists once in a file and has numbers or booleans.

    Raises:
        WrongError: A column is missing or has values of another type.
    """
    types = pyarrow.types
    for name in names:
        if (count := len(schema.get_all_field_indices(name))) != 1:
            raise WrongError(name, "one column", f"{count}")
        found = schema.field(name).type
        if not any(check(found) for check in (types.is_integer, types.is_floating, types.is_boolean)):
            raise WrongError(name, "numbers", f"values of the type {str(found)[:60]}")
