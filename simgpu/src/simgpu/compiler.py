"""PyTorch's meta kernels in Python, without its compiler.

Most of them are marked as nothing to compile, and a marked function loads the compiler when it is first called: a
second, and half of the memory that a fork has to copy. Until other code has loaded it, nothing is compiled.
"""

import functools
import gc
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any

import torch

MARK = "__dynamo_disable"
"""Where PyTorch stores the function that a marked function calls, once it has created it."""


def wait_for_compiler() -> None:
    """Let functions that PyTorch has marked so far load no compiler; mark them when one is loaded."""
    marked = torch._disable_dynamo(_nothing).__code__
    for function in gc.get_objects():
        if type(function) is FunctionType and function.__code__ is marked:
            parts = dict(zip(marked.co_freevars, function.__closure__ or (), strict=True))
            plain, recursive = (parts[name].cell_contents for name in ("fn", "recursive"))
            if not hasattr(plain, MARK):
                setattr(plain, MARK, functools.partial(_call, plain, recursive))


def _nothing() -> None:
    pass


def _call(plain: Callable[..., Any], recursive: bool, *args: Any, **kwargs: Any) -> Any:
    if "torch._dynamo" not in sys.modules:
        return plain(*args, **kwargs)
    import torch._dynamo

    disabled = torch._dynamo.disable(plain, recursive, wrapping=False)  # type: ignore[no-untyped-call]
    setattr(plain, MARK, disabled)
    return disabled(*args, **kwargs)
