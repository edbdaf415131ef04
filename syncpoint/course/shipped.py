"""The course that comes with Syncpoint: in a clone its own folders, in an installed package a copy of them."""

from pathlib import Path

from .folder import Course

PACKAGE = Path(__file__).resolve().parent.parent
COPY = PACKAGE / "shipped"  # made by scripts/build_wheel.py


def shipped() -> Course:
    """The course whose assignments, settings and translations come with Syncpoint."""
    return Course(COPY if COPY.is_dir() else PACKAGE.parent)
