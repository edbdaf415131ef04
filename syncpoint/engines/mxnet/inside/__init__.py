"""MXNet 1.9.1 for the probe: the part that runs next to student code."""

from .engine import MXNetEngine as Engine

__all__ = ["Engine"]
