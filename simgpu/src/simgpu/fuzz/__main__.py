"""``python -m simgpu.fuzz``: every operation that the device runs, with hostile arguments, under guard pages.

For each overload of the allow list, a child process calls the kernel as the device does, after the same checks. The
arguments are changed from valid ones: sizes, strides, types, integers and floats far out of range, one tensor in place
of another. Each storage is between pages that must not be touched, and arguments that the schema does not mark as
written are read-only. A child that dies of a signal, or has written outside a storage, is a finding; then the exit code
is 1.
"""

import argparse
import contextlib
import faulthandler
import mmap
import os
import random
import re
import resource
import signal
import sys
import time
import traceback
import warnings
from collections import Counter
from typing import Any

import torch
from torch.utils._pytree import tree_flatten, tree_unflatten

from simgpu import operations
from simgpu.device import checks, own_kernels
from simgpu.fuzz.guard import Guard, OutOfBounds
from simgpu.fuzz.seeds import Call, recorded

SECONDS = 2
"""A limit for one call; exceeding it is no finding, because the device's sandbox limits its time."""
MEMORY = 6 << 30
INTEGERS = (
    -1,
    0,
    1,
    2,
    3,
    7,
    64,
    1000,
    1 << 20,
    (1 << 31) - 1,
    -(1 << 31),
    1 << 32,
    1 << 40,
    -(1 << 40),
    (1 << 63) - 1,
    -(1 << 63),
)
FLOATS = float("nan"), float("inf"), -float("inf"), -1.0, 0.0, 1.0, 2.5, 1e30, -1e30, 1e-40
TYPES = torch.float32, torch.float64, torch.float16, torch.int64, torch.int32, torch.uint8, torch.bool, torch.complex64


