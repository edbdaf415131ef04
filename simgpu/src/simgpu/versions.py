"""Which versions of PyTorch this package has been tested with."""

import torch

OLDEST, NEWEST = (2, 13), (2, 13)


def check(version: str = torch.__version__) -> None:
    """Raises ImportError, with one sentence, outside the tested range."""
    found = tuple(int(n) for n in version.partition("+")[0].split(".")[:2])
    if not OLDEST <= found <= NEWEST:
        oldest, newest = (".".join(map(str, v)) for v in (OLDEST, NEWEST))
        tested = oldest if oldest == newest else f"{oldest} to {newest}"
        raise ImportError(
            f"simgpu relies on private parts of PyTorch and is tested with {tested}, but this is {version}: run "
            f"pip install 'torch=={newest}.*'"
        )
