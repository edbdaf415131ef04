"""Copies between the host and the device."""

from collections.abc import Callable, Sequence
from typing import Any

import torch

from simgpu.device.channel import Channel
from simgpu.device.replay_tape import Step
from simgpu.device.state import State
from simgpu.device.storage import Storage
from simgpu.frames import BadMessage, request_of
from simgpu.records import fingerprint
from simgpu.wire import STREAMS, Spec, bytes_of, tensor_of


class Copies:
    """One method for each kind of message."""

    def __init__(self, state: State) -> None:
        self.state = state

    def upload(self, head: dict[str, Any], payload: memoryview) -> None:
        """Copy the payload from the host's pageable memory."""
        storage, spec = self._named(head)
        data = tensor_of(payload, spec)
        self.state.memory.written([storage])
        brought: list[str] = []

        def run(at: Channel) -> bytes:
            self._write(at, storage, spec, data)
            self._note_values(data, brought)
            return b""

        self._wait_for("upload", head, storage, spec, run, [data], values=brought)

    def download(self, head: dict[str, Any], payload: memoryview) -> None:
        """Copy to the host: the answer has the values."""
        storage, spec = self._named(head)

        def run(at: Channel) -> bytes:
            return read(at, [(storage, spec)])[0] or b""

        self._wait_for("download", head, storage, spec, run, [])

    def _wait_for(
        self, kind: str, head: dict[str, Any], storage: Storage, spec: Spec, run: Callable[[Channel], bytes],
        data: list[torch.Tensor], **more: Any
    ) -> None:  # fmt: skip
        stream, label = head["stream"], label_of(head)
        places = ((), [storage.number]) if kind == "upload" else ([storage.number], ())
        nbytes = spec.numel * spec.dtype.itemsize

        def note(number: int) -> None:
            self.state.log.add(kind, number, stream, label, *places, bytes=nbytes, **more)
            self.state.memory.tape.add(Step(kind, number, (storage.number, spec), data), [storage])

        self.state.waited_for(request_of(head), head.get("thread", 0), stream, label, run, (storage.number,), note)

    def pinned(self, head: dict[str, Any], payload: memoryview, upload: bool) -> None:
        """Copy between pinned memory and the device; the host's memory is touched only when the copy runs."""
        storage, spec = self._named(head)
        segment, offset = head["segment"], head["offset"]
        self.state.pinned.check(segment, offset, spec.numel * spec.dtype.itemsize)
        if upload:
            self.state.memory.written([storage])
        brought: list[str] = []
        kept: list[torch.Tensor] = []
        tape = self.state.memory.tape

        def run(at: Channel) -> None:
            place = self.state.pinned.place(segment)
            noted = upload and (tape.whole or self._is_noted())
            if not noted:
                do = "from host" if upload else "to host"
                cell = storage.cell.number
                at.ask(do, [storage], storage=cell, spec=spec.json(), segment=place, offset=offset)
            else:  # the recorded values are the copied ones, even if the host writes meanwhile
                data = self.state.pinned.view(segment, offset, spec).clone()
                self._write(at, storage, spec, data)
                tape.bring(kept, data)
                self._note_values(data, brought)

        kind, stream = "h2d" if upload else "d2h", head["stream"]
        number = self.state.queues.enqueue(stream, kind, run, touches=(storage.number,))
        places = ((), [storage.number]) if upload else ([storage.number], ())
        read = [] if upload else [spec.numel]
        version = head.get("version")
        source = {"source": offset, "version": version} if type(version) is int and 0 <= version < 1 << 63 else {}
        nbytes = spec.numel * spec.dtype.itemsize
        self.state.log.add(kind, number, stream, kind, *places, bytes=nbytes, segment=segment, values=brought,
            elements=read, **source)  # fmt: skip
        tape.add(Step("upload" if upload else "download", number, (storage.number, spec), kept), [storage])

    def _write(self, at: Channel, storage: Storage, spec: Spec, data: torch.Tensor) -> None:
        at.ask("write", [storage], bytes_of(data), storage=storage.cell.number, spec=spec.json())

    def _is_noted(self) -> bool:
        return self.state.log.entries.needed is not None

    def _note_values(self, data: torch.Tensor, brought: list[str]) -> None:
        """Record the values of a copy from the host in a judge's call, when it has run."""
        if self._is_noted():
            whole = data.contiguous()
            brought.append(fingerprint(bytes(bytes_of(whole)), data.dtype.itemsize))

    def _named(self, head: dict[str, Any]) -> tuple[Storage, Spec]:
        storage, spec, stream = self.state.memory[head["storage"]], Spec.parse(head["spec"]), head["stream"]
        self.state.queues.stream(stream)
        if storage.device != stream // STREAMS:
            raise BadMessage("a copy reads another device's memory")
        storage.check(spec, "a copy")
        if stream != storage.home:
            storage.users |= {stream}
        return storage, spec


def read(
    at: Channel, places: Sequence[tuple[Storage, Spec]], peek: bool = False, seconds: float | None = None
) -> list[bytes | None]:
    """Read the content of storages as contiguous values with these layouts.

    Args:
        at: The asking thread's channel.
        places: The storages, each with a layout.
        peek: Whether to return None for a storage that nothing has used.
        seconds: The ``patience`` of ``Channel.ask``.

    Returns:
        The bytes of each, as many as the layout has.

    Raises:
        Lost: the answer does not fit the layouts, or the kernel process has ended.
    """
    sizes = [spec.numel * spec.dtype.itemsize for _, spec in places]
    orders = [
        ([storage], b"", {"storage": storage.cell.number, "spec": spec.json(), "peek": peek})
        for storage, spec in places
    ]
    found = at.ask_each("read", orders, max(sizes, default=0), seconds)
    if any(len(data or b"") != n and not (peek and data is None) for data, n in zip(found, sizes, strict=True)):
        raise at.refuse("values of the wrong size")
    return found


def label_of(head: dict[str, Any]) -> str:
    """Return the name of a wait, in the front end's words, which the queue also has."""
    return str(head["label"])[:60]
