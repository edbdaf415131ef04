"""The kernel process: it has the values of storages and runs kernels on them, and nothing else.

It has one socket to the keeper, by which come the sockets of channels and segments of pinned memory. Each channel has a
thread, so that streams run in parallel. It has no access to the front end, the judge, the log, gates or events.
"""

import json
import mmap
import os
import socket
import struct
import threading
import time
from collections.abc import Callable
from typing import Any

import torch

from simgpu.device.channel import DONE, MOST_TEXT, NUMBER, Answer, Order
from simgpu.device.plans import Plan, parse_plan
from simgpu.device.reductions import Results, results_of, write_result
from simgpu.device.replay import Replayer
from simgpu.device.runner import Runner
from simgpu.device.values import Values, address_of
from simgpu.frames import HEAD, MOST_OF_JUDGE, Buffer, Inbox, parse_json
from simgpu.wire import Spec, bytes_of, tensor_of

GIVEN = struct.Struct("<cQQ")
"""The message that comes with a file descriptor: its kind, its number and its size in bytes."""
NOTHING = HEAD.pack(0, Answer.NOTHING)
SECONDS_TOGETHER = 0.0002
"""How many seconds answers may wait for others while there is more work."""


class Worker:
    """All data of the kernel process."""

    def __init__(self) -> None:
        self.plans: dict[int, Plan] = {}
        self.values: dict[int, Values] = {}
        self.results: dict[int, Results] = {}
        self.segments: dict[int, torch.Tensor] = {}
        self.runner = Runner()
        self.replayer = Replayer()
        self._known: dict[str, Callable[[dict[str, Any], memoryview], Buffer | None]] = {
            "write": self._write, "read": self._read, "from host": self._from_host, "to host": self._to_host,
            "spoil": self._spoil, "copy": self._copy, "meet": self._meet, "take": self._take, "replay": self._replay,
        }  # fmt: skip

    def serve(self, sock: socket.socket) -> None:
        """Serve until the keeper closes the socket."""
        while True:
            data, fds, *_ = socket.recv_fds(sock, GIVEN.size, 1)
            if len(data) < GIVEN.size or not fds:
                return
            kind, number, nbytes = GIVEN.unpack(data)
            if kind == b"c":
                threading.Thread(target=self.work, args=(socket.socket(fileno=fds[0]),), daemon=True).start()
            else:
                segment = mmap.mmap(fds[0], nbytes)
                os.close(fds[0])
                self.segments[number] = torch.frombuffer(segment, dtype=torch.uint8)  # it keeps the mapping
            sock.sendall(kind)

    def work(self, sock: socket.socket) -> None:
        """The thread of a channel: messages in order, and answers that may be sent together."""
        torch.set_grad_enabled(False)  # for this thread: the device only computes values
        inbox, out, sent = Inbox(sock, MOST_OF_JUDGE, descriptors=False), list[Buffer](), 0.0
        while True:
            found = inbox.take()
            if found is None or (out and time.monotonic() > sent + SECONDS_TOGETHER):
                if out:
                    sock.sendall(b"".join(out))
                    out.clear()
                sent = time.monotonic()
            if found is None:
                try:
                    inbox.fill()
                except EOFError:
                    return
                continue
            kind, body = found
            if kind <= Order.DROP:
                self._know(kind, body)
                continue
            try:
                answer = self._launch(body) if kind == Order.LAUNCH else self._obey(kind, body)
                if answer:
                    out += [HEAD.pack(len(answer), Answer.DONE), answer]
                else:
                    out.append(NOTHING if answer is None else DONE)
            except Exception as error:  # reported at the next wait, as on CUDA
                text = (str(error).strip() or type(error).__name__).encode()[:MOST_TEXT]
                out += [HEAD.pack(len(text), Answer.FAILED), text]
            del found, body

    def _know(self, kind: int, body: bytes) -> None:
        if kind == Order.DROP:
            for (number,) in NUMBER.iter_unpack(body):
                for things in (self.values, self.plans, self.results, self.segments):
                    if things.pop(number, None) is not None:  # type: ignore[attr-defined]
                        break
            return
        (number,) = NUMBER.unpack_from(body)
        if kind == Order.PLAN:
            if number not in self.plans:
                self.plans.setdefault(number, parse_plan(parse_json(body[NUMBER.size :])[0]))
        else:
            spec, fits = json.loads(body[NUMBER.size :])
            self.values.setdefault(number, Values(Spec.parse(spec) if spec else None, fits))

    def _called(self, body: bytes) -> tuple[Plan, list[Values], Any, list[torch.Tensor]]:
        plan = self.plans[NUMBER.unpack_from(body)[0]]
        given = plan.order.unpack(body)
        n = 1 + plan.storages
        m = n + len(plan.outs)
        values = self.values
        outs = [
            values.get(number) or values.setdefault(number, Values(spec))
            for number, spec in zip(given[n:m], plan.outs, strict=True)
        ]
        numbers, seed = (given[m:-1], int(given[-1])) if plan.random else (given[m:], 0)
        return plan, outs, *self.runner.run(plan, numbers, seed, [values[number] for number in given[1:n]])

    def _launch(self, body: bytes) -> bytes:
        plan, outs, result, tensors = self._called(body)
        self.runner.keep(plan, result, tensors, outs)
        return b""

    def _ask(self, body: bytes) -> bytes:
        """Run an operation whose result's shape depends on values, and answer with its shape or number."""
        _, outs, result, tensors = self._called(body)
        told: list[object] = []
        spare = iter(outs)
        addresses = {address_of(t.untyped_storage()) for t in tensors}
        for value in result if isinstance(result, tuple | list) else (result,):
            if isinstance(value, torch.Tensor):
                fresh = (
                    address_of(value.untyped_storage()) not in addresses and not value.is_conj() and not value.is_neg()
                )
                if not fresh or value.storage_offset():
                    value = value.clone(memory_format=torch.contiguous_format)
                place, spec = next(spare), Spec.of(value)
                place.spec, place.tensor = spec, value
                told.append({"tensor": spec.json()})
            else:
                told.append(value if not isinstance(value, complex) else [value.real, value.imag])
        return json.dumps(told).encode()

    def _obey(self, kind: int, body: bytes) -> Buffer | None:
        if kind == Order.ASK:
            return self._ask(body)
        head, payload = parse_json(body, MOST_OF_JUDGE)
        return self._known[head["do"]](head, payload)

    def _place(self, head: dict[str, Any], overwritten: bool = False) -> torch.Tensor:
        return self.values[head["storage"]].view(Spec.parse(head["spec"]), overwritten)

    def _write(self, head: dict[str, Any], payload: memoryview) -> bytes:
        place = self._place(head, overwritten=True)
        spec = Spec.parse(head["spec"])
        place.copy_(tensor_of(payload, spec))
        return b""

    def _read(self, head: dict[str, Any], payload: memoryview) -> Buffer | None:
        if head["peek"] and self.values[head["storage"]].tensor is None:
            return None
        value = self._place(head).contiguous()
        return bytes(bytes_of(value))

    def _host(self, head: dict[str, Any]) -> torch.Tensor:
        spec, offset = Spec.parse(head["spec"]), head["offset"]
        if not spec.numel:
            return torch.empty(spec.size, dtype=spec.dtype)
        nbytes = spec.numel * spec.dtype.itemsize
        return self.segments[head["segment"]][offset : offset + nbytes].view(spec.dtype).view(spec.size)

    def _from_host(self, head: dict[str, Any], payload: memoryview) -> bytes:
        self._place(head, overwritten=True).copy_(self._host(head))
        return b""

    def _to_host(self, head: dict[str, Any], payload: memoryview) -> bytes:
        self._host(head).copy_(self._place(head))
        return b""

    def _spoil(self, head: dict[str, Any], payload: memoryview) -> bytes:
        self.values[head["storage"]].spoil()
        return b""

    def _copy(self, head: dict[str, Any], payload: memoryview) -> bytes | None:
        copy = self.values[head["storage"]].copy()
        if copy is None:
            return None
        self.values[head["to"]] = copy
        return b""

    def _meet(self, head: dict[str, Any], payload: memoryview) -> bytes:
        ins = [[self.values[n].view(Spec.parse(spec)) for n, spec in places] for places in head["ins"]]
        self.results[head["to"]] = results_of(head["op"], head["reduce"], head["root"], ins)
        return b""

    def _take(self, head: dict[str, Any], payload: memoryview) -> bytes:
        values = self.results[head["of"]][head["rank"]]
        for (number, spec), value in zip(head["outs"], values, strict=True):
            write_result(head["op"], head["members"], self.values[number].view(Spec.parse(spec)), value)
        return b""

    def _replay(self, head: dict[str, Any], payload: memoryview) -> bytes | None:
        return self.replayer.replay(self.values, head, payload)
