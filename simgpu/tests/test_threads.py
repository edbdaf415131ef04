"""Waits in threads: which of them hold the program up. CUDA has no gates; what is asked here is what a judge sees."""

import queue
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from device import DEVICE, gpu, judge, ready, value, wait_everywhere
from simgpu.front import threads
from simgpu.records import Entry

import simgpu
from simgpu import distributed

PATIENCE = 60  # seconds: what has not arrived by then never will


def called(function, until=None) -> tuple[bool, list[Entry]]:
    """Whether what a function has returned was computed at its end, while a wait opens just what it needs; the log.

    until: a kind of entry that a thread which is left behind makes sooner or later; else it may do what it likes for a
    moment.
    """
    wait_everywhere()
    judge.hold_until_waited_for()
    start = judge.state().log
    with simgpu.call():
        result = function()
    if until is None:
        time.sleep(0.2)
    end = time.monotonic() + PATIENCE
    while until is not None and all(entry.kind != until for entry in judge.log(start)) and time.monotonic() < end:
        judge.settle()
    judge.settle()
    seen = value(result) is not None, judge.log(start)
    judge.release()
    wait_everywhere()
    return seen


def product(x: torch.Tensor) -> torch.Tensor:
    for _ in range(20):
        x = x + 1
    return x


LEFT_BEHIND = {
    "synchronize": lambda y: gpu.synchronize(),
    "item": lambda y: y.sum().item(),
    "cpu": lambda y: y.cpu(),
    "print": lambda y: str(y),
    "nonzero": lambda y: y.nonzero(),
    "event": lambda y: gpu.current_stream().record_event().synchronize(),
    "query": lambda y: [gpu.current_stream().query() for _ in range(300)],
    "launch queue": lambda y: [y * 2 for _ in range(1500)],
}


@pytest.mark.parametrize("name", LEFT_BEHIND)
def test_a_wait_in_a_thread_that_nobody_waits_for_opens_nothing(name: str):
    x, left = ready(3, 3), []

    def function() -> torch.Tensor:
        y = product(x)
        left.append(threading.Thread(target=LEFT_BEHIND[name], args=(y,), daemon=True))
        left[0].start()
        return y

    computed, entries = called(function, until="aside")
    left[0].join()
    assert not computed
    assert [e for e in entries if e.kind in ("wait", "full")] == []
    assert [e.detail["thread"] > 0 for e in entries if e.kind == "aside"] == [True]


def joined(work) -> None:
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def with_a_limit(work) -> None:
    thread = threading.Thread(target=work)
    thread.start()
    while thread.is_alive():
        thread.join(0.005)


def looked_at(work) -> None:
    thread = threading.Thread(target=work)
    thread.start()
    while thread.is_alive():
        pass


def slept(work) -> None:
    thread = threading.Thread(target=work)
    thread.start()
    while thread.is_alive():
        time.sleep(0.002)


def told(work) -> None:
    done = queue.SimpleQueue()
    threading.Thread(target=lambda: done.put(work())).start()
    done.get()


def pooled(work) -> None:
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda _: work(), range(2)))


def nested(work) -> None:
    joined(lambda: joined(work))


@pytest.mark.parametrize("how", [joined, with_a_limit, looked_at, slept, told, pooled, nested])
@pytest.mark.parametrize("name", ["synchronize", "item", "query"])
def test_a_wait_in_a_thread_that_is_waited_for_is_one_of_the_program(how, name: str):
    x = ready(3, 3)

    def function() -> torch.Tensor:
        y = product(x)
        how(lambda: LEFT_BEHIND[name](y))
        return y

    computed, entries = called(function)
    assert computed
    waits = [e for e in entries if e.is_wait]
    assert waits
    assert all(e.detail["thread"] > 0 for e in waits)
    assert waits[0].detail["opened"]


def test_of_two_threads_the_one_for_the_older_work_opens_its_gate_first():
    x, side = ready(3, 3), gpu.Stream()

    def function() -> torch.Tensor:
        y = product(x)
        first = gpu.current_stream().record_event()
        with gpu.stream(side):
            z = x * 2
        last = side.record_event()
        late = threading.Thread(target=last.synchronize, daemon=True)
        late.start()
        while not any(e.kind == "aside" for e in judge.log(judge.state().log - 5)):
            pass
        joined(first.synchronize)
        left.append(late)
        return z + y.sum() * 0

    left: list[threading.Thread] = []
    computed, entries = called(function)
    left[0].join()
    assert not computed
    assert [e.name for e in entries if e.is_wait] == ["event.synchronize"]


def test_the_main_threads_own_waits_do_not_open_those_of_others():
    x, side = ready(3, 3), gpu.Stream()

    def function() -> torch.Tensor:
        with gpu.stream(side):
            y = product(x)
        thread = threading.Thread(target=side.synchronize, daemon=True)
        thread.start()
        left.append(thread)
        for _ in range(3):
            (x + 1).sum().item()
        return y

    left: list[threading.Thread] = []
    computed, _ = called(function)
    left[0].join()
    assert not computed


def test_ranks_are_waited_for_and_need_no_look():
    def function() -> torch.Tensor:
        return distributed.ranks(lambda rank: (torch.ones(3, device=DEVICE) * 2).sum().item(), 2) and x + 1

    x = ready(3)
    _, entries = called(function)
    assert [e.kind for e in entries if e.kind in ("wait", "aside")] == ["wait"] * 2


def test_without_gates_a_thread_waits_as_any_other_and_the_log_names_it():
    x, start = ready(3, 3), judge.state().log
    joined(lambda: product(x).sum().item())
    (entry,) = [e for e in judge.log(start) if e.is_wait]
    assert entry.detail["thread"] > 0
    assert threads.LOCAL.number == 0


def as_main(work) -> None:
    """In a thread that says of itself that it is the main one."""

    def lying() -> None:
        threads.LOCAL.number = 0
        work()

    threading.Thread(target=lying, daemon=True).start()


def at_once(work) -> None:
    """In a thread that says without a look that the program stands still."""

    def lying() -> None:
        threads.Looks.stand_still = lambda self, said: True
        work()

    threading.Thread(target=lying, daemon=True).start()


@pytest.mark.parametrize("how", [as_main, at_once])
@pytest.mark.parametrize("name", ["synchronize", "item", "query"])
def test_a_wait_opens_nothing_while_the_program_goes_on_whatever_its_thread_says(how, name: str, monkeypatch):
    monkeypatch.setattr(threads.Looks, "stand_still", threads.Looks.stand_still)
    x, places = ready(3, 3), []

    def function() -> torch.Tensor:
        y = product(x)
        before = judge.state().number
        how(lambda: LEFT_BEHIND[name](y))
        for _ in range(100):  # without a sleep, as in a loop that continues
            places.append(judge.state())
            simgpu.mark("goes on")
            x + 1
        assert judge.state().number > before
        return y

    called(function)
    assert all(state.pending_commands for state in places)


def test_a_wait_of_the_main_thread_opens_its_gate_while_another_one_never_rests():
    x, ended = ready(3, 3), threading.Event()

    def noise() -> None:
        while not ended.is_set():
            simgpu.mark("noise")

    def function() -> torch.Tensor:
        y = product(x)
        threading.Thread(target=noise, daemon=True).start()
        gpu.synchronize()
        ended.set()
        return y

    computed, entries = called(function)
    assert computed
    assert [e.name for e in entries if e.is_wait] == ["synchronize"]
