"""All of a device's state, and its answers to the front end."""

import json
from collections.abc import Callable

from simgpu.device.allocator import OutOfMemory
from simgpu.device.channel import Channel
from simgpu.device.collectives import Collectives
from simgpu.device.kernels import Kernels
from simgpu.device.log import Log
from simgpu.device.memory import Memory
from simgpu.device.pinned import PinnedMemory
from simgpu.device.plans import Plans
from simgpu.device.queues import GIVEN_UP, Queues
from simgpu.device.storage import Storage
from simgpu.frames import ANSWER, COMMAND, Kind, Outbox, message
from simgpu.limits import Limits
from simgpu.operations import Allowed
from simgpu.wire import Spec


class State:
    """The state of a device, shared by the readers of the front end's and the judge's messages.

    Attributes:
        kernels: The process that runs kernels.
        records: The stream of each event that was recorded, by its ticket.
        fenced: Messages of the front end are not read until the judge allows it.
    """

    def __init__(self, limits: Limits, outbox: Outbox, allowed: Allowed, kernels: Kernels) -> None:
        self.limits, self.outbox, self.kernels = limits, outbox, kernels
        self.log = Log(limits.log)
        self.queues = Queues(limits, self.log, kernels)
        self.memory = Memory(limits, self.log, self.queues, kernels)
        self.plans = Plans(limits, allowed, kernels.thing)
        self.pinned = PinnedMemory(limits.pinned, kernels.map)
        self.collectives = Collectives(self.queues, self.memory)
        self.records: dict[int, int] = {}
        self.fenced = False

    def reply(self, request: int, payload: bytes | memoryview = b"", fd: int | None = None) -> None:
        """Answer a wait, with the first error since the last wait."""
        with self.queues.lock:
            number = ANSWER.pack(request, self.queues.answered(request))
            error, self.queues.error = self.queues.error, None
        if error is not None:
            command, text = error
            self.outbox.put(message(Kind.FAILED, number, COMMAND.pack(command), text.encode()))
        else:
            self.outbox.put(message(Kind.REPLY, number, payload), fd)

    def tell(self, request: int, value: object, fd: int | None = None, token: int = 0) -> None:
        """Answer a request in JSON; with ``token`` if it was a wait."""
        self.outbox.put(message(Kind.REPLY, ANSWER.pack(request, token), json.dumps(value).encode()), fd)

    def make(self, number: int, spec: Spec | None, stream: int) -> Storage:
        """Allocate a storage; if the device is full, the command that uses it fails and the session continues."""
        try:
            return self.memory.allocate(number, spec, stream)
        except OutOfMemory:
            return self.memory[number]

    def waited_for(
        self, request: int, thread: object, stream: int, label: str, run: Callable[[Channel], bytes],
        touches: tuple[int, ...], note: Callable[[int], None],
    ) -> None:  # fmt: skip
        """Enqueue a command for whose result the front end waits.

        When the command has ended, the front end gets the result, or the reason why it failed.

        Args:
            request: The number of the front end's question.
            thread: The number of the waiting thread, as the front end reports it.
            stream: The command's stream.
            label: The name of the wait.
            run: The work; its return value is the answer.
            touches: The storages that it reads or writes.
            note: Writes the command of this number into the log.
        """
        answer, failed = b"", None

        def kept(at: Channel) -> None:
            nonlocal answer, failed
            try:
                answer = run(at)
            except Exception as error:
                failed = f"{label}: {str(error).strip() or type(error).__name__}"

        def given_up() -> None:
            nonlocal failed
            failed = GIVEN_UP

        def ended() -> None:
            if failed is not None:
                self.queues.error = self.queues.error or (number, failed)
            self.reply(request, answer)

        with self.queues.lock:  # so that it cannot run and be answered before the wait is registered
            number = self.queues.enqueue(stream, label or "copy", kept, touches=touches, instead=given_up)
            note(number)
            self.queues.thread_waits(request, thread, "wait", label, {stream: number}, command=number)
            self.queues.when_done(request, {stream: number}, ended)
