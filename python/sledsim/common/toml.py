"""TOML, which the standard library reads from Python 3.11 on, within limits."""

import re
import sys
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["TOMLDecodeError", "loads"]

TOMLDecodeError = tomllib.TOMLDecodeError
#: Parts that a key has at the most: memory for one grows with their square.
_MOST_PARTS = 50
_DEEP = re.compile(
    r"""(?<![\w"'.-])(?:(?:"[^"\n]*"|'[^'\n]*'|[\w-]+)[ \t]*\.[ \t]*){%d}""" % _MOST_PARTS  # noqa: UP031
)


def loads(text: str) -> dict[str, Any]:
    """The tables of a text.

    Raises:
        TOMLDecodeError: It is no TOML, has keys, lists or tables that lie too deep in each other, or a number
            of thousands of digits.
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
