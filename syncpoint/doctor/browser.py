"""Finds the browser of this machine, and says how to get one.

Tests and scripts that look at web pages start it through ``tests/helpers/browser.py``; nothing else does.  This file
can be run as a program, with the standard library alone: it prints the path, or says how to get a browser and fails.
"""

import shutil
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = "no Chromium (or Chrome) on PATH"
HOW_TO_GET_ONE = "apt install chromium"


class NoBrowser(Exception):  # set-up runs this file alone: it imports nothing from the package
    """There is no browser; the message says how to get one."""


def find_browser() -> str:
    """Return the path of a Chromium: the first of NAMES on PATH, or raise NoBrowser."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        raise NoBrowser(f"{MISSING}: {HOW_TO_GET_ONE}")
    return found


if __name__ == "__main__":
    try:
        print(find_browser())
    except NoBrowser as problem:
        sys.exit(str(problem))
