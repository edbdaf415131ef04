"""The judge's end of a device: gates, log, values, memory and times, over a socket that student code does not have.

No torch here: values are NumPy arrays.
"""

import json
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from simgpu.frames import MOST_OF_JUDGE, Inbox, json_message, send
from simgpu.records import Entry, Gate, Run

STREAMS = 128


class DeviceGone(Exception):
    """The device process has ended."""


@dataclass(frozen=True)
class State:
    """Where a device stands.

    Attributes:
        number: The last command's number.
        pending: Commands that have not ended, by stream.
        meetings: Collectives that wait for a rank.
        storages: Pieces of memory alive.
        plans: Operations that the front end has defined.
        log: Entries of the log.
        runs: Commands that have run.
        error: The first failure that nobody has been told yet.
        ended: Why the front end is heard no more, if a message of it ended the conversation.
        clock: Nanoseconds of the device's clock.
        idle: Nothing runs, and nothing can unless a gate is moved or the host sends more.
    """

    number: int
    pending: dict[int, int]
    meetings: int
    storages: int
    plans: int
    log: int
    runs: int
    error: str | None
    ended: str | None
    clock: int
    idle: bool

    @property
    def pending_commands(self) -> int:
        """Of all streams."""
        return sum(self.pending.values())


class Control:
    """Speaks with a device process.

    All that had been sent to it before a call here has arrived when the call is answered.

    Args:
        sock: The judge's end.
        before: Called before each question; where judge and front end are one process, it tells what was let go of.
    """

    def __init__(self, sock: socket.socket, before: Callable[[], None] | None = None) -> None:
        self.before = before
        self.sock, self._inbox, self._next = sock, Inbox(sock, MOST_OF_JUDGE), 1 << 62

    def _ask(self, do: str, payload: bytes = b"", **head: object) -> tuple[Any, memoryview]:
        if self.before is not None:
            self.before()
        try:
            send(self.sock, json_message(0, {"do": do, **head}, payload))
            _, body = self._inbox.read()
        except (EOFError, OSError) as error:
            raise DeviceGone("the device process has ended") from error
        length = int.from_bytes(body[:4], "little")
        answer = json.loads(body[4 : 4 + length])
        if isinstance(answer, dict) and set(answer) == {"error"}:
            raise RuntimeError(answer["error"])
        return answer, memoryview(body)[4 + length :]

    # ---- gates

    def hold(self, stream: int | None = None, device: int | None = None) -> None:
        """Whatever has not started stays in its queue until ``release``: of one stream, of one device, or of all."""
        self._ask("hold", stream=stream, device=device)

    def hold_until_waited_for(self) -> None:
        """Each command stays pending until the host waits for it; then just what that wait needs runs.

        So the order of everything is without a clock, and no code of a student's hangs.
        """
        self._ask("hold until waited for")

    def hold_operations(self, *names: str, until_waited_for: bool = False) -> None:
        """Commands of these names stay, with what stands behind them in their streams."""
        self._ask("hold operations", names=names, lazy=until_waited_for)

    def hold_storages(self, *numbers: int) -> None:
        """What touches one of these from now on stays until the host waits for it, with what stands behind it."""
        self._ask("hold storages", numbers=numbers)

    def fence(self) -> None:
        """The front end is not heard any more until ``hear``: what it sends waits in the socket."""
        self._ask("fence")

    def hear(self) -> None:
        """The front end is heard again."""
        self._ask("hear")

    def release(self, stream: int | None = None, device: int | None = None, upto: int | None = None) -> None:
        """Open the gates; ``upto`` a command's number only."""
        self._ask("release", stream=stream, device=device, upto=upto)

    def give_up(self) -> None:
        """What has not started does no work any more.

        Its results are as unwritten memory, and whoever waits next gets a late error. Gates stay as they are, and what
        runs just now runs on.
        """
        self._ask("give up")

    # ---- what happened

    def log(self, since: int = 0) -> list[Entry]:
        """The entries from a position on, in the order of arrival, as far as they are kept."""
        return [Entry.parse(e) for e in self._ask("log", since=since)[0]]

    def runs(self, since: int = 0) -> list[Run]:
        """What has run, in the order in which it ended."""
        return [Run(*r) for r in self._ask("runs", since=since)[0]]

    def gates(self, since: int = 0) -> list[Gate]:
        """Which gates were closed and opened, and when."""
        return [Gate(*g) for g in self._ask("gates", since=since)[0]]

    def event_times(self, *numbers: int) -> list[int | None]:
        """When records ran, in nanoseconds of the device's clock; None for what has not."""
        return list(self._ask("times", numbers=numbers)[0])

    def state(self) -> State:
        """Where the device stands."""
        answer = self._ask("state")[0]
        answer["pending"] = {int(k): v for k, v in answer["pending"].items()}
        return State(**answer)

    def need_log(self, needed: bool = True) -> None:
        """Whether all that comes from now on is to be kept; else a full log forgets its oldest entries.

        What is kept is bounded: a front end that says more ends its conversation.
        """
        self._ask("need", log=needed)

    def count(self) -> None:
        """What ``memory`` calls ``made`` and ``most_made`` counts from now on; the front end cannot reset it."""
        self._ask("count")

    def forget_error(self) -> None:
        """The failure that the front end would be told at its next wait is told nobody; the log keeps it."""
        self._ask("forget error")

    def memory(self, device: int = 0) -> dict[str, int]:
        """Bytes allocated and reserved, now and at most, counts, and pinned host memory."""
        return dict(self._ask("memory", device=device)[0])

    # ---- values

    def put(self, array: np.ndarray, device: int = 0, look: bool = False) -> tuple[int, list[Any]]:
        """Put values on a device; the front end learns the storage's number and layout only.

        Args:
            array: The values.
            device: Where they go.
            look: Whether ``simgpu.look`` gives single numbers of it, without a wait; of any other array it gives none.

        Returns:
            What ``simgpu.adopt`` makes a tensor of.
        """
        self._next += 1
        array = np.ascontiguousarray(array)
        strides = [s // array.itemsize for s in array.strides]
        spec = [str(array.dtype), list(array.shape), strides, 0]
        self._ask("put", array.tobytes(), storage=self._next, spec=spec, device=device, look=look)
        return self._next, spec

    def values(self, storage: int, spec: list[Any] | None = None) -> np.ndarray | None:
        """What lies in a storage now, computed or not.

        Args:
            storage: Its number.
            spec: The layout to read (dtype, sizes, strides, offset in elements); its own without.

        Returns:
            An array of the layout's sizes, half precision as float32; None if nothing has touched the storage.
        """
        told, data = self._ask("values", storage=storage, spec=spec)
        return None if told is None else np.frombuffer(data, told["spec"][0]).reshape(told["spec"][1])

    # ---- order

    def settle(self, most: float = 120.0) -> State:
        """The state once nothing runs and nothing can: what is open has run, the rest is held.

        Args:
            most: Seconds after which the state is given as it is.
        """
        end = time.monotonic() + most
        while not (state := self.state()).idle and time.monotonic() < end:
            time.sleep(0.001)
        return state

    def close(self) -> None:
        """Let the device go."""
        self.sock.close()
