"""Reading of TOML texts with limits on their depth, by `tomllib` or, before Python 3.11, `tomli`."""

import re
import sys
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["TOMLDecodeError", "loads"]

TOMLDecodeError = tomllib.TOMLDecodeError
#: Largest number of parts of a key such as ``a.b.c``, as memory grows with the square of this number.
_MOST_PARTS = 50
_DEEP = re.compile(
    r"""(?<![\w"'.-])(?:(?:"[^"\n]*"|'[^'\n]*'|[\w-]+)[ \t]*\.[ \t]*){%d}""" % _MOST_PARTS  # noqa: UP031
)


def loads(text: str) -> dict[str, Any]:
    """Return the tables of a TOML text.

    Raises:
        TOMLDecodeError: The text is no TOML, is nested too deeply, or has a number of thousands of digits.
    """
    if _DEEP.search(text):
        raise TOMLDecodeError(f"expected keys of at most {_MOST_PARTS} parts, found a longer key")
    try:
        found: dict[str, Any] = tomllib.loads(text)
    except TOMLDecodeError:
        raise
    except RecursionError:
        raise TOMLDecodeError("lists or tables are nested too deeply") from None
    except ValueError as error:
        raise TOMLDecodeError(str(error)) from None
    return found
