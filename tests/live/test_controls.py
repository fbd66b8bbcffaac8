"""Every control of the live page does what it says, for a pointer, a finger and a keyboard."""

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import sledsim

pytest.importorskip("playwright", reason="pip install playwright")

from playwright.sync_api import expect

from .driving import BUSY, THERE_MS, Opened, at_end, complete, drawn, finished, goto, seconds

#: The page is built by one process.
pytestmark = pytest.mark.xdist_group("browser")
FEW = "workload=random:rate=700,count=50,seed=5&speed=10"
TRACE = "".join(f"{at * 0.9:.3f} 0 {at * 1000} 8 {at % 2}\\n" for at in range(30))
#: Calls by which a browser draws, counted.
COUNTED = """
window.drawnTimes = 0;
for (const name of ["stroke", "fill", "fillRect", "strokeRect", "fillText"]) {
  const draw = CanvasRenderingContext2D.prototype[name];
  CanvasRenderingContext2D.prototype[name] = function (...given) {
    window.drawnTimes += 1;
    return draw.apply(this, given);
  };
}
"""


@pytest.mark.dear("the page runs in a browser")
def test_steps_lead_there_and_back(opened: Opened, page: Path) -> None:
    with opened(page) as shown:
        goto(shown, page, FEW)
        now = shown.locator("#now")
        begun = now.text_content()
        shown.click("#forth")
        expect(now).not_to_have_text(begun, timeout=THERE_MS)
        first = now.text_content()
        shown.click("#forth")
        expect(now).not_to_have_text(first, timeout=THERE_MS)
        shown.click("#back")
        expect(now).to_have_text(first, timeout=THERE_MS)
        shown.locator("canvas.stage").first.focus()
        shown.keyboard.press("End")
        finished(shown, "50")
        shown.keyboard.press("ArrowLeft")
        finished(shown, re.compile("4[89]"))
        shown.keyboard.press("Home")
        expect(now).to_have_text(begun, timeout=THERE_MS)


@pytest.mark.dear("the page runs in a browser")
def test_it_ends_by_itself_and_begins_again(opened: Opened, page: Path) -> None:
    with opened(page) as shown:
        goto(shown, page, FEW)
        shown.click("#play")
        expect(shown.locator("#play")).to_have_text("Play", timeout=THERE_MS)
        assert complete(shown) == [50, 50]
        shown.select_option("#speed", "0.0001")
        shown.click("#play")
        finished(shown, "0")
        assert shown.locator("#play").text_content() == "Pause"


@pytest.mark.dear("the page runs in a browser")
def test_one_policy_and_another_load(opened: Opened, page: Path) -> None:
    with opened(page) as shown:
        goto(shown, page, FEW)
        shown.select_option("#policy-1", "")
        expect(shown.locator("canvas.stage")).to_have_count(1, timeout=THERE_MS)
        shown.fill("#scale", "3")
        shown.locator("#scale").dispatch_event("change")
        expect(shown).to_have_url(re.compile("scale=3"), timeout=THERE_MS)
        at_end(shown)
        finished(shown, "50")
        assert shown.locator("#command").text_content() == (
            "sledsim run random:rate=700,count=50,seed=5 --device osdi00 --scheduler sptf --scale 3"
        )
        mean = shown.locator("#figures td").nth(2).text_content()
        shown.fill("#scale", "0")
        shown.locator("#scale").dispatch_event("change")
        expect(shown.locator("#fault")).to_have_text(
            "scale = 0: expected a positive number", timeout=THERE_MS
        )
    device = sledsim.device("osdi00")
    run = sledsim.simulate(
        device, sledsim.workload("random:rate=700,count=50,seed=5", device), "sptf", scale=3
    )
    assert seconds(mean) == pytest.approx(run.summary()["mean_response_s"], rel=6e-3)


@pytest.mark.dear("the page runs in a browser")
def test_parameters_are_found_changed_and_reset(opened: Opened, page: Path) -> None:
    with opened(page) as shown:
        # A link keeps the slider, and the value of the device is the one to go back to.
        goto(shown, page, FEW + "&set=settle_ms%3D0.4")
        field = shown.locator("#some-settle_ms")
        assert field.input_value() == "0.4"
        shown.locator("summary").click()
        shown.fill("#find", "settle")
        visible = shown.locator("#all .slider:visible")
        assert 1 < visible.count() < 10
        assert all("settle" in text for text in visible.all_text_contents())
        slider = shown.get_by_label("settle_ms, slider", exact=True).last
        slider.evaluate("(one) => { one.value = 1000; one.dispatchEvent(new Event('input')); }")
        expect(shown).to_have_url(re.compile("settle_ms=0.44"), timeout=THERE_MS)
        # It stands in two places.
        assert field.input_value() == "0.44"
        shown.click("#reset")
        expect(shown).not_to_have_url(re.compile("set="), timeout=THERE_MS)
        expect(field).to_have_value("0.22", timeout=THERE_MS)


