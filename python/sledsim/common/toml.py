"""TOML, read by the standard library from Python 3.11 on, with limits on depth."""

import re
import sys
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["TOMLDecodeError", "loads"]

TOMLDecodeError = tomllib.TOMLDecodeError
#: Most parts of a key, as memory for a key grows with the square of its parts.
_MOST_PARTS = 50
_DEEP = re.compile(
    r"""(?<![\w"'.-])(?:(?:"[^"\n]*"|'[^'\n]*'|[\w-]+)[ \t]*\.[ \t]*){%d}""" % _MOST_PARTS  # noqa: UP031
)


def loads(text: str) -> dict[str, Any]:
    """Return the tables of a TOML text.

    Raises:
        TOMLDecodeError: The text is no TOML, has keys, lists or tables that are nested too deeply, or has a
            number of thousands of digits.
    """
    if _DEEP.search(text):
        raise TOMLDecodeError(f"expected keys of at most {_MOST_PARTS} parts, found one of more")
    try:
        found: dict[str, Any] = tomllib.loads(text)
    except TOMLDecodeError:
        raise
    except RecursionError:
        raise TOMLDecodeError("expected lists and tables of moderate depth, found deeper ones") from None
    except ValueError as error:
        raise TOMLDecodeError(str(error)) from None
    return found
