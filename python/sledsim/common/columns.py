"""Check of a Parquet file's column types before its columns are read, since texts could fill the memory."""

from collections.abc import Iterable

from .arrow import pyarrow
from .checked import WrongError


def check_numbers(schema: "pyarrow.Schema", names: Iterable[str]) -> None:
    """Check that a file has each column in `names` once, and that these hold numbers or booleans.

    Raises:
        WrongError: A column is missing, occurs twice, or has values of another type.
    """
    types = pyarrow.types
    for name in names:
        if (count := len(schema.get_all_field_indices(name))) != 1:
            raise WrongError(name, "one column", f"{count}")
        found = schema.field(name).type
        if not any(check(found) for check in (types.is_integer, types.is_floating, types.is_boolean)):
            raise WrongError(name, "numbers", f"values of the type {str(found)[:60]}")
