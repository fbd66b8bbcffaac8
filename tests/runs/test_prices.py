"""The cost of a request, against the formula by hand."""

import math

import pytest

import sledsim
from sledsim.runs.prices import Prices

YEAR_S = 31_557_600


def test_a_request_pays_its_part_of_the_device_and_its_energy() -> None:
    prices = Prices({"a": 120, "b": "2.5/GiB"}, lifetime_years=2, kwh_price=0.36)
    # 100 requests a second for two years; a joule is a 3.6 millionth of a kilowatt hour.
    assert prices.cost_per_request("a", 1, 100.0, 5.0) == pytest.approx(120 / (100 * 2 * YEAR_S) + 5e-7)
    assert prices.cost_per_request("b", 4 * 2**30, 100.0, 0.0) == pytest.approx(10 / (200 * YEAR_S))
    assert prices.cost_per_request("c", 1, 100.0, 5.0) is None
    assert Prices({"a": "7"}).cost_per_request("a", 1, 1.0, 1.0) == pytest.approx(7 / (5 * YEAR_S))


@pytest.mark.parametrize("price", [-1, math.nan, math.inf, True, "x", "", "1/MiB", "-1/GiB", None, [1]])
def test_what_is_no_price_is_refused(price: object) -> None:
    with pytest.raises(sledsim.ParameterError, match=r"^price of a = .*: expected a number of 0 or more"):
        Prices({"a": price})  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("key", "value"),
    [("lifetime_years", 0), ("lifetime_years", math.inf), ("kwh_price", -0.1), ("kwh_price", "1")],
)
def test_other_numbers_are_refused_by_their_key(key: str, value: object) -> None:
    with pytest.raises(sledsim.ParameterError, match=f"^{key} = .*: expected a"):
        Prices({"a": 1}, **{key: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("given", [{"lifetime_years": 3}, {"kwh_price": 0.1}])
def test_what_is_for_prices_needs_one(given: dict[str, float]) -> None:
    with pytest.raises(sledsim.ParameterError, match=f"^{next(iter(given))}: needs the price of a device"):
        Prices(**given)  # type: ignore[arg-type]


def test_prices_are_of_what_is_compared() -> None:
    Prices({"a": 1}).check(["b", "a"])
    with pytest.raises(
        sledsim.ParameterError, match="price of 'a': expected the name of a compared device: b, c"
    ):
        Prices({"a": 1}).check(["b", "c"])
