#!/usr/bin/python3
"""The report's page in headless Chromium: no script error, every chart has its data, it fits wide
and narrow windows, light and dark, and the keyboard reaches everything. No network.

    page_test.py
    page_test.py --pictures FOLDER        makes those of docs/view.md

Ends with 77, which ctest shows as skipped, if Chromium, its driver or Selenium is missing:
`bash tests/install/dependencies --browser` installs them.
"""
import argparse
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

import recordings
from recordings import FAULTS, LOOP, recording, span

recordings.import_view()
from view import page, report  # noqa: E402
from view.fault import Fault  # noqa: E402

SKIPPED = 77
HOSTILE = "</script><script>window.broken = 1</script> & <b>\u2028"

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError:
    webdriver = None


def missing():
    if webdriver is None:
        return "python3-selenium"
    for name in ("chromium", "chromedriver"):
        if not shutil.which(name):
            return name
    try:
        page.check_packages()
    except Fault as fault:
        return str(fault)
    return None


def timeline(workers, shape):
    steps = 60
    return {"times_ns": [step * 3_000_000 for step in range(steps)],
            "stack_bytes": [(40 << 10) + step * 1000 for step in range(steps)],
            "workers": [{"working": [shape(index, step / steps) for step in range(steps)],
                         "stealing": [0] * steps} for index in range(workers)]}


def good():
    made = recording(counts=(1, 2, 4, 8), work=1000, exact=span(work=1000, longest=4, sites=[
        (10, "loop", 512, 900, 2), (24, "spawn", 64, 99, 1)]), matrix=None)
    for run in made["runs"]:
        count = run["workers"]
        for worker in run["statistics"]["workers"]:
            worker["steals_from"] = [0 if victim == worker["index"] else (victim * 5 + 3) % 7
                                     for victim in range(count)]
    made["timeline"] = timeline(8, lambda index, at: 1 if at < 0.97 else 0.3)
    return made


def bad():
    made = recording(counts=(1, 2, 4, 8), work=1000, serial=400, tail=400, exact=span(
        work=1000, longest=402, outside=400, sites=[(10, "loop", 512, 600, 2)]))
    made["timeline"] = timeline(8, lambda index, at: 1 if index == 0 or at < 0.16 else 0)
    return made


def hostile():
    made = recording(exact=span(sites=[LOOP]), inflation=3.0)
    made["command"] = ["./program", HOSTILE]
    for run in made["runs"]:
        run["statistics"]["sites"][0]["function"] = HOSTILE
    return made


def start_browser():
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                 "--disable-dev-shm-usage"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)


def set_window(browser, width, height, scheme="light"):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
        {"name": "prefers-color-scheme", "value": scheme}]})


