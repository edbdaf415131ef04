"""Where student code runs: a Jupyter kernel in a bubblewrap sandbox, with limits."""

from .world import Limits, SandboxUnavailable, World, check_sandbox

__all__ = ["Limits", "SandboxUnavailable", "World", "check_sandbox"]
