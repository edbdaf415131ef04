"""Checks whether this system, Python and PyTorch can run simgpu."""

import sys
import warnings
from types import ModuleType

OLDEST, NEWEST = (2, 10), (2, 15)
BROWSERS = ("emscripten", "wasi")


def check(version: str | None = None) -> None:
    """Raise an error if simgpu cannot work here; warn of a PyTorch newer than every tested one.

    Args:
        version: Of PyTorch; the installed one by default.

    Raises:
        ImportError: the system starts no second process or has 32 bits, or PyTorch is missing, does not load, or lacks
            what a backend in Python needs.
    """
    if sys.platform in BROWSERS:
        raise ImportError("simgpu needs a second process, which Python in a browser cannot start: use Colab instead")
    if sys.maxsize < 1 << 32:
        raise ImportError("simgpu needs a 64-bit Python, and this one has 32 bits: install the 64-bit build of Python")
    version = version or _pytorch().__version__
    found = tuple(int(n) for n in version.partition("+")[0].split(".")[:2])
    oldest, newest = (".".join(map(str, v)) for v in (OLDEST, NEWEST))
    if found < OLDEST:
        raise ImportError(f"simgpu needs PyTorch {oldest} or newer, but this is {version}: pip install --upgrade torch")
    if found > NEWEST:
        warnings.warn(
            f"simgpu is tested with PyTorch {oldest} to {newest}, and this is {version}: something may not work",
            stacklevel=3,
        )


def _pytorch() -> ModuleType:
    try:
        import torch
    except (ImportError, OSError) as error:  # a library that it needs is missing, or built for another processor
        if isinstance(error, ModuleNotFoundError) and error.name == "torch":
            raise ImportError("simgpu needs PyTorch, which is not installed: pip install torch") from None
        why = (str(error).splitlines() or [type(error).__name__])[0]
        raise ImportError(f"simgpu needs PyTorch, which does not load here ({why}): reinstall torch") from None
    if not hasattr(torch, "__version__"):
        places = [torch.__file__] if getattr(torch, "__file__", None) else list(torch.__path__)
        raise ImportError(f"simgpu needs PyTorch, but {places[0]} has the same name, torch: rename it")
    return torch
