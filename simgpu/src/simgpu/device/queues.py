"""Streams: a queue and a thread each, and the waits for them. Gates are in :mod:`.gates`."""

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterable
from typing import Any

from simgpu.device.acknowledgements import Acknowledgements
from simgpu.device.channel import Channel, Lost
from simgpu.device.commands import Command, Queue, Wait, Work
from simgpu.device.gates import ALL, Gates
from simgpu.device.kernels import Kernels
from simgpu.device.log import Log
from simgpu.device.quiet import Quiet
from simgpu.frames import BadMessage
from simgpu.limits import Limits
from simgpu.records import Run
from simgpu.wire import STREAMS

POLLS = 100
"""This many questions about one command, with nothing launched in between, count as a wait."""
FEW, MOMENT = 8, 0.0003
"""If there are fewer launches than this, they wait this many seconds for others."""
MOST_TOGETHER, SHORT = 32, 2_000_000
"""How many launches go to the kernel process together, if all of them take less than this many nanoseconds."""
GIVEN_UP = "its time was used up, so the work that had not run was dropped"


class Stream(Queue):
    """A queue that runs in order in its own thread."""

    def __init__(self, queues: "Queues", number: int) -> None:
        super().__init__(number, queues.lock, queues.gates.allowed(number // STREAMS))
        self.queues, self.channel = queues, queues.kernels.channel()
        threading.Thread(target=self._work, daemon=True, name=f"stream {number}").start()

    def stands_open(self) -> bool:
        """Whether the first command could run, apart from priorities."""
        if not self.queue:
            return False
        head = self.queue[0]
        return self.queues.gates.is_open(self, head) and (head.ready is None or head.ready())

    def may_run(self) -> bool:
        """Whether it may run: as on CUDA, work on streams of high priority starts before other work of the device."""
        return self.stands_open() and (self.high or not self.queues.high_first(self.device))

    def wake(self) -> None:
        """Wake its thread if it may run: checking here is cheaper than waking a thread for nothing."""
        if self.may_run():
            self.woken.notify()

    def _work(self) -> None:
        queues = self.queues
        together = 1
        while True:
            with queues.lock:
                gathered = False
                while not self.may_run() or (not gathered and self._gathers()):
                    if queues.ended:
                        return
                    gathered = self.may_run()
                    self.woken.wait(MOMENT if gathered else None)
                batch = self._next(together)
                self.started = batch[-1].number
                self.running.extend([c.number for c in batch if c.number > self.done])
                if self.high:
                    queues.wake()
                goes_along = self._goes_along(batch[0])
            start = time.monotonic_ns()
            if goes_along:
                self._launch(batch)
                took = time.monotonic_ns() - start
                together = min(2 * together, MOST_TOGETHER) if took < SHORT else max(1, together // 4)
                continue
            command = batch.pop()
            try:
                self._run(command)
            except Exception as error:  # reported at the next wait, as on CUDA
                queues.failed(command, self.number, error)
            end, number, name, timed = time.monotonic_ns(), command.number, command.name, command.timed
            del command  # free its memory before it counts as done
            with queues.lock:
                self._ended(number, start, end, bool(name), timed)
                queues.settle()

    def _next(self, most: int) -> deque[Command]:
        """Return the commands that start now: one, or launches to send together."""
        queue, given_up = self.queue, self.queues.given_up
        first = queue.popleft()
        batch = deque([first])
        if self._goes_along(first):
            # No other stream moves meanwhile, so that nothing of high priority becomes ready.
            while len(batch) < most and queue and self.stands_open():
                head = queue[0]
                if callable(head.run) or head.number <= given_up:
                    break
                batch.append(queue.popleft())
        return batch

    def _gathers(self) -> bool:
        """Whether it briefly collects launches, because there are few and nobody waits."""
        queue, queues = self.queue, self.queues
        if len(queue) >= FEW or queues.ended or queues.is_awaited():
            return False
        return self._goes_along(queue[0]) and self._goes_along(queue[-1])

    def _goes_along(self, command: Command) -> bool:
        """Whether it is a launch that can be sent with others."""
        return not callable(command.run) and command.number > self.queues.given_up

    def _launch(self, batch: deque[Command]) -> None:
        """Send launches to the kernel process, and read how each has ended."""
        start = time.monotonic_ns()
        with self.channel.lock:
            for command in batch:
                command.run.order(self.channel)  # type: ignore[union-attr]
            with contextlib.suppress(Lost):  # each answer reports it
                self.channel.send()
            while batch:
                found = self.channel.answers(len(batch))
                step = (time.monotonic_ns() - start) // len(found)
                runs = []
                for one in found:
                    command = batch.popleft()
                    if isinstance(one, Exception):
                        self.queues.failed(command, self.number, one)
                    command.run.ended()  # type: ignore[union-attr]
                    runs.append(Run(command.number, self.number, start, start + step))
                    start += step
                    del command  # free its memory before it counts as done
                with self.queues.lock:
                    self.done = runs[-1].number
                    while self.running and self.running[0] <= self.done:
                        self.running.popleft()
                    self.queues.log.have_run(runs)
                    self.queues.settle()

    def _ended(self, number: int, start: int, end: int, named: bool, timed: bool) -> None:
        self.done = number
        if self.running and self.running[0] == number:
            self.running.popleft()
        if named:
            self.queues.log.ran(number, self.number, start, end, timed)

    def _run(self, command: Command) -> None:
        """Run a command unless it was dropped; marks, meetings and the device's own commands never are."""
        if command.number > self.queues.given_up or not command.name or command.timed or command.ready is not None:
            if callable(command.run):
                command.run(self.channel)
        elif command.instead is not None:
            command.instead()


class Queues:
    """All streams of the process, and the waits for them."""

    def __init__(self, limits: Limits, log: Log, kernels: Kernels) -> None:
        self.limits, self.log, self.kernels = limits, log, kernels
        self.lock = threading.RLock()
        self.streams: dict[int, Stream] = {}
        self.number = 0
        self.error: tuple[int, str] | None = None  # the first one since a wait, with its command
        self._waiters: list[tuple[int, dict[int, int], Callable[[], None]]] = []
        self.gates = Gates(self.streams, self.lock, limits.devices)
        self.aside: dict[int, Wait] = {}
        self.quiet = Quiet(self.gates, self.is_quiet)
        self.acknowledgements = Acknowledgements(log)
        self.call_is_over = False
        self.high_used = False
        self.given_up = 0  # commands up to this one that have not run are dropped
        self.ended = False

    def stream(self, number: int) -> Stream:
        """Return the stream of a number, created at its first use.

        Raises:
            BadMessage: there is no such stream.
        """
        if type(number) is not int:
            raise BadMessage("there is no such stream")
        found = self.streams.get(number)
        if found is None:
            if not 0 <= number < self.limits.devices * STREAMS:
                raise BadMessage("there is no such stream")
            with self.lock:
                found = self.streams[number] = Stream(self, number)
                self.high_used = self.high_used or found.high
        return found

    def enqueue(
        self,
        stream: int,
        name: str,
        run: Callable[[Channel], None] | Work,
        ready: Callable[[], bool] | None = None,
        needs: Callable[[], Iterable[tuple[int, int]]] | None = None,
        timed: bool = False,
        operation: bool = True,
        touches: tuple[int, ...] = (),
        instead: Callable[[], None] | None = None,
    ) -> int:
        """Append a command to its stream.

        An empty name is the device's own housekeeping and has no number.

        Returns:
            The number of the last command.
        """
        with self.lock:
            target = self.stream(stream)
            self.number += bool(name)
            target.queue.append(Command(self.number, name, run, ready, needs, timed, touches, instead))
            target.last = self.number
            if operation:
                target.queries.clear()
            if len(target.queue) == 1:
                target.wake()
            return self.number

    def failed(self, command: Command, stream: int, error: Exception) -> None:
        """Keep the first error until the host waits."""
        text = str(error).strip() or type(error).__name__
        with self.lock:
            with contextlib.suppress(BadMessage):
                self.log.add("error", command.number, stream, command.name, text=text[:500])
            if self.error is None:
                place = f"stream {stream % STREAMS} of simgpu:{stream // STREAMS}"
                self.error = command.number, f"{command.name} (on {place}): {text}"

    def passed(self, stream: int, number: int) -> bool:
        """Whether a stream has finished its own commands up to this one, of its own or of another stream."""
        found = self.streams.get(stream)
        if found is None:
            return True
        if found.running:
            return found.running[0] > number
        return next((c.number for c in found.queue if c.name), ALL) > number

    def pending(self) -> int:
        """Unfinished commands of all streams."""
        return sum(s.pending for s in self.streams.values())

    def when_done(self, request: int, targets: dict[int, int], then: Callable[[], None]) -> None:
        """Call ``then``, which answers a request, once each stream has reached its number.

        Raises:
            BadMessage: more wait than a program can have threads.
        """
        with self.lock:
            if len(self._waiters) >= self.limits.pending:
                raise BadMessage(f"more than {self.limits.pending} waits at a time")
            self._waiters.append((request, targets, then))
            self.settle()

    def is_awaited(self) -> bool:
        """Whether there are unanswered requests."""
        return bool(self._waiters or self.quiet)

    def awaited(self) -> dict[int, dict[int, int]]:
        """The unanswered requests, and what each waits for."""
        return {request: targets for request, targets, _ in self._waiters}

    def settle(self) -> None:
        """Wake everything that can continue after something has ended."""
        if self._waiters:
            ripe = [w for w in self._waiters if all(self.passed(s, n) for s, n in w[1].items())]
            for waiter in ripe:
                self._waiters.remove(waiter)
                waiter[2]()
        self.wake()

    def wake(self) -> None:
        """Let each stream check again whether it may run."""
        for stream in self.streams.values():
            stream.wake()

    def host_waits(self, question: Hashable, kind: str, label: str, targets: dict[int, int], **detail: Any) -> None:
        """Log a wait of the host, with its pending work and the held commands that it opens, and open them.

        ``question``: by what the answer is known.
        """
        with self.lock:
            pending = {
                s: sum(c.number <= upto and bool(c.name) for c in self.streams[s].queue)
                + sum(number <= upto for number in self.streams[s].running)
                for s, upto in targets.items()
            }
            if self.gates.lazy:
                detail["opened"] = self.gates.open_for(targets)
            detail["wait"] = self.acknowledgements.asked(question, targets)
            self.log.add(kind, self.number, name=label[:60], targets=targets, pending=pending, **detail)
            self.wake()

    def reached(self, question: tuple[int, int]) -> None:
        """Log that the host is told that a stream has reached a command, if it did not know that.

        ``question``: the stream and the command, by which the answer is known.
        """
        stream, upto = question
        if upto > self.streams[stream].told:
            self.streams[stream].told = upto
            wait = self.acknowledgements.asked(question, {stream: upto})
            self.log.add("reached", self.number, name="query", targets={stream: upto}, wait=wait)

    def thread_waits(
        self,
        request: int,
        thread: object,
        kind: str,
        label: str,
        targets: dict[int, int],
        question: Hashable = None,
        then: Callable[[], None] | None = None,
        **detail: Any,
    ) -> bool:
        """Begin a wait of the host in a thread with this number from the front end; 0 is the main thread.

        If waits open gates, a wait that needs a gate opens it only once the front end is quiet, because a program that
        continues does not wait.  A wait in another thread is put aside until the front end reports that the program no
        longer continues without it (``stands_still``), or until it is answered.  ``then`` is called once a wait of the
        main thread counts.

        Returns:
            False if the wait is put aside.

        Raises:
            BadMessage: the front end never gives such a number.
        """
        if type(thread) is not int or not 0 <= thread < 1 << 31:
            raise BadMessage("invalid thread number")
        with self.lock:
            if thread and self.gates.lazy:
                self.aside[request] = Wait(kind, label, targets, thread, detail, request)
                self.log.add("aside", self.number, name=label[:60], targets=targets, thread=thread)
                return False
            wait = Wait(kind, label, targets, thread, detail, request if question is None else question, then)
            if self.gates.lazy and any(not self.passed(stream, upto) for stream, upto in targets.items()):
                self.quiet.waits[request] = wait
                self.quiet.begin()
            else:
                self._counts(wait)
            return True

    def _counts(self, wait: Wait) -> None:
        """Let a wait open what it needs."""
        detail = wait.detail | ({"thread": wait.thread} if wait.thread else {})
        self.host_waits(wait.question, wait.kind, wait.label, wait.targets, **detail)
        if wait.then is not None:
            wait.then()

    def stands_still(self, request: int, then: Callable[[bool], None]) -> None:
        """Handle the report that the front end does not continue: if it is true, open what its wait needs.

        The device checks this as far as it can. Of several such waits, the one for the oldest command comes first.
        ``then`` gets whether the wait is no longer aside.
        """
        with self.lock:
            if request not in self.aside:
                then(True)
            elif self._may_open(request):
                self.quiet.claims[request] = then
                self.quiet.begin()
            else:
                then(False)

    def _may_open(self, request: int) -> bool:
        first = min(self.aside, key=lambda r: (max(self.aside[r].targets.values(), default=0), r))
        return not self.call_is_over and self.idle() and first == request

    def is_quiet(self) -> None:
        """Handle a quiet front end: the waits of its main thread count, and those of reported threads."""
        with self.lock:
            waits, claims = self.quiet.end()
            for wait in waits:
                self._counts(wait)
            for request, then in claims.items():
                if request in self.aside and not self._may_open(request):
                    then(False)
                    continue
                aside = self.aside.pop(request, None)
                if aside is not None:
                    self._counts(aside)
                then(True)

    def goes_on(self) -> None:
        """Handle more messages: the front end continues without the result that it waited for."""
        with self.lock:
            for then in self.quiet.go_on():
                then(False)

    def answered(self, request: int) -> int:
        """Handle an answered wait: one that was aside is over, because others have opened what it needed."""
        with self.lock:
            wait = self.aside.pop(request, None) or self.quiet.waits.pop(request, None)
            if wait is not None:
                detail = wait.detail | {"pending": dict.fromkeys(wait.targets, 0), "opened": []}
                detail |= {"thread": wait.thread} if wait.thread else {}
                detail["wait"] = self.acknowledgements.asked(request, wait.targets)
                with contextlib.suppress(BadMessage):  # the log is full: the next message ends the session
                    self.log.add(wait.kind, self.number, name=wait.label[:60], targets=wait.targets, **detail)
            return self.acknowledgements.token(request)

    def high_first(self, device: int) -> bool:
        """Whether work of high priority could start on a device now."""
        return self.high_used and any(s.high and s.device == device and s.stands_open() for s in self.streams.values())

    def idle(self) -> bool:
        """Whether nothing runs, and nothing can unless a gate opens or the host sends more."""
        return all(s.started <= s.done and not s.may_run() for s in self.streams.values())

    def give_up(self) -> None:
        """Drop the work that has not started; the next wait raises an error."""
        with self.lock:
            self.given_up = self.number
            self.error = self.error or (0, GIVEN_UP)

    def end(self) -> None:
        """End all streams that have nothing to run."""
        with self.lock:
            self.ended = True
            for stream in self.streams.values():
                stream.woken.notify_all()
