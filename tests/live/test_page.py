"""The page in which the simulator runs, in a real browser: every control, every width, by keyboard."""

import gzip
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sledsim

pytest.importorskip("playwright", reason="pip install playwright")

from playwright.sync_api import expect

from .driving import THERE_MS, Opened, at_end, complete, drawn, finished, goto, seconds

#: The page is built by one process.
pytestmark = pytest.mark.xdist_group("browser")
WIDTHS = (360, 390, 1280, 2560)


@pytest.mark.dear("the page runs in a browser")
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_is_cut_off_and_nothing_is_amiss(
    opened: Opened, page: Path, violations: Callable[[Any], list[str]], width: int, theme: str
) -> None:
    with opened(page, width, theme) as shown:
        drawn(shown)
        assert shown.evaluate("document.documentElement.scrollWidth") <= width
        assert shown.locator("canvas.stage").count() == 2
        assert violations(shown) == []


@pytest.mark.dear("the page runs in a browser")
def test_a_link_shows_the_same_and_the_command_makes_it(opened: Opened, page: Path) -> None:
    fragment = (
        "device=mascots03&policy=sptf&policy=clook_lbn&workload=random:rate=700,count=300,seed=5"
        "&set=settle_ms%3D0.3&speed=10&at=123"
    )
    with opened(page) as shown:
        goto(shown, page, fragment)
        assert shown.locator("#now").text_content() == "123.000 ms"
        assert shown.evaluate("location.hash").endswith("&set=settle_ms=0.3&speed=10&at=123")
        at_end(shown)
        finished(shown, "300")
        command = shown.locator("#command").text_content()
        assert command == (
            "sledsim compare random:rate=700,count=300,seed=5 --device mascots03 --schedulers sptf,clook_lbn"
            " --set settle_ms=0.3"
        )
        assert complete(shown) == [300, 300]
        means = shown.locator("#figures tbody tr td:nth-child(4)").all_text_contents()
    device = sledsim.device("mascots03", settle_ms=0.3)
    requests = sledsim.workload("random:rate=700,count=300,seed=5", device)
    for policy, mean in zip(["sptf", "clook_lbn"], means, strict=True):
        expected = sledsim.simulate(device, requests, policy).summary()["mean_response_s"]
        assert seconds(mean) == pytest.approx(expected, rel=6e-3)


@pytest.mark.dear("the page runs in a browser")
def test_it_plays_pauses_and_steps(opened: Opened, page: Path) -> None:
    with opened(page) as shown:
        drawn(shown)
        assert shown.locator("#play").text_content() == "Play"
        shown.select_option("#speed", "0.1")
        shown.click("#play")
        finished(shown, re.compile(r"^([2-9]\d|\d{3,})$"))
        shown.click("#play")
        assert "mean response" in shown.locator("#said").text_content()
        for _ in range(3):
            before = shown.locator("#now").text_content()
            shown.click("#forth")
            expect(shown.locator("#now")).not_to_have_text(before, timeout=THERE_MS)
        assert re.search(r"at=\d", shown.evaluate("location.hash"))


@pytest.mark.dear("the page runs in a browser")
def test_keys_do_what_buttons_do(opened: Opened, page: Path) -> None:
    with opened(page) as shown:
        drawn(shown)
        shown.locator("canvas.stage").first.focus()
        speed = shown.locator("#speed")
        slow = float(speed.input_value())
        shown.keyboard.press("ArrowUp")
        assert float(speed.input_value()) > slow
        begun = shown.locator("#now").text_content()
        shown.keyboard.press("ArrowRight")
        expect(shown.locator("#now")).not_to_have_text(begun, timeout=THERE_MS)
        shown.keyboard.press("Space")
        assert shown.locator("#play").text_content() == "Pause"


@pytest.mark.dear("the page runs in a browser")
def test_a_wrong_choice_is_reported_and_can_be_mended(opened: Opened, page: Path) -> None:
    with opened(page) as shown:
        drawn(shown)
        shown.fill("#workload", "rndom:rate=1")
        shown.locator("#workload").dispatch_event("change")
        shown.wait_for_selector("#fault:not([hidden])", timeout=THERE_MS)
        assert 'did you mean "random"' in shown.locator("#fault").text_content()
        shown.fill("#workload", "random:rate=100,count=50,seed=1")
        shown.locator("#workload").dispatch_event("change")
        shown.wait_for_selector("#fault", state="hidden", timeout=THERE_MS)


@pytest.mark.dear("the page runs in a browser")
@pytest.mark.parametrize("packed", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_a_trace_file_is_replayed(
    opened: Opened, page: Path, tmp_path: Path, packed: Callable[[bytes], bytes]
) -> None:
    text = "".join(f"{at * 0.9:.3f} 0 {at * 1000} 8 {at % 2}\n" for at in range(40))
    trace = tmp_path / "my.trace"
    trace.write_bytes(packed(text.encode()))
    with opened(page) as shown:
        drawn(shown)
        shown.set_input_files("#file", trace)
        expect(shown).to_have_url(re.compile("trace=my.trace"), timeout=THERE_MS)
        at_end(shown)
        finished(shown, "40")
        assert "my.trace" in shown.locator("#command").text_content()


@pytest.mark.dear("the page runs in a browser")
def test_a_slider_changes_the_runs(opened: Opened, page: Path) -> None:
    with opened(page) as shown:
        goto(shown, page, "workload=random:rate=700,count=200,seed=5&speed=10")
        at_end(shown)
        finished(shown, "200")
        before = shown.locator("#figures").text_content()
        shown.locator("summary").click()
        field = shown.locator("#all-settle_ms, #all-access_velocity_mm_per_s").first
        field.fill("5")
        field.dispatch_event("change")
        expect(shown).to_have_url(re.compile("set="), timeout=THERE_MS)
        at_end(shown)
        finished(shown, "200")
        assert shown.locator("#figures").text_content() != before


@pytest.mark.dear("the page runs in a browser")
def test_in_a_frame_of_another_page_there_is_the_picture_alone(
    opened: Opened, page: Path, tmp_path: Path
) -> None:
    around = tmp_path / "around.html"
    source = f"{page.absolute().as_uri()}#workload=random:rate=1300,count=200,seed=1&amp;at=50"
    around.write_text(f'<iframe style="width: 800px; height: 900px" src="{source}"></iframe>')
    with opened(around) as shown:
        frame = shown.frame_locator("iframe")
        expect(frame.locator("html[data-drawn]")).to_be_attached(timeout=THERE_MS)
        assert frame.locator("canvas.stage:visible").count() == 2
        expect(frame.locator("#play")).to_be_visible()
        expect(frame.locator("#now")).to_have_text("50.000 ms")
        for place in ("h1", "#choices", "#sliders", "#command"):
            expect(frame.locator(place)).to_be_hidden()
