"""Requests of the front end that wait for no work: memory, times, whether something is done."""

import os
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from simgpu.device.queues import POLLS, Stream
from simgpu.device.state import State
from simgpu.frames import BadMessage, request_of
from simgpu.system import is_unix


class Calls:
    """One method for each call, whose name is in the message."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._known: dict[str, Callable[[dict[str, Any]], None]] = {
            "hello": self._hello,
            "memory": self._memory,
            "memory counts": self._memory_counts,
            "reset peak": self._reset_peak,
            "reset accumulated": self._reset_accumulated,
            "empty cache": self._empty_cache,
            "query": self._query,
            "elapsed": self._elapsed,
            "record stream": self._record_stream,
            "pin": self._pin,
            "unpin": self._unpin,
            "address": self._address,
            "mark": self._mark,
            "look": self._look,
            "call": self._call,
            "stands still": self._stands_still,
            "launch queue": self._launch_queue,
            "leave": self._leave,
            "all wait": self._all_wait,
            "log": self._log,
        }

    def answer(self, head: dict[str, Any]) -> None:
        """Answer a request, if it has a number.

        Raises:
            BadMessage: there is no such question.
        """
        call = self._known.get(head.get("do", ""))
        if call is None:
            raise BadMessage("unknown call")
        call(head)

    def _tell(self, head: dict[str, Any], value: object, fd: int | None = None) -> None:
        self.state.tell(head["id"], value, fd)

    def _tell_after_wait(self, request: int, value: object) -> None:
        self.state.tell(request, value, token=self.state.queues.answered(request))

    def _device(self, head: dict[str, Any]) -> int:
        device = head["device"]
        if type(device) is not int or not 0 <= device < self.state.limits.devices:
            raise BadMessage("there is no such device")
        return device

    def _hello(self, head: dict[str, Any]) -> None:
        self._tell(head, asdict(self.state.limits))

    def _memory(self, head: dict[str, Any]) -> None:
        with self.state.queues.lock:
            usage = asdict(self.state.memory.usage(self._device(head)))
        self._tell(head, usage | {"pinned": self.state.pinned.nbytes})

    def _reset_peak(self, head: dict[str, Any]) -> None:
        allocator = self.state.memory.allocators[self._device(head)]
        with self.state.queues.lock:
            usage = allocator.usage
            usage.peak_allocated, usage.peak_reserved = usage.allocated, usage.reserved
            allocator.counts.reset_peaks()
        self._tell(head, None)

    def _memory_counts(self, head: dict[str, Any]) -> None:
        with self.state.queues.lock:
            counts = self.state.memory.allocators[self._device(head)].counts.json()
        self._tell(head, counts)

    def _reset_accumulated(self, head: dict[str, Any]) -> None:
        with self.state.queues.lock:
            self.state.memory.allocators[self._device(head)].counts.reset_sums()
        self._tell(head, None)

    def _empty_cache(self, head: dict[str, Any]) -> None:
        with self.state.queues.lock:
            for allocator in self.state.memory.allocators:
                allocator.empty_cache()

    def _query(self, head: dict[str, Any]) -> None:
        """Answer whether a stream has finished a command.

        The hundredth request for one command counts as a wait: it is in the log and opens the gate, and is acknowledged
        with the first yes. A yes that tells more than earlier ones is also in the log.

        Raises:
            BadMessage: the command has no number.
        """
        queues, upto = self.state.queues, head["upto"]
        if type(upto) is not int:
            raise BadMessage("invalid command number")
        with queues.lock:
            if head["stream"] is None:
                self._tell(head, all(queues.passed(s, upto) for s in queues.streams))
                return
            stream = queues.stream(head["stream"])
            upto = min(upto, stream.last)
            self._ask_again(head, "query", stream, upto, lambda: queues.passed(stream.number, upto))

    def _ask_again(
        self, head: dict[str, Any], label: str, stream: Stream, upto: int, value: Callable[[], object]
    ) -> None:
        """Answer with a value that exists once a stream has reached a command; the hundredth request waits."""
        queues, request, question = self.state.queues, request_of(head), (stream.number, upto)
        if len(stream.queries) > self.state.limits.pending:  # more than can be pending
            stream.queries.clear()
        stream.queries[upto] = stream.queries.get(upto, 0) + 1

        def told() -> None:
            done = queues.passed(*question)
            if done and label == "query":
                queues.reached(question)
            self.state.tell(request, value(), token=queues.acknowledgements.token(question) if done else 0)

        if stream.queries[upto] != POLLS:
            told()
            return
        targets, thread = {stream.number: upto}, head.get("thread", 0)
        if not queues.thread_waits(request, thread, "wait", label, targets, question, told, again=True):
            queues.when_done(request, targets, lambda: self._tell_after_wait(request, value()))

    def _elapsed(self, head: dict[str, Any]) -> None:
        """Answer with the milliseconds between two events; repeated requests wait for the later one."""
        first, last = head["tickets"][0], head["tickets"][-1]
        ends, records, queues = self.state.log.ends, self.state.records, self.state.queues

        def value() -> float | None:
            began, ended = ends.get(first), ends.get(last)
            return (ended - began) / 1e6 if began is not None and ended is not None else None

        with queues.lock:
            upto = max((t for t in (first, last) if t in records and ends.get(t) is None), default=None)
            if upto is None:
                self._tell(head, value())
            else:
                self._ask_again(head, "elapsed_time", queues.stream(records[upto]), upto, value)

    def _record_stream(self, head: dict[str, Any]) -> None:
        storage = self.state.memory[head["storage"]]
        self.state.queues.stream(head["stream"])
        storage.recorded |= {head["stream"]}
        self.state.log.add("record stream", self.state.queues.number, head["stream"], writes=[storage.number])

    def _mark(self, head: dict[str, Any]) -> None:
        """Add a mark to the log; the device cannot know who sent it."""
        label = head["label"]
        if type(label) is not str:
            raise BadMessage("invalid mark")
        self.state.log.add("mark", self.state.queues.number, name=label[:60])

    def _look(self, head: dict[str, Any]) -> None:
        """Answer with one number or row of an array that the judge made for `look`, and of nothing else.

        Code that knows the number has asked for it, at this place of the log.

        Raises:
            BadMessage: there is no such place.
        """
        storage, place = self.state.memory[head["storage"]], head["place"]
        if storage.shown is None:
            self._tell(head, None)
            return
        if type(place) is not int or not 0 <= place < len(storage.shown):
            raise BadMessage("a look outside an array")
        self.state.log.add("look", self.state.queues.number, name=str(place), reads=[storage.number])
        self._tell(head, storage.shown[place].tolist())

    def _call(self, head: dict[str, Any]) -> None:
        self.state.queues.call_is_over = head["begins"] is False

    def _stands_still(self, head: dict[str, Any]) -> None:
        request = request_of(head)
        self.state.queues.stands_still(request_of(head, "of"), lambda still: self.state.tell(request, still))

    def _pin(self, head: dict[str, Any]) -> None:
        name = None if is_unix(self.state.outbox.sock) else head["name"]
        made = self.state.pinned.make(head["nbytes"], name)
        if made is None:
            self._tell(head, None)
            return
        number, fd = made
        self._tell(head, number, fd)
        if fd is not None:
            os.close(fd)

    def _unpin(self, head: dict[str, Any]) -> None:
        self.state.pinned.forget(head["segment"])

    def _address(self, head: dict[str, Any]) -> None:
        storage = self.state.memory[head["storage"]]
        self._tell(head, storage.block.address if storage.block else 0)

    def _launch_queue(self, head: dict[str, Any]) -> None:
        """Let the host continue when no stream of the device has more than half of the launch queue pending."""
        state, request, device = self.state, request_of(head), self._device(head)
        half = state.limits.queue // 2
        with state.queues.lock:
            streams = [s for s in state.queues.streams.values() if s.device == device and len(s.queue) > half]
            full = {s.number: s.queue[-half - 1].number for s in streams}
            if full:
                state.queues.thread_waits(request, head.get("thread", 0), "full", "launch queue full", full)
            state.queues.when_done(request, full, lambda: self._tell_after_wait(request, None))

    def _leave(self, head: dict[str, Any]) -> None:
        self.state.collectives.leave(head["world"], head["rank"], str(head.get("why", ""))[:200])

    def _all_wait(self, head: dict[str, Any]) -> None:
        """Note that no rank sends more before one of these requests is answered."""
        asked, queues = head["asked"], self.state.queues
        if type(asked) is not list:
            raise BadMessage("invalid requests of ranks")
        with queues.lock:
            awaited, waits = queues.awaited(), []
            for one in asked:
                match one:
                    case int():
                        waits.append(awaited.get(one, {}))  # empty if it has its answer
                    case [int(stream), int(upto)]:
                        waits.append({stream: upto})
                    case _:
                        raise BadMessage("invalid requests of ranks")
            self.state.collectives.all_wait(head["world"], waits)

    def _log(self, head: dict[str, Any]) -> None:
        """Send the student's copy of the log, for pictures; a judge never reads it.

        While a judge needs a call, it contains nothing of the call: neither failures nor what ran first.
        """
        log, most = self.state.log, 5000
        self._tell(head, [log.entries.unneeded(head["since"], most), log.runs.unneeded(head["ran"], most)])