class Case:
    """One call, drawn.

    Args:
        seeds: Right calls of the overload.
        draw: Says everything about it.
    """

    def __init__(self, seeds: list[Call], draw: random.Random) -> None:
        self.draw = draw
        self.leaves, self.tree = tree_flatten(draw.choice(seeds), is_leaf=lambda v: v is None)
        for _ in range(draw.choice((1, 1, 1, 2, 2, 3, 5))):
            self._change()

    def call(self) -> Call:
        """Return the arguments in new storages."""
        made: dict[int, torch.Tensor] = {}
        leaves = [made.setdefault(id(v), _laid_out(v)) if isinstance(v, torch.Tensor) else v for v in self.leaves]
        args, kwargs = tree_unflatten(leaves, self.tree)
        return list(args), dict(kwargs)

    def _change(self) -> None:
        draw = self.draw
        if not self.leaves:
            return
        place = draw.randrange(len(self.leaves))
        value = self.leaves[place]
        if isinstance(value, torch.Tensor):
            self.leaves[place] = self._tensor(value)
        elif isinstance(value, bool):
            self.leaves[place] = not value
        elif isinstance(value, int):
            self.leaves[place] = draw.choice((*INTEGERS, value + 1, value - 1, value * 2))
        elif isinstance(value, float):
            self.leaves[place] = draw.choice(FLOATS)
        elif value is None:
            tensors = [v for v in self.leaves if isinstance(v, torch.Tensor)]
            self.leaves[place] = draw.choice([*tensors, draw.choice(INTEGERS), None])

    def _tensor(self, value: torch.Tensor) -> Any:
        draw = self.draw
        match draw.randrange(8):
            case 0 | 1:
                return self._filled(value)
            case 2 | 3 | 4:
                return self._reshaped(value)
            case 5:
                return _with_strides(value, draw)
            case 6:
                return value.to(draw.choice(TYPES))
        others = [v for v in self.leaves if isinstance(v, torch.Tensor)]
        return draw.choice([*others, None])

    def _filled(self, value: torch.Tensor) -> torch.Tensor:
        draw, value = self.draw, value.clone()
        if not value.numel():
            return value
        if value.dtype == torch.bool:
            return ~value
        if value.is_floating_point() or value.is_complex():
            number: Any = draw.choice(FLOATS)
        else:
            limits = torch.iinfo(value.dtype)
            number = max(min(draw.choice((*INTEGERS, *value.shape)), limits.max), limits.min)
        part = draw.choice([value, value.view(-1)[-1:], value.view(-1)[:1]])
        part.fill_(number)
        return value

    def _reshaped(self, value: torch.Tensor) -> torch.Tensor:
        draw, size = self.draw, list(value.shape)
        match draw.randrange(5):
            case 0 if size:
                del size[draw.randrange(len(size))]
            case 1:
                size.insert(draw.randrange(len(size) + 1), draw.choice((0, 1, 2, 3)))
            case 2:
                size = draw.choice(([], [0], [1], [3], [70_000]))
            case _ if size:
                n = draw.randrange(len(size))
                size[n] = draw.choice((0, 1, 2, size[n] + 1, size[n] - 1, 2 * size[n], 1000, 70_000))
        if any(n < 0 for n in size) or torch.Size(size).numel() > 1 << 21:
            return value
        flat, count = value.reshape(-1), torch.Size(size).numel()
        if not flat.numel():
            return torch.zeros(size, dtype=value.dtype)
        return flat.repeat(-(-count // flat.numel()))[:count].view(size)


def _with_strides(value: torch.Tensor, draw: random.Random) -> torch.Tensor:
    if not value.dim() or not value.numel():
        return value
    match draw.randrange(3):
        case 0:
            n = draw.randrange(value.dim())
            return value.narrow(n, 0, 1).expand(value.shape)
        case 1:
            order = list(range(value.dim()))
            draw.shuffle(order)
            return value.permute([order.index(n) for n in range(value.dim())]).contiguous().permute(order)
    wide = torch.stack([value] * 3, -1)
    return wide[..., 2]


def _laid_out(value: torch.Tensor) -> torch.Tensor:
    """Return a copy in a storage that ends with the tensor's last element."""
    if not value.numel():
        return torch.empty_strided(value.shape, value.stride(), dtype=value.dtype)
    extent = 1 + sum((n - 1) * s for n, s in zip(value.shape, value.stride(), strict=True))
    base = torch.empty(extent, dtype=value.dtype)
    base.copy_(value.as_strided((extent,), (1,), value.storage_offset()))
    return base.as_strided(value.shape, value.stride())


def told(call: Any) -> str:
    """Return a call as one line of text."""
    if isinstance(call, torch.Tensor):
        dtype = str(call.dtype).removeprefix("torch.")
        values = ""
        if call.numel() and not call.is_complex():
            values = f" {call.min().item():g}..{call.max().item():g}"
        strides = "" if call.is_contiguous() else f" strides {list(call.stride())}"
        return f"{dtype}{list(call.shape)}{strides}{values}"
    if isinstance(call, dict):
        return ", ".join(f"{k}={told(v)}" for k, v in call.items())
    if isinstance(call, list | tuple):
        return f"[{', '.join(map(told, call))}]"
    return repr(call)


def _written(op: torch._ops.OpOverload, args: list[Any], kwargs: dict[str, Any]) -> set[int]:
    """Return addresses of storages that are written according to the schema."""
    found = set()
    for argument, value in operations.arguments(op, args, kwargs):
        if argument.is_written:
            for t in value if isinstance(value, list) else [value]:
                if isinstance(t, torch.Tensor):
                    found.add(t.untyped_storage().data_ptr())
    return found


def _call(op: torch._ops.OpOverload, args: list[Any], kwargs: dict[str, Any], checked: bool) -> None:
    """Call the kernel as the device does."""
    outs = [a.name for a in op._schema.arguments if a.is_out and isinstance(kwargs.get(a.name), torch.Tensor)]
    given = kwargs | {name: torch.empty_like(kwargs[name]) for name in outs}
    if checked:
        args, given = checks.checked(op, args, given)
    own_kernels.BY_NAME.get(str(op), op)(*args, **given)
    for name in outs:
        if given[name].shape == kwargs[name].shape:
            kwargs[name].copy_(given[name])


def child(name: str, seeds: list[Call], first: int, options: argparse.Namespace, board: mmap.mmap) -> None:
    """Make calls from this number on; the shared board has the number of the running one."""
    faulthandler.disable()
    sys.stderr.flush()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    op = operations.overload(name)
    guard = Guard(at_end=first % 2 == 0)
    counts = Counter[str]()
    for number in range(first, options.calls):
        draw = random.Random(f"{options.seed} {name} {number}")
        try:
            case = Case(seeds, draw)
            args, kwargs = case.call()
            tensors = [v for v in tree_flatten((args, kwargs))[0] if isinstance(v, torch.Tensor)]
            said = told((args, kwargs)).encode()[:3000]
        except (RuntimeError, TypeError, ValueError, IndexError):
            continue
        board.seek(0)
        board.write(number.to_bytes(8, "little") + len(said).to_bytes(8, "little") + said)
        written = _written(op, args, kwargs)
        shut = [t for t in tensors if t.untyped_storage().data_ptr() not in written]
        for t in shut:
            guard.read_only(t, True)
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        try:
            with torch.no_grad():
                _call(op, args, kwargs, checked=not options.unchecked)
            counts["ran"] += 1
        except (Exception, OutOfBounds) as error:
            counts[f"refused {type(error).__name__}"] += 1
        signal.setitimer(signal.ITIMER_REAL, 0)
        for t in shut:
            guard.read_only(t, False)
        try:
            guard.check()
        except OutOfBounds:
            os._exit(7)
        del args, kwargs, tensors, shut, case
    board.seek(0)
    board.write(options.calls.to_bytes(8, "little") + counts["ran"].to_bytes(8, "little"))
    os._exit(0)


def fuzz(name: str, seeds: list[Call], options: argparse.Namespace, board: mmap.mmap) -> tuple[list[str], int]:
    """All calls of an overload.

    Returns:
        Findings, and how many calls ended well after the last of them.
    """
    findings: list[str] = []
    first = 0
    while first < options.calls:
        board[:16] = first.to_bytes(8, "little") + bytes(8)
        process = os.fork()
        if not process:
            try:
                child(name, seeds, first, options, board)
            except BaseException:
                traceback.print_exc(file=sys.stdout)
                sys.stdout.flush()
            finally:
                os._exit(9)
        _, status = os.waitpid(process, 0)
        code = os.waitstatus_to_exitcode(status)
        number, size = (int.from_bytes(board[n : n + 8], "little") for n in (0, 8))
        if code == 0:
            return findings, size
        if code not in (-signal.SIGALRM, -signal.SIGKILL):
            how = "wrote beside a storage" if code == 7 else signal.Signals(-code).name if code < 0 else f"code {code}"
            findings.append(f"{name} #{number}: {how}: {board[16 : 16 + size].decode(errors='replace')}")
            if len(findings) >= options.most:
                break
        first = number + 1
    return findings, 0


def main() -> None:
    """Print findings, one a line, and a summary."""
    parser = argparse.ArgumentParser(prog="python -m simgpu.fuzz", description=__doc__)
    parser.add_argument("--calls", type=int, default=300, help="number of calls of each overload")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="a regular expression for names of overloads")
    parser.add_argument("--most", type=int, default=2, help="findings after which the next overload is called")
    parser.add_argument("--unchecked", action="store_true", help="leave out the checks, to see what they prevent")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    names = sorted(n for n in operations.Allowed().names if re.search(options.only, n))
    seeds = recorded(operations.Allowed().names if len(names) > 40 else set(names))
    board = mmap.mmap(-1, 1 << 14)
    found: list[str] = []
    calls = overloads = 0
    start = time.monotonic()
    for name in names:
        findings, ran = fuzz(name, seeds[name], options, board)
        calls += ran
        overloads += bool(ran)
        for line in findings:
            print(line, flush=True)
        found += findings
    with contextlib.suppress(BrokenPipeError):
        print(
            f"{len(names)} overloads, {options.calls} calls each; {calls} calls of {overloads} ran to their end; "
            f"findings in {len({f.split()[0] for f in found})} overloads; {time.monotonic() - start:.0f} s"
        )
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
