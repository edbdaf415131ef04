"""The fixture that the graders of the three training loops share."""

from syncpoint.graders.epochs import train

__all__ = ["train"]