def take_pictures(folder):
    """Of the whole page, as narrow as is read well."""
    browser = start_browser()
    try:
        for name, make in (("good", good), ("bad", bad)):
            html = folder / f"view-{name}.html"
            html.write_text(page.render(report.make(make())), encoding="utf-8")
            set_window(browser, 760, 900)
            browser.get(html.resolve().as_uri())
            set_window(browser, 760, browser.execute_script(
                "return document.documentElement.scrollHeight"))
            browser.save_screenshot(str(html.with_suffix(".png")))
            html.unlink()
    finally:
        browser.quit()


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = start_browser()
        cls.temporary = tempfile.TemporaryDirectory(prefix="nopal-view-page-")
        cls.folder = Path(cls.temporary.name)

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.temporary.cleanup()

    def set(self, width, scheme="light"):
        set_window(self.browser, width, 900, scheme)

    def open(self, made, width=1280, scheme="light"):
        path = self.folder / "report.html"
        self.made = report.make(made)
        path.write_text(page.render(self.made), encoding="utf-8")
        self.set(width, scheme)
        self.browser.get_log("performance")
        self.browser.get(path.as_uri())
        self.assert_quiet()

    def script(self, text, *arguments):
        return self.browser.execute_script(text, *arguments)

    def assert_quiet(self):
        self.assertEqual(self.browser.get_log("browser"), [])

    def assert_charts_have_their_data(self):
        drawn = self.script("""return [...document.querySelectorAll("canvas")].map(canvas => {
            const chart = Chart.getChart(canvas);
            return [canvas.dataset.chart, chart ? chart.data.datasets.map(one => one.data) : null,
                    canvas.clientWidth, canvas.clientHeight];});""")
        wanted = {chart["name"]: chart for answer in self.made["answers"]
                  for chart in answer["charts"]}
        self.assertEqual({name for name, *_ in drawn}, set(wanted))
        for name, data, width, height in drawn:
            self.assertEqual(data, [series["values"] for series in wanted[name]["series"]], name)
            self.assertTrue(any(value for values in data for value in values), name)
            self.assertGreater(min(width, height), 100, name)

    def test_charts_have_their_data_in_every_size_and_scheme(self):
        for make in (good, bad, *(make for _, make in FAULTS.values())):
            self.open(make())
            self.assert_charts_have_their_data()
        for width in (1280, 400):
            for scheme in ("light", "dark"):
                with self.subTest(width=width, scheme=scheme):
                    self.open(bad(), width, scheme)
                    self.assert_charts_have_their_data()
                    self.assertLessEqual(self.script(
                        "return document.documentElement.scrollWidth"), width)

    def test_colors_follow_the_scheme_and_can_be_read(self):
        self.open(good())
        colors = {}
        for scheme in ("light", "dark"):
            self.set(1280, scheme)
            WebDriverWait(self.browser, 10).until(lambda _: self.script("""
                return Chart.getChart(document.querySelector("canvas")).data.datasets[0]
                    .borderColor === color("accent")"""))  # it hears of the change a frame later
            colors[scheme] = self.script("""
                const chart = Chart.getChart(document.querySelector("canvas"));
                const style = getComputedStyle(document.body);
                return [chart.data.datasets[0].borderColor, style.color, style.backgroundColor];""")
            self.assertGreaterEqual(contrast(*colors[scheme][1:]), 7)
        self.assertNotEqual(colors["light"][0], colors["dark"][0])
        self.assert_quiet()

    def test_keyboard_reaches_links_details_and_tables(self):
        self.open(bad())
        wanted = self.script("""return [...document.querySelectorAll("a, summary, .scroll")]
            .filter(one => !one.closest("details") || one.tagName === "SUMMARY").length""")
        reached = []
        for _ in range(wanted):
            self.browser.switch_to.active_element.send_keys(Keys.TAB)
            reached.append(self.script("""const one = document.activeElement;
                return [one.tagName, one.textContent.trim().slice(0, 40),
                        getComputedStyle(one).outlineStyle];"""))
        self.assertEqual(reached[0][1], "Skip to the advice")
        self.assertEqual(len({tuple(one) for one in reached}), wanted)
        self.assertTrue(all(style != "none" for _, _, style in reached), reached)
        summary = self.browser.find_element(By.TAG_NAME, "summary")
        summary.send_keys(Keys.ENTER)
        self.assertTrue(self.script("return document.querySelector('details').open"))

    def test_nothing_is_asked_of_the_network(self):
        self.open(good())
        asked = [entry["message"] for entry in self.browser.get_log("performance")
                 if '"Network.requestWillBeSent"' in entry["message"]]
        self.assertEqual([one for one in asked if "http:" in one or "https:" in one], [])
        self.assertEqual(self.script("return performance.getEntriesByType('resource').length"), 0)

    def test_names_of_a_program_are_text(self):
        self.open(hostile())
        self.assertIsNone(self.script("return window.broken || null"))
        self.assertIn("<b>", self.browser.find_element(By.TAG_NAME, "h1").text)
        self.assert_charts_have_their_data()

    def test_structure_is_readable_by_a_screen_reader(self):
        self.open(bad())
        self.assertEqual(self.script("return document.querySelectorAll('h1').length"), 1)
        self.assertEqual(self.script("""return [...document.querySelectorAll("canvas")]
            .filter(one => !one.getAttribute("aria-label")).length"""), 0)
        self.assertEqual(self.script("""return [...document.querySelectorAll("table")]
            .filter(one => !one.querySelector("th[scope=col]")).length"""), 0)
        self.assertIn("serial part", self.browser.find_element(By.CLASS_NAME, "finding").text)


def contrast(one, other):
    def luminance(color):
        parts = [int(part) / 255 for part in color[color.index("(") + 1:-1].split(",")[:3]]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
                  for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--pictures", type=Path, metavar="FOLDER")
    chosen, rest = parser.parse_known_args()
    lacking = missing()
    if lacking:
        print(f"page_test: skipped: {lacking} is missing; bash tests/install/dependencies "
              "--browser installs what it needs")
        sys.exit(SKIPPED)
    if chosen.pictures:
        take_pictures(chosen.pictures)
        sys.exit()
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
