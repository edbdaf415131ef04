"""Random numbers: a seed and an offset for each device, drawn when a command is enqueued, as CUDA's Philox state is."""

import os
import secrets
import struct
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

from simgpu.front import state

_MASK = (1 << 64) - 1
_FIRST_SEED = 67280421310721
"""The seed of a generator that was never seeded, the same as PyTorch's."""
_drawing = threading.Lock()
_defaults: dict[int, "Generator"] = {}
_made: "weakref.WeakValueDictionary[int, Generator]" = weakref.WeakValueDictionary()


class Drawn(threading.local):
    """The number of seeds drawn on all devices, and an operation's own generator.

    Attributes:
        given: The generator of the operation that this thread runs.
    """

    count = 0
    given: "Generator | None" = None


DRAWN = Drawn()


class Generator(torch._C.Generator):
    """As ``torch.Generator("cuda")``: a seed and an offset.

    C++ treats it as a generator of the host, and gives operations another object for it. ``mark``, the seed of that
    object, identifies the generator.
    """

    def __new__(cls, device: Any = None) -> "Generator":
        """A generator of the host in C++."""
        return super().__new__(cls, "cpu")  # type: ignore[no-any-return]

    def __init__(self, device: Any = None) -> None:
        self.index, self._state, self.mark = state.index_of(device), [_FIRST_SEED, 0], secrets.randbits(63)
        super().manual_seed(self.mark)
        _made[self.mark] = self

    @property
    def device(self) -> torch.device:
        """The device that it draws for."""
        return state.DEVICES[self.index]

    def draw(self) -> int:
        """Return the seed of one launch."""
        with _drawing:
            self._state[1] += 1
            seed, offset = self._state
        return _mixed((seed * 0x9E3779B97F4A7C15 + offset * 0xD1342543DE82EF95) & _MASK) >> 1

    def manual_seed(self, seed: int) -> "Generator":
        """Begin again."""
        with _drawing:
            self._state = [int(seed) & _MASK, 0]
        return self

    def seed(self) -> int:
        """A seed that the system draws."""
        self.manual_seed(int.from_bytes(os.urandom(7), "little"))
        return self.initial_seed()

    def initial_seed(self) -> int:
        """The seed that it began with."""
        return self._state[0]

    def get_offset(self) -> int:
        """How many launches have drawn."""
        return self._state[1]

    def set_offset(self, offset: int) -> None:
        """Go on from there."""
        with _drawing:
            self._state[1] = int(offset)

    def get_state(self) -> torch.Tensor:
        """16 bytes, seed and offset."""
        with _drawing:
            return torch.frombuffer(bytearray(struct.pack("<QQ", *self._state)), dtype=torch.uint8)

    graphsafe_get_state = get_state

    def set_state(self, new: torch.Tensor) -> None:
        """Go on from a state.

        Raises:
            RuntimeError: it is no state of such a generator.
        """
        found = bytes(new.to(torch.uint8).tolist())
        if len(found) != 16:
            raise RuntimeError("RNG state is wrong size")
        with _drawing:
            self._state = list(struct.unpack("<QQ", found))

    graphsafe_set_state = set_state

    def clone_state(self) -> "Generator":
        """A second generator at the same position."""
        made = Generator(self.index)
        made.set_state(self.get_state())
        return made

    def __reduce__(self) -> Any:
        return _restored, (str(self.device), self.get_state())


def _restored(device: str, found: torch.Tensor) -> Generator:
    made = Generator(device)
    made.set_state(found)
    return made


def default(device: int) -> Generator:
    """A device's own."""
    if device not in _defaults:
        _defaults[device] = Generator(device).manual_seed(torch.initial_seed())
    return _defaults[device]


@contextmanager
def drawing_from(generator: torch.Generator) -> Iterator[None]:
    """An operation of this thread was given a generator.

    Raises:
        RuntimeError: it is the host's.
    """
    ours = generator if isinstance(generator, Generator) else _made.get(generator.initial_seed())
    if ours is None:
        raise RuntimeError(f"Expected a '{state.NAME}' device type for generator but found 'cpu'")
    DRAWN.given = ours
    try:
        yield
    finally:
        DRAWN.given = None


def draw(device: int) -> int:
    """The seed of one launch.

    Raises:
        RuntimeError: the generator that the operation was given is another device's.
    """
    given = DRAWN.given
    Drawn.count += 1
    if given is None:
        return default(device).draw()
    if given.index != device:
        raise RuntimeError(f"Expected a '{state.DEVICES[device]}' generator device but found '{given.device}'")
    return given.draw()


def _mixed(x: int) -> int:
    """SplitMix64's finalizer (Steele, Lea, Flood 2014)."""
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & _MASK
    return x ^ (x >> 31)


def manual_seed(seed: int, device: Any = None) -> None:
    """As ``torch.cuda.manual_seed``; no command, no wait."""
    default(state.index_of(device)).manual_seed(seed)


def manual_seed_all(seed: int) -> None:
    """As ``torch.cuda.manual_seed_all``; ``torch.manual_seed`` calls it."""
    for device in range(len(state.DEVICES)):
        default(device).manual_seed(seed)


def seed(device: Any = None) -> None:
    """As ``torch.cuda.seed``."""
    default(state.index_of(device)).seed()


def seed_all() -> None:
    """As ``torch.cuda.seed_all``."""
    manual_seed_all(int.from_bytes(os.urandom(7), "little"))


def initial_seed(device: Any = None) -> int:
    """As ``torch.cuda.initial_seed``."""
    return default(state.index_of(device)).initial_seed()


def get_rng_state(device: Any = None) -> torch.Tensor:
    """As ``torch.cuda.get_rng_state``: 16 bytes, seed and offset."""
    return default(state.index_of(device)).get_state()


def set_rng_state(new: torch.Tensor, device: Any = None) -> None:
    """As ``torch.cuda.set_rng_state``."""
    default(state.index_of(device)).set_state(new)


def get_rng_state_all() -> list[torch.Tensor]:
    """Return the state of every device."""
    return [get_rng_state(d) for d in range(len(state.DEVICES))]


def set_rng_state_all(states: list[torch.Tensor]) -> None:
    """Set the state of every device."""
    for device, new in enumerate(states):
        set_rng_state(new, device)
