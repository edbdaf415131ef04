"""Waits of the host: each is one line in the log; and PyTorch's debug mode for hidden waits."""

import sys
import warnings
from pathlib import Path
from typing import Any

import torch

from simgpu.frames import Kind
from simgpu.front import state
from simgpu.front.link import link

LIBRARIES = (f"{Path(torch.__file__).parent}/", f"{Path(__file__).parents[1]}/")
"""Files in these folders are not part of the program."""


def _warn(text: str) -> None:
    """Warn, naming the program's own line.

    Python shows a warning of a line once, so one of a line in here would hide those of all other lines.
    """
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(LIBRARIES):
        frame = frame.f_back
    registry = frame.f_globals.setdefault("__warningregistry__", {})
    file, module = frame.f_code.co_filename, frame.f_globals.get("__name__") or "<unknown>"
    warnings.warn_explicit(text, UserWarning, file, frame.f_lineno, module, registry)


def before_a_wait() -> None:
    """Warn or refuse before a wait, as set by ``torch.cuda.set_sync_debug_mode``.

    Raises:
        RuntimeError: the mode is "error".
    """
    mode = state.Flags.sync_debug
    if mode == 1:
        _warn(f"called a synchronizing {state.IN_ERRORS} operation")
    elif mode == 2:
        raise RuntimeError(f"called a synchronizing {state.IN_ERRORS} operation")


def wait(label: str, stream: int, upto: int) -> None:
    """Wait inside an operation until a stream has finished a command."""
    before_a_wait()
    explicit_wait(label, stream=stream, upto=upto)


def explicit_wait(label: str, upto: int, stream: int | None = None, device: int | None = None) -> None:
    """A wait that the program requested explicitly; the debug mode ignores it, as on CUDA."""
    link().ask(Kind.HOST_WAIT, {"label": label, "stream": stream, "device": device, "upto": upto})


def set_sync_debug_mode(mode: int | str) -> None:
    """As ``torch.cuda.set_sync_debug_mode``: "default", "warn" or "error"."""
    names: dict[Any, int] = {"default": 0, "warn": 1, "error": 2, 0: 0, 1: 1, 2: 2}
    if mode not in names:
        raise RuntimeError("invalid value of debug_mode, expected one of `default`, `warn`, `error`")
    state.Flags.sync_debug = names[mode]


def get_sync_debug_mode() -> int:
    """As ``torch.cuda.get_sync_debug_mode``."""
    return state.Flags.sync_debug
