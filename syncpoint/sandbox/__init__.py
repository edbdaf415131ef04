"""Where student code runs: a Jupyter kernel in a bubblewrap sandbox, with limits."""

from ..core.limits import Limits
from .spec import SandboxSpec, SandboxUnavailable, check_sandbox

__all__ = ["Limits", "SandboxSpec", "SandboxUnavailable", "check_sandbox"]