@pytest.mark.dear("the page runs in a browser")
def test_another_address_is_another_state(opened: Opened, page: Path) -> None:
    with opened(page) as shown:
        drawn(shown)
        shown.evaluate(
            "location.hash = 'device=atlas10k&policy=look_lbn&workload=random:rate=50,count=20,seed=1'"
        )
        expect(shown.locator(".lane h2")).to_have_text(["look_lbn"], timeout=THERE_MS)
        assert shown.locator("#device").input_value() == "atlas10k"


@pytest.mark.dear("the page runs in a browser")
@pytest.mark.parametrize(
    ("fragment", "said", "place", "mended"),
    [
        ("policy=nix", 'unknown scheduler "nix"', "#policy-0", "fcfs"),
        ("device=nix", 'unknown device "nix"', "#device", "hong03"),
        ("set=tips=7", "active_tips = 1280: expected at most tips = 7", "#device", "hong03"),
        ("%%&set=&policy=&at=-5&scale=x&speed=0&row=1.5", 'unknown scheduler ""', "#policy-0", "fcfs"),
    ],
)
def test_a_link_that_is_wrong_can_be_mended(
    opened: Opened, page: Path, fragment: str, said: str, place: str, mended: str
) -> None:
    with opened(page) as shown:
        goto(shown, page, fragment)
        assert said in shown.locator("#fault").text_content()
        shown.select_option(place, mended)
        expect(shown.locator("#fault")).to_be_hidden(timeout=THERE_MS)
        assert shown.locator("canvas.stage").count() in (1, 2)
        assert shown.locator(".slider").count() > 20


@pytest.mark.dear("the page runs in a browser")
def test_a_time_after_the_end_is_the_end(opened: Opened, page: Path) -> None:
    with opened(page) as shown:
        goto(shown, page, FEW + "&at=1e300")
        finished(shown, "50")
        assert seconds(shown.locator("#now").text_content()) < 1


@pytest.mark.dear("the page runs in a browser")
def test_a_dropped_file_is_replayed_and_a_damaged_one_is_reported(opened: Opened, page: Path) -> None:
    with opened(page) as shown:
        drawn(shown)

        def drop(name: str, content: str) -> None:
            data = shown.evaluate_handle("() => new DataTransfer()")
            data.evaluate(f"(data) => {{ data.items.add(new File(['{content}'], '{name}')); }}")
            shown.dispatch_event("body", "dragover", {"dataTransfer": data})
            assert shown.locator("body.drags").count() == 1
            shown.dispatch_event("body", "drop", {"dataTransfer": data})
            assert shown.locator("body.drags").count() == 0

        drop("my.trace", TRACE)
        expect(shown).to_have_url(re.compile("trace=my.trace"), timeout=THERE_MS)
        at_end(shown)
        finished(shown, "30")
        drop("packed.gz", r"\x1f\x8b\x08\x00")
        expect(shown.locator("#fault")).to_have_text(re.compile("packed.gz: expected"), timeout=THERE_MS)
        drop("empty.trace", "")
        expect(shown.locator("#fault")).to_have_text(
            re.compile("empty.trace: expected a trace"), timeout=THERE_MS
        )
        # The workload takes the place of the file.
        shown.fill("#workload", "random:rate=100,count=20,seed=1")
        shown.locator("#workload").dispatch_event("change")
        expect(shown.locator("#fault")).to_be_hidden(timeout=THERE_MS)
        at_end(shown)
        finished(shown, "20")


@pytest.mark.dear("the page runs in a browser")
@pytest.mark.parametrize("may", [True, False], ids=["with", "without"])
def test_command_and_address_are_copied(opened: Opened, page: Path, may: bool) -> None:
    with opened(page) as shown:
        clipboard = "{ writeText: async (words) => { window.copied = words; } }" if may else "undefined"
        shown.add_init_script(f"Object.defineProperty(navigator, 'clipboard', {{ value: {clipboard} }});")
        goto(shown, page, FEW)
        command = shown.locator("#command").text_content()
        said = shown.locator("#said")
        shown.click("#copy")
        expect(said).to_have_text("The command is copied." if may else "The command is selected.")
        assert shown.evaluate("window.copied ?? getSelection().toString()") == command
        shown.click("#copy-link")
        expect(said).to_have_text(
            re.compile("address is copied" if may else "address of the page has it all")
        )
        assert not may or shown.evaluate("window.copied === location.href && location.hash.length > 9")


