"""Public names of PyTorch: each exists here or is refused by its name. A new PyTorch with a new name fails here."""

from operator import attrgetter

import pytest
import torch
from device import gpu
from simgpu.front import cuda_gaps, streams

KEPT = {"is_available", "current_accelerator"}
"""Of ``torch.accelerator``: PyTorch's own functions, which hold for this device."""


def public(thing: object) -> list[str]:
    return [name for name in dir(thing) if not name.startswith("_")]


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (torch.cuda.Stream, streams.Stream),
        (torch._C.Stream, streams.Stream),
        (torch.cuda.Event, streams.Event),
        (torch._C.Event, streams.Event),
    ],
)
def test_streams_and_events_have_each_public_name(theirs, ours):
    made = ours()
    has = {*dir(ours), *vars(made)}
    assert [name for name in public(theirs) if name not in has] == []


@pytest.mark.parametrize("name", ["native_handle", "cuda_stream"])
def test_handles_of_a_driver_are_refused_and_not_found(name: str):
    assert not hasattr(gpu.Stream(), name)
    with pytest.raises(NotImplementedError, match=f"simgpu: {name} is not simulated"):
        getattr(gpu.Stream(), name)


def test_each_function_of_the_accelerator_is_ours_or_known_to_hold():
    def is_ours(name: str) -> bool:
        function = getattr(torch.accelerator, name)
        inner = getattr(function, "__wrapped__", function)
        return getattr(inner, "__module__", "").startswith("simgpu") or "simgpu" in repr(inner)

    theirs = [n for n in torch.accelerator.__all__ if n not in KEPT and not is_ours(n)]
    assert theirs == []
    assert torch.accelerator.is_available()
    assert torch.accelerator.current_accelerator() == torch.device("simgpu")


def test_each_name_of_torch_cuda_is_there_or_refused_by_its_name():
    unknown = [n for n in torch.cuda.__all__ if not hasattr(gpu, n) and n not in cuda_gaps.REFUSED]
    assert unknown == []


@pytest.mark.parametrize("name", sorted(cuda_gaps.REFUSED))
def test_what_is_refused_says_its_name(name: str):
    with pytest.raises(NotImplementedError, match=f"^simgpu: {name} is not simulated: "):
        attrgetter(name)(gpu)
    *path, last = name.split(".")
    assert not hasattr(attrgetter(".".join(path))(gpu) if path else gpu, last)
