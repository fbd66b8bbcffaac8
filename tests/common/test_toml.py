"""A small text in TOML takes little memory, and each mistake in it is an error of TOML."""

import resource

import pytest

from sledsim.common.toml import TOMLDecodeError, loads


@pytest.mark.parametrize("parts", ["a.", "'a b' . ", '"a.b".', "a-1.\t"])
@pytest.mark.parametrize("around", ["{}b = 1", "[{}b]", "[[{}b]]", "x = {{ {}b = 1 }}"])
def test_a_key_of_many_parts_is_refused_at_once(parts: str, around: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(TOMLDecodeError, match="expected keys of at most 50 parts"):
        loads(around.format(parts * 100_000))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < before + (64 << 10)


def test_few_parts_and_many_numbers_are_read() -> None:
    assert loads("a.b.c = 1") == {"a": {"b": {"c": 1}}}
    numbers = [0.5] * 1000
    assert loads(f"x = {numbers}") == {"x": numbers}
    assert len(loads("x = '" + "a.b, " * 1000 + "'")["x"]) == 5000


@pytest.mark.parametrize(
    "text", ["x = " + "9" * 10_000, "x = " + "[" * 100_000, "x = ", "x = '" + "a" * 100_000]
)
def test_what_is_no_toml_is_an_error_of_toml(text: str) -> None:
    with pytest.raises(TOMLDecodeError):
        loads(text)
