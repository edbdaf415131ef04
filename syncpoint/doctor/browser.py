"""The browser of this machine: where it lies, how it is started, and how to get one.

Tests and scripts that look at web pages start it through ``tests/helpers/browser.py``; nothing else does.  This file
can be run as a program, with the standard library alone: it prints the path, or says how to get a browser and fails.
"""

import shutil
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = "no Chromium (or Chrome) on PATH"
HOW_TO_GET_ONE = "apt install chromium"
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


class NoBrowser(Exception):  # set-up runs this file by itself: it imports nothing of the package
    """There is no browser; the text says how to get one."""


def find_browser() -> str:
    """The path of a Chromium.

    Returns:
        The first of NAMES on PATH.

    Raises:
        NoBrowser: There is none.
    """
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        raise NoBrowser(f"{MISSING}: {HOW_TO_GET_ONE}")
    return found


if __name__ == "__main__":
    try:
        print(find_browser())
    except NoBrowser as problem:
        sys.exit(str(problem))
