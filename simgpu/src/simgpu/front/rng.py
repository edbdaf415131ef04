"""Random numbers: a seed and an offset for each device, drawn when a command is enqueued, as CUDA's Philox state is."""

import struct
import threading
from typing import Any

import torch

from simgpu.front import state

_MASK = (1 << 64) - 1
_state: dict[int, list[int]] = {}
_drawing = threading.Lock()


class Drawn:
    """The number of seeds drawn on all devices."""

    count = 0


def draw(device: int) -> int:
    """The seed of one launch."""
    with _drawing:
        found = _state.setdefault(device, [torch.initial_seed() & _MASK, 0])
        found[1] += 1
        Drawn.count += 1
        return _mixed((found[0] * 0x9E3779B97F4A7C15 + found[1] * 0xD1342543DE82EF95) & _MASK) >> 1


def _mixed(x: int) -> int:
    """SplitMix64's finaliser (Steele, Lea, Flood 2014)."""
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & _MASK
    return x ^ (x >> 31)


def manual_seed(seed: int, device: Any = None) -> None:
    """As ``torch.cuda.manual_seed``; no command, no wait."""
    with _drawing:
        _state[state.index_of(device)] = [int(seed) & _MASK, 0]


def manual_seed_all(seed: int) -> None:
    """As ``torch.cuda.manual_seed_all``; ``torch.manual_seed`` calls it."""
    with _drawing:
        for device in range(max(len(state.DEVICES), 1)):
            _state[device] = [int(seed) & _MASK, 0]


def initial_seed(device: Any = None) -> int:
    """As ``torch.cuda.initial_seed``."""
    return _state.get(state.index_of(device), [torch.initial_seed() & _MASK])[0]


def get_rng_state(device: Any = None) -> torch.Tensor:
    """As ``torch.cuda.get_rng_state``: 16 bytes, seed and offset."""
    with _drawing:
        found = _state.setdefault(state.index_of(device), [torch.initial_seed() & _MASK, 0])
        return torch.frombuffer(bytearray(struct.pack("<QQ", *found)), dtype=torch.uint8)


def set_rng_state(new: torch.Tensor, device: Any = None) -> None:
    """As ``torch.cuda.set_rng_state``."""
    seed, offset = struct.unpack("<QQ", bytes(new.to(torch.uint8).tolist()))
    with _drawing:
        _state[state.index_of(device)] = [seed, offset]


def get_rng_state_all() -> list[torch.Tensor]:
    """Return the state of every device."""
    return [get_rng_state(d) for d in range(len(state.DEVICES))]


def set_rng_state_all(states: list[torch.Tensor]) -> None:
    """Set the state of every device."""
    for device, new in enumerate(states):
        set_rng_state(new, device)


def no_generator() -> NotImplementedError:
    """There is one generator for each device."""
    return NotImplementedError(
        "simgpu: a torch.Generator can neither be made for this device nor be passed to an operation on it; "
        "use torch.manual_seed"
    )
