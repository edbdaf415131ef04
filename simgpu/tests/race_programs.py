"""Random stream programs, an oracle for their races, and a way to run them.

A program is a list of steps, as the host issues them. The oracle knows nothing of vector clocks: it draws the graph of what comes
before what and looks for two conflicting steps without a path.
"""

import random
from dataclasses import dataclass, replace

import torch
from device import DEVICE, gpu, judge, wait_everywhere
from simgpu.front.link import link
from simgpu.front.waits import explicit_wait

SIZE = 8
ALL, NOTHING = -1, -2
"""How far the host waits for a stream, where it is not as far as a step."""


@dataclass(frozen=True)
class Step:
    """``write`` fills a buffer, ``read`` copies it to an output, ``wait`` lets ``stream`` wait for ``other``, ``join`` lets the host
    wait for ``stream`` as far as step ``other``, ``free`` drops a buffer (recorded on ``other`` or not at all), ``new`` allocates one in
    its place."""

    kind: str
    stream: int
    buffer: int = -1
    value: float = 0.0
    other: int = -1


Program = list[Step]


def reachable(program: Program) -> list[set[int]]:
    """For each step the steps that come before it whatever happens."""
    before: list[set[int]] = []
    last: dict[int, int] = {}
    host: set[int] = set()
    for i, step in enumerate(program):
        mine = set(host)
        if step.kind in ("write", "read", "new", "free", "join", "wait") and step.stream in last:
            mine |= before[last[step.stream]] | {last[step.stream]}
        if step.kind == "wait" and step.other in last:
            mine |= before[last[step.other]] | {last[step.other]}
        before.append(mine)
        if step.kind == "join" and step.other == ALL:
            host = mine | {i}
        elif step.kind == "join" and step.other != NOTHING:
            host = host | before[step.other] | {step.other}
        if step.kind in ("write", "read", "new", "wait"):
            last[step.stream] = i
    return before


def conflicts(program: Program) -> list[tuple[int, int]]:
    """Pairs of steps on one buffer, one of them a write, that nothing orders; and memory allocated again while in use."""
    before, found = reachable(program), []
    for j, later in enumerate(program):
        if later.kind not in ("write", "read", "new"):
            continue
        for i in range(j):
            first = program[i]
            if first.buffer != later.buffer or first.kind not in ("write", "read") or i in before[j]:
                continue
            freed = [k for k in range(i, j) if program[k].kind == "free" and program[k].buffer == later.buffer]
            if freed and (later.kind != "new" or program[freed[-1]].other == first.stream or len(freed) > 1):
                continue
            if not freed and "write" not in (first.kind, later.kind):
                continue
            found.append((i, j))
    return found


def sound(random_: random.Random, streams: int = 3, buffers: int = 3, length: int = 14) -> Program:
    """A program in which each step waits for what it conflicts with."""
    program: Program = []
    for n in range(length):
        kind = random_.choice(["write", "read", "read"])
        step = Step(kind, random_.randrange(streams), random_.randrange(buffers), float(n + 1))
        if n and random_.random() < 0.1:
            program.append(join(random_, program, random_.randrange(streams)))
        while bad := [i for i, j in conflicts([*program, step]) if j == len(program)]:
            program.append(Step("wait", step.stream, other=program[bad[-1]].stream))
        program.append(step)
    if random_.random() < 0.4:  # memory that is reused
        home, user = random_.sample(range(streams), 2)
        buffer = buffers
        program += [Step("new", home, buffer, -1.0), Step("write", home, buffer, 90.0), Step("wait", user, other=home)]
        program.append(Step("read", user, buffer))
        if random_.random() < 0.5:
            program.append(Step("free", home, buffer, other=user))
        else:
            program += [Step("wait", home, other=user), Step("free", home, buffer)]
        program += [Step("new", home, buffer, 91.0)]
    return program


def join(random_: random.Random, program: Program, stream: int) -> Step:
    """The host waits for a stream; half of the time only as far as one of its steps, or for nothing of it at all."""
    steps = [i for i, s in enumerate(program) if s.stream == stream and s.kind in ("write", "read")]
    return Step("join", stream, other=random_.choice([ALL] * (len(steps) + 1) + [NOTHING, *steps]))


def racy(random_: random.Random) -> Program:
    """A sound program with one wait, or one ``record_stream``, left out."""
    while True:
        program = sound(random_)
        places = [i for i, s in enumerate(program) if s.kind == "wait" or (s.kind == "free" and s.other >= 0)]
        random_.shuffle(places)
        for i in places:
            shifted = [replace(s, other=s.other - 1) if s.kind == "join" and s.other > i else s for s in program]
            less = [*shifted[:i], *shifted[i + 1 :]]
            if program[i].kind == "free":
                less = [*program[:i], replace(program[i], other=-1), *program[i + 1 :]]
            if showing(less):
                return less


def showing(program: Program) -> tuple[int, int] | None:
    """A pair whose wrong order shows in a value: a read beside the write before or behind it."""
    for i, j in conflicts(program):
        between = program[i + 1 : j]
        rewritten = any(s.kind in ("write", "new") and s.buffer == program[i].buffer for s in between)
        if rewritten or any(s.kind == "join" and (s.other == ALL or s.other >= i) for s in program[i:]):
            continue
        if {program[i].kind, program[j].kind} == {"read", "write"} or (
            program[i].kind == "read" and program[j].kind == "new"
        ):
            return i, j
    return None


def run(program: Program, hold: int | None = None) -> list[torch.Tensor]:
    """Run it on the device; what each read saw. ``hold`` keeps a stream from a step on until all other streams are done."""
    wait_everywhere()
    streams = sorted({s.stream for s in program})
    ours = {n: gpu.Stream() for n in streams}
    buffers: dict[int, torch.Tensor] = {}
    for step in program:
        if (
            step.kind in ("write", "read")
            and step.buffer not in buffers
            and not any(s.kind == "new" and s.buffer == step.buffer for s in program)
        ):
            buffers[step.buffer] = torch.zeros(SIZE, device=DEVICE)
    outs, numbers = [], dict[int, int]()
    wait_everywhere()
    start = judge.state().log
    for i, step in enumerate(program):
        if i == hold:
            judge.settle()
            judge.hold(stream=ours[step.stream].stream_id)
        stream = ours[step.stream]
        with gpu.stream(stream):
            if step.kind == "write":
                buffers[step.buffer].fill_(step.value)
            elif step.kind == "read":
                outs.append(buffers[step.buffer] + 0)
            elif step.kind == "wait":
                stream.wait_stream(ours[step.other])
            elif step.kind == "join" and step.other == ALL:
                stream.synchronize()
            elif step.kind == "join":
                explicit_wait("stream.synchronize", stream=stream.stream_id, upto=numbers.get(step.other, 0))
            elif step.kind == "free":
                if step.other >= 0:
                    buffers[step.buffer].record_stream(ours[step.other])
                del buffers[step.buffer]
            elif step.kind == "new":
                buffers[step.buffer] = torch.full((SIZE,), step.value, device=DEVICE)
        numbers[i] = link().number
    judge.settle()
    judge.release()
    entries = judge.log(start)
    wait_everywhere()
    return [o.cpu() for o in outs], entries


def expected(program: Program) -> list[float]:
    """What each read sees when the steps run one after the other."""
    values: dict[int, float] = {}
    seen = []
    for step in program:
        if step.kind in ("write", "new"):
            values[step.buffer] = step.value
        elif step.kind == "read":
            seen.append(values.get(step.buffer, 0.0))
    return seen
