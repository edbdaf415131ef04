"""Which versions of PyTorch this package has been tested with."""

import warnings

import torch

OLDEST, NEWEST = (2, 10), (2, 15)


def check(version: str = torch.__version__) -> None:
    """Refuse a PyTorch that is too old, and warn of one that is newer than every tested one.

    Raises:
        ImportError: PyTorch lacks what a backend in Python stands on.
    """
    found = tuple(int(n) for n in version.partition("+")[0].split(".")[:2])
    oldest, newest = (".".join(map(str, v)) for v in (OLDEST, NEWEST))
    if found < OLDEST:
        raise ImportError(f"simgpu needs PyTorch {oldest} or newer, and this is {version}: pip install --upgrade torch")
    if found > NEWEST:
        warnings.warn(
            f"simgpu is tested with PyTorch {oldest} to {newest}, and this is {version}: something may not work",
            stacklevel=3,
        )
