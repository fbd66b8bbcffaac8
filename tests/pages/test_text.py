"""Texts in pages stay texts."""

import json
from typing import Any

import pytest

from sledsim.common import html_text as text

HOSTILE = "</script><script>alert(1)</script><!--&lt;b&gt;\"'"


@pytest.mark.parametrize("value", [HOSTILE, [HOSTILE], {HOSTILE: HOSTILE}, "\n\t", "&amp;", "\\u003c", "\\"])
def test_json_in_a_script_is_the_same_value(value: Any) -> None:
    found = text.script_json(value)
    assert not set("<>&\n") & set(found)
    assert json.loads(found) == value


def test_what_no_document_may_hold_is_replaced() -> None:
    assert text.escape("a\ud800\x00b\t\x1b\x9f<") == "a\ufffd\ufffdb\t\ufffd\ufffd&lt;"
    assert text.printable({"a\x00": ["\ud800", 3, None]}) == {"a\ufffd": ["\ufffd", 3, None]}
