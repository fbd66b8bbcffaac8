"""Text as pages have it: escaped, and without what no document may hold."""

import html
import json
import re
from collections.abc import Mapping
from typing import Any

#: What no document may hold, or no script (the ends of lines U+2028 and U+2029), and what is shown instead.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_REPLACEMENT = "\ufffd"


def escape(text: object) -> str:
    """A text as HTML has it, in an element or in an attribute between quotes."""
    return html.escape(printable(str(text)))


def script_json(value: Any) -> str:
    """JSON that can stand inside a script element: nothing in it can be taken for markup."""
    text = json.dumps(printable(value), separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def printable(value: Any) -> Any:
    """A text, or the texts in lists and dictionaries, without characters that no document may hold."""
    if isinstance(value, str):
        return _UNPRINTABLE.sub(_REPLACEMENT, value)
    if isinstance(value, Mapping):
        return {printable(key): printable(within) for key, within in value.items()}
    if isinstance(value, list | tuple):
        return [printable(within) for within in value]
    return value
