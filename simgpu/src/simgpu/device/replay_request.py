"""The keeper's side of a replay: the kernel process's input, and checks of its answer (:mod:`.replay`)."""

import json
import math
from typing import Any

from simgpu.device.channel import Channel
from simgpu.device.plans import Launch
from simgpu.device.replay import MOST_TOLD
from simgpu.device.replay_tape import Step
from simgpu.device.state import State
from simgpu.frames import BadMessage, parse_json
from simgpu.wire import DTYPES, Spec, bytes_of

MOST_HEAD = 16 << 20
"""The most bytes of an answer's JSON."""
SECONDS = 10.0
"""How much longer than its child the kernel process may take."""
Answer = tuple[dict[str, Any], bytes]


def request_replay(state: State, head: dict[str, Any], payload: memoryview) -> Answer:
    """Run the tape of the last call on other inputs, in a child of the kernel process.

    Args:
        state: The state of the device, on which nothing runs.
        head: ``put``: pairs of a storage and the layout of its new values. ``host``: pairs of layouts, of an array that
            the judge gave to the host and of its replacement. ``read``: pairs of a storage and a layout. ``patch``:
            commands whose results alone come from the new inputs. ``seconds``: a limit of wall-clock time.
        payload: The values of ``put`` and ``host``.

    Returns:
        The layouts of the arrays of ``read`` and of the values reported to the host, with the other fields of a
        ``Replay``; and the arrays' bytes.

    Raises:
        TimeoutError: it takes longer.
        RuntimeError: there is no tape of a call.
        Failed: the child has failed.
    """
    tape = state.memory.tape
    tape.close()
    if not tape.whole:
        raise RuntimeError("the log of the call is empty or too long")
    started = {run.number: (run.start, run.number) for run in state.log.runs.since(tape.runs)}
    steps = sorted((s for s in tape.steps if s.number in started), key=lambda step: started[step.number])
    at, brought = state.kernels.own, bytearray()
    read = [(number, Spec.parse(spec), state.memory[number]) for number, spec in head["read"]]
    plans = {}
    for step in steps:
        if isinstance(step.what, Launch):
            plans[step.what.defined.thing.number] = parse_json(step.what.defined.told)[0]
    with at.lock:
        found = []
        for number, one in tape.found.items():
            spec = one.storage.spec.json() if one.storage.spec else None
            place = one.values.number if one.values else 0 if one.copied else at.tell(one.storage)
            found.append([number, spec, place, one.copied])
        told = {
            "steps": [_told(step, at, brought) for step in steps],
            "read": [[number, spec.json(), at.tell(storage)] for number, spec, storage in read],
        }
    room = sum(2 * spec.numel * spec.dtype.itemsize for _, spec, _ in read) + MOST_TOLD
    answer = at.ask(
        "replay", (), bytes(brought) + bytes(payload), MOST_HEAD + room, head["seconds"] + SECONDS, **told, found=found,
        plans=plans, allocated=[[number, spec.json()] for number, (spec, _) in tape.allocated.items()],
        freed=list(tape.freed), put=head["put"], host=head["host"], patch=head["patch"], seconds=head["seconds"],
    )  # fmt: skip
    if answer is None:
        raise TimeoutError("the replay takes too long")
    try:
        result, data = _parsed(answer, room)
    except (BadMessage, ValueError, TypeError, KeyError, RecursionError) as error:
        raise at.refuse("the answer to a replay is invalid") from error
    return result | {"left": len(tape.steps) - len(steps)}, data


def _told(step: Step, at: Channel, brought: bytearray) -> list[Any]:
    """Return a step for the kernel process; values of copies from the host are added to ``brought``."""
    what: Any = step.what
    if isinstance(what, Launch):
        what = [what.defined.thing.number, what.storages, what.made, what.numbers]
    elif step.kind in ("upload", "download"):
        what = [what[0], what[1].json()]
    spec = None
    for data in step.brought[:1]:
        whole = data.contiguous()
        spec = Spec.of(whole).json()
        brought += bytes_of(whole)
    return [step.kind, step.number, what, spec]


def _parsed(answer: bytes, room: int) -> Answer:
    """Parse the answer; each part must have the type that the judge expects.

    Raises:
        BadMessage: it is not.
    """
    length = int.from_bytes(answer[:4], "little")
    told, data = json.loads(answer[4 : 4 + length]), answer[4 + length :]
    layouts = [*told["read"], *told["told"]]
    nbytes = 0
    for name, size in layouts:
        if not all(type(n) is int and n >= 0 for n in size):
            raise BadMessage("invalid size in a replay")
        nbytes += DTYPES[name].itemsize * math.prod(size)
    texts = told["diverged"]
    if type(texts) is not list or not all(type(t) is str and len(t) <= 200 for t in texts):
        raise BadMessage("invalid text in a replay")
    if nbytes != len(data) or nbytes > room or len(told["told"]) % 2:
        raise BadMessage("wrong number of bytes in a replay")
    return {**{key: told[key] for key in ("read", "told", "diverged")}, "faithful": told["faithful"] is True}, data
