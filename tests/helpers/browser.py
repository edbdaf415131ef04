"""A real browser for tests and scripts that look at web pages."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

from syncpoint.doctor.browser import find_browser

# Chromium's own sandbox does not work for root, and every page is one of ours.  No host but the pages' is asked.
OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-sync",
    "--metrics-recording-only",
    "--no-first-run",
    "--no-pings",
)


@contextmanager
def running_browser() -> Iterator[Browser]:
    """The browser of this machine while the block runs.  Raises NoBrowser."""
    path = find_browser()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(OPTIONS))
        try:
            yield browser
        finally:
            browser.close()
