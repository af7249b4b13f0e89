# SPDX-License-Identifier: MIT
"""The HTML report in Chromium, from a file: charts are drawn, zoom works, no
request leaves, no script fails, texts stay texts."""
import json
import os
import shutil
import tempfile

import pytest

from conftest import SANITIZER, Dyno
from made_runs import MadeRuns

webdriver = pytest.importorskip(
    "selenium.webdriver", reason="python3-selenium is not installed")

pytestmark = [
    pytest.mark.skipif(bool(SANITIZER), reason="the page is the same"),
    pytest.mark.xdist_group("browser"),
]
PROGRAM, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"
NAME = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """A page of one run and one of six."""
    folder = tmp_path_factory.mktemp("pages")
    dyno = Dyno(folder)
    result = dyno.run("run", "tpcc", "-t", "1500ms", "--ramp-up", "300ms",
                      "--interval", "100ms", "-q", "--audit", "quick", "-u",
                      "2", "--name", "real", timeout=120)
    assert result.code == 0, result.err
    make = MadeRuns(folder / "dyno-results")
    for vus in (1, 2, 4):
        for composition in ("literal", "procs"):
            make(f"{composition}-{vus}", vus, {"set": "x"}, vus=vus,
                 composition=composition)
    make.db.execute("UPDATE runs SET name = ? WHERE name = 'real'", [NAME])
    make.close()
    for words in ((NAME, "-o", "one.html"), ("set=x", "-o", "six.html")):
        result = dyno.run("report", *words)
        assert result.code == 0, result.err
    return folder


@pytest.fixture(scope="module")
def browser():
    if not os.access(PROGRAM, os.X_OK) or not os.access(DRIVER, os.X_OK):
        pytest.skip("chromium and chromium-driver are not installed")
    profile = tempfile.mkdtemp(prefix="dyno-chromium.", dir="/tmp")
    options = webdriver.ChromeOptions()
    options.binary_location = PROGRAM
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu",
                 "--disable-dev-shm-usage", "--window-size=1200,900",
                 f"--user-data-dir={profile}"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs",
                           {"browser": "ALL", "performance": "ALL"})
    service = webdriver.chrome.service.Service(DRIVER)
    program = webdriver.Chrome(service=service, options=options)
    program.set_page_load_timeout(120)
    program.set_script_timeout(120)
    yield program
    program.quit()
    shutil.rmtree(profile, ignore_errors=True)


def requests_of(browser):
    """What the page asked for beyond itself."""
    messages = [json.loads(entry["message"])["message"]
                for entry in browser.get_log("performance")]
    urls = [m["params"]["request"]["url"] for m in messages
            if m["method"] == "Network.requestWillBeSent"]
    return [u for u in urls if not u.startswith(("data:", "chrome:"))]


def open_page(browser, path):
    browser.get_log("performance")
    browser.get_log("browser")
    browser.get(f"file://{path}")
    run(browser, """
        const done = arguments[0];
        requestAnimationFrame(() => requestAnimationFrame(() => done()));""")


def run(browser, script):
    return browser.execute_async_script(script)


def ask(browser, expression):
    return browser.execute_script(f"return {expression};")


def assert_clean(browser, path):
    assert browser.get_log("browser") == []
    assert requests_of(browser) == [f"file://{path}"]


RANGES = """[...document.querySelectorAll('.time-box')].map(
    (box) => box.chart.xAxisRange())"""


def test_a_page_of_one_run_is_drawn_and_zooms(browser, pages):
    path = pages / "one.html"
    open_page(browser, path)
    assert ask(browser, "document.documentElement.dataset.ready") == "yes"
    assert browser.title == NAME
    assert ask(browser, "document.querySelector('h1').textContent") == NAME
    assert ask(browser, "document.querySelectorAll('.time-box canvas')"
                        ".length") >= 6
    # Something is on the canvas of the first chart.
    assert ask(browser, """[...document.querySelectorAll('.time-box canvas')]
        .some((c) => c.getContext('2d').getImageData(0, 0, c.width, c.height)
        .data.some((v) => v > 0))""")
    whole = ask(browser, RANGES)
    assert all(r == whole[0] for r in whole)

    box = browser.find_element("css selector", ".time-box")
    actions = webdriver.ActionChains(browser)
    actions.move_to_element_with_offset(box, -100, 0).click_and_hold()
    actions.move_by_offset(200, 0).release().perform()
    dragged = ask(browser, RANGES)
    assert dragged[0][1] - dragged[0][0] < whole[0][1] - whole[0][0]
    assert all(r == dragged[0] for r in dragged), "charts are linked"

    box.send_keys("0")
    assert ask(browser, RANGES) == whole
    box.send_keys("+")
    assert ask(browser, RANGES)[0][1] < whole[0][1]
    assert_clean(browser, path)


GROUND = """getComputedStyle(document.documentElement)
    .getPropertyValue('--ground')"""


def test_a_page_is_light_or_dark_as_the_system_or_the_reader_says(
        browser, pages):
    def system(value):
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": value}]})

    system("dark")
    try:
        open_page(browser, pages / "one.html")
        dark = ask(browser, GROUND)
        system("light")
        light = ask(browser, GROUND)
        assert light != dark
        choice = browser.find_element("css selector", "header.top select")
        choice.send_keys("dark")
        assert ask(browser, GROUND) == dark
    finally:
        system("")


def test_a_page_of_many_runs_follows_the_reader(browser, pages):
    path = pages / "six.html"
    open_page(browser, path)
    title = "document.querySelector('figcaption').textContent"
    assert "literal" in ask(browser, title)
    before = ask(browser, "document.querySelector('svg.plot').outerHTML")
    browser.execute_script("""
        const [base, figure] = document.querySelectorAll('.chooser select');
        base.selectedIndex = base.options.length - 1;
        base.dispatchEvent(new Event('change'));
        figure.value = 'p99';
        figure.dispatchEvent(new Event('change'));
        document.querySelector('.chooser input').click();
        document.querySelector('button.link').click();""")
    run(browser, """
        const done = arguments[0];
        requestAnimationFrame(() => requestAnimationFrame(() => done()));""")
    assert "p99" in ask(browser, title) and "procs" in ask(browser, title)
    after = ask(browser, "document.querySelector('svg.plot').outerHTML")
    assert after != before
    assert ask(browser, "document.querySelectorAll('table.heat td')"
                        ".length") == 6
    assert ask(browser, "document.querySelectorAll('.time-box canvas')"
                        ".length") > 0, "one run in full"
    words = ask(browser, "document.body.innerText")
    assert "NaN" not in words and "undefined" not in words
    assert_clean(browser, path)
