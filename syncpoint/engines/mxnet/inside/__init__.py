"""MXNet 1.9.1 as the probe sees it: what runs beside student code."""

from .engine import MXNetEngine as Engine

__all__ = ["Engine"]