@pytest.mark.dear("the page runs in a browser")
def test_a_theme_is_chosen_and_kept(opened: Opened, page: Path) -> None:
    with opened(page) as shown:
        drawn(shown)
        grounds = []
        for theme in ("light", "dark", "system"):
            shown.click("#theme")
            assert shown.locator("#theme").text_content() == f"Theme: {theme}"
            grounds.append(shown.evaluate("getComputedStyle(document.body).backgroundColor"))
        assert grounds[0] != grounds[1] and grounds[2] == grounds[0]
        shown.click("#theme")
        shown.click("#theme")
        goto(shown, page, "")
        assert shown.locator("#theme").text_content() == "Theme: dark"


@pytest.mark.dear("the page runs in a browser")
def test_a_finger_plays_and_chooses_a_request(opened: Opened, page: Path) -> None:
    with opened(page, 390, has_touch=True, is_mobile=True) as shown:
        goto(shown, page, BUSY)
        finished(shown, re.compile(r"\d{3}"))
        shown.locator("canvas.stage").first.tap()
        says = shown.locator(".does").all_text_contents()
        rows = [re.search(r"chosen: request (\d+), (?:read|write) of", text) for text in says]
        assert len(rows) == 2 and all(rows), says
        assert {row[1] for row in rows if row} == {shown.evaluate("/row=(\\d+)/.exec(location.hash)[1]")}
        shown.locator("#play").tap()
        assert shown.locator("#play").text_content() == "Pause"


@pytest.mark.dear("the page runs in a browser")
def test_with_less_motion_time_passes_in_steps(opened: Opened, page: Path) -> None:
    with opened(page, reduced_motion="reduce") as shown:
        goto(shown, page, "workload=random:rate=100,count=60,seed=5&speed=0.1")
        shown.locator("canvas.stage").first.focus()
        # What is known before holds no step up.
        shown.keyboard.press("End")
        finished(shown, "60")
        shown.keyboard.press("Home")
        shown.evaluate(
            "() => { window.times = []; new MutationObserver(() => window.times.push(now.textContent))"
            ".observe(now, { childList: true }); }"
        )
        shown.click("#play")
        expect(shown.locator("#play")).to_have_text("Play", timeout=THERE_MS)
        times = [seconds(text) for text in shown.evaluate("window.times")]
        assert len(times) > 3
        # At a tenth of the speed a step of 0.7 s is one of 70 ms; the last ends with the run.
        assert all(later - earlier > 0.068 for earlier, later in pairwise(times[:-1]))


@pytest.mark.dear("the page runs in a browser")
def test_it_asks_nothing_of_any_host(opened: Opened, page: Path, tmp_path: Path) -> None:
    with opened(page) as shown:
        asked: list[str] = []
        shown.context.on("request", lambda request: asked.append(request.url))
        shown.context.on("websocket", lambda socket: asked.append(socket.url))
        goto(shown, page, FEW)
        shown.click("#play")
        finished(shown, "50")
        assert len(asked) >= 2, "the page and its worker"
        assert [url for url in asked if not url.startswith(("file:", "blob:", "data:"))] == []
        policy = shown.locator("meta[http-equiv]").get_attribute("content")
        assert policy.startswith("default-src 'none';") and "connect-src" not in policy


#: The cells with the number of requests that wait, one for each device.
WAITING = "#figures td:nth-child(3)"


def drawings(shown: Any, page: Path, fragment: str, waiting: str) -> int:
    """The drawings of one frame, counted once the number that waits at each device matches a pattern."""
    goto(shown, page, fragment)
    finished(shown, re.compile(r"[1-9]\d*"))
    # Nothing is simulated any more.
    expect(shown.locator("#now")).to_have_text("400.000 ms", timeout=THERE_MS)
    for cell in shown.locator(WAITING).all():
        expect(cell).to_have_text(re.compile(waiting), timeout=THERE_MS)
    # In one go, so that no other frame is counted.
    counted = "() => { window.drawnTimes = 0; dispatchEvent(new Event('resize')); return window.drawnTimes; }"
    return int(shown.evaluate(counted))


@pytest.mark.dear("the page runs in a browser", every_change=True)
def test_a_frame_is_drawn_in_few_strokes_however_many_wait(opened: Opened, page: Path) -> None:
    with opened(page) as shown:
        shown.add_init_script(COUNTED)
        calm = drawings(shown, page, "workload=random:rate=500,count=3000,seed=1&at=400", r"^\d+$")
        busy = drawings(shown, page, BUSY, r"^\d{3,}$")
        assert shown.locator(WAITING).count() == 2
        assert 50 < busy < min(calm + 60, 300)
