"""A real browser for tests and scripts that look at web pages."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

from syncpoint.doctor.browser import OPTIONS, find_browser


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
