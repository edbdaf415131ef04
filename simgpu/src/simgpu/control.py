"""The judge's end of a device: gates, log, values, memory and times, over a socket hidden from student code.

No torch here: values are NumPy arrays.
"""

import json
import socket
import time
from collections.abc import Callable, Mapping, Sequence
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
    """The state of a device.

    Attributes:
        number: The last command's number.
        pending: Commands that have not ended, by stream.
        meetings: Collectives that wait for a rank.
        storages: Pieces of memory in use.
        plans: Operations that the front end has defined.
        log: Entries of the log.
        runs: Commands that have run.
        error: The first failure that has not been reported yet.
        ended: Why the device stopped reading from the front end, if one of its messages ended the session.
        crashed: Why kernels can no longer run; "" if they can.
        clock: Nanoseconds of the device's clock.
        idle: Whether nothing runs, and nothing can run until a gate is moved or the host sends more.
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
    crashed: str
    clock: int
    idle: bool

    @property
    def pending_commands(self) -> int:
        """The number of pending commands in all streams."""
        return sum(self.pending.values())


@dataclass(frozen=True)
class Replay:
    """The result of a replayed call.

    Attributes:
        values: The values of each array that was to be read.
        told: Pairs of a value that the device reported to the host in the call, and the value that it reports now.
        diverged: Places where the commands do not fit the new inputs: other shapes, and operations that fail.
        left: How many commands had not run in the call, and were left out.
        faithful: Whether the same commands reproduce the results of the call with the call's own inputs.
    """

    values: list[np.ndarray]
    told: list[tuple[np.ndarray, np.ndarray]]
    diverged: list[str]
    left: int
    faithful: bool


class Control:
    """The client of a device process.

    When a call is answered, everything sent to the device before it has arrived.

    Args:
        sock: The judge's end.
        before: Called before each question, where judge and front end are one process: it reports freed storages and
            returns how many bytes the front end has sent, which the device reads before it answers.
    """

    def __init__(self, sock: socket.socket, before: Callable[[], int] | None = None) -> None:
        self.before = before
        self.sock, self._inbox, self._next = sock, Inbox(sock, MOST_OF_JUDGE), 1 << 62

    def _ask(self, do: str, payload: bytes = b"", **head: object) -> tuple[Any, memoryview]:
        if self.before is not None:
            head["after"] = self.before()
        try:
            send(self.sock, json_message(0, {"do": do, **head}, payload))
            _, body = self._inbox.read()
        except (EOFError, OSError) as error:
            raise DeviceGone("the device process has ended") from error
        length = int.from_bytes(body[:4], "little")
        answer = json.loads(body[4 : 4 + length])
        if isinstance(answer, dict) and set(answer) == {"error", "text"}:
            raise RuntimeError(f"{answer['error']}: {answer['text']}")
        return answer, memoryview(body)[4 + length :]

    def hold(self, stream: int | None = None, device: int | None = None) -> None:
        """Hold all commands that have not started until ``release``: of one stream, of one device, or all."""
        self._ask("hold", stream=stream, device=device)

    def hold_until_waited_for(self) -> None:
        """Hold each command until the host waits for it; a wait runs only what it needs.

        So all order is independent of a clock, and no student code hangs.
        """
        self._ask("hold until waited for")

    def hold_operations(self, *names: str, until_waited_for: bool = False) -> None:
        """Hold commands with these names, and all later commands in their streams."""
        self._ask("hold operations", names=names, lazy=until_waited_for)

    def hold_storages(self, *numbers: int) -> None:
        """Hold new commands that touch one of these, and all later ones, until the host waits for them."""
        self._ask("hold storages", numbers=numbers)

    def fence(self) -> None:
        """Stop reading the front end until ``hear``: its messages wait in the socket."""
        self._ask("fence")

    def hear(self) -> None:
        """Read the front end again."""
        self._ask("hear")

    def release(self, stream: int | None = None, device: int | None = None, upto: int | None = None) -> None:
        """Open the gates; with ``upto``, only up to this command's number."""
        self._ask("release", stream=stream, device=device, upto=upto)

    def give_up(self) -> None:
        """Drop all work that has not started.

        Its results are like unwritten memory, and the next wait gets a late error. Gates stay as they are, and running
        work continues.
        """
        self._ask("give up")

    def log(self, since: int = 0) -> list[Entry]:
        """Return the entries from a position on, in the order of arrival, without dropped ones."""
        return [Entry.parse(e) for e in self._ask("log", since=since)[0]]

    def runs(self, since: int = 0) -> list[Run]:
        """Return the commands that have run, in the order in which they ended."""
        return [Run(*r) for r in self._ask("runs", since=since)[0]]

    def gates(self, since: int = 0) -> list[Gate]:
        """Which gates were closed and opened, and when."""
        return [Gate(*g) for g in self._ask("gates", since=since)[0]]

    def event_times(self, *numbers: int) -> list[int | None]:
        """Return when event records ran, in nanoseconds of the device's clock; None for those that have not."""
        return list(self._ask("times", numbers=numbers)[0])

    def state(self) -> State:
        """Return the state of the device."""
        answer = self._ask("state")[0]
        answer["pending"] = {int(k): v for k, v in answer["pending"].items()}
        return State(**answer)

    def need_log(self, needed: bool = True) -> None:
        """Set whether to keep all new entries; otherwise a full log drops its oldest entries.

        The log is bounded: a front end that exceeds the bound ends its session.
        """
        self._ask("need", log=needed)

    def count(self) -> None:
        """Start the counts ``made`` and ``most_made`` of ``memory``; the front end cannot reset them."""
        self._ask("count")

    def forget_error(self) -> None:
        """Drop the failure that the front end would get at its next wait; the log keeps it."""
        self._ask("forget error")

    def memory(self, device: int = 0) -> dict[str, int]:
        """Return bytes allocated and reserved (now and peak), counts, and pinned host memory."""
        return dict(self._ask("memory", device=device)[0])

    def keep(self, on: bool = True) -> None:
        """Keep the commands from now until ``fence`` for a replay; or stop keeping them."""
        self._ask("keep", on=on)

    def replay(
        self,
        put: Mapping[int, np.ndarray],
        host: Sequence[tuple[np.ndarray, np.ndarray]],
        read: Sequence[tuple[int, list[Any]]],
        patch: Sequence[int] = (),
        seconds: float = 20.0,
    ) -> Replay:
        """Replay the kept commands on other inputs, only on the device; the front end sees no change.

        Call it when everything has run. Draw the inputs after the fence and store them nowhere else, so that the
        program cannot know them.

        Args:
            put: New values for those that were ``put``, by storage.
            host: New arrays for those that the host was given, as pairs of the old one and the new one.
            read: The arrays to read, as ``simgpu.handle`` describes them.
            patch: Numbers of commands. If given, all inputs are the old ones, and only the results of these commands
                are replaced by those for the new inputs.
            seconds: A limit of wall-clock time.

        Returns:
            The result of the replay.

        Raises:
            RuntimeError: there is nothing to run, or it took too long.
        """
        arrays = [np.ascontiguousarray(array) for array in (*put.values(), *(one for pair in host for one in pair))]
        specs = [_spec(array) for array in arrays]
        rest = specs[len(put) :]
        told, data = self._ask(
            "replay",
            b"".join(array.tobytes() for array in arrays),
            put=list(zip(put, specs, strict=False)),
            host=list(zip(rest[::2], rest[1::2], strict=True)),
            read=read,
            patch=list(patch),
            seconds=seconds,
        )
        found = []
        for name, size in (*told["read"], *told["told"]):
            nbytes = int(np.prod(size)) * np.dtype(name).itemsize
            found.append(np.frombuffer(data[:nbytes], name).reshape(size))
            data = data[nbytes:]
        values, pairs = found[: len(read)], found[len(read) :]
        heard = list(zip(pairs[::2], pairs[1::2], strict=True))
        return Replay(values, heard, told["diverged"], told["left"], told["faithful"])

    def put(self, array: np.ndarray, device: int = 0, look: bool = False) -> tuple[int, list[Any]]:
        """Put values on a device; the front end learns only the storage's number and layout.

        Args:
            array: The values.
            device: The device for them.
            look: Whether ``simgpu.look`` gives single numbers of it, without a wait; of any other array it gives none.

        Returns:
            What ``simgpu.adopt`` makes a tensor of.
        """
        self._next += 1
        array = np.ascontiguousarray(array)
        spec = _spec(array)
        one = {"storage": self._next, "spec": spec, "device": device, "look": look, "bytes": array.nbytes}
        self._ask("put", array.tobytes(), arrays=[one])
        return self._next, spec

    def values(self, storage: int, spec: list[Any] | None = None) -> np.ndarray | None:
        """Return the current content of a storage, computed or not.

        Args:
            storage: Its number.
            spec: The layout to read (dtype, sizes, strides, offset in elements); its own without.

        Returns:
            An array of the layout's sizes, half precision as float32; None if nothing has touched the storage.
        """
        (told,), data = self._ask("values", of=[[storage, spec]])
        return None if told is None else np.frombuffer(data, told["spec"][0]).reshape(told["spec"][1])

    def settle(self, most: float = 120.0) -> State:
        """Return the state once nothing more can run: open commands have run, the rest is held.

        Args:
            most: Seconds after which the current state is returned.
        """
        end = time.monotonic() + most
        while not (state := self.state()).idle and time.monotonic() < end:
            time.sleep(0.001)
        return state

    def close(self) -> None:
        """Release the device."""
        self.sock.close()


def _spec(array: np.ndarray) -> list[Any]:
    """Return the layout of a contiguous array."""
    return [str(array.dtype), list(array.shape), [s // array.itemsize for s in array.strides], 0]
