"""What works on this machine, as a row of the table in docs/versions.md: ``python -m simgpu.report``.

Each check is a small program. The row goes to the standard output, and what failed to the standard error.
"""

import os
import platform
import subprocess
import sys
import traceback
from collections.abc import Callable

import torch

import simgpu
from simgpu import system
from simgpu.front.link import link

DEVICE = "simgpu"
HEAD = "| Python | PyTorch | system | connection | result |\n|---|---|---|---|---|"
PROGRAM = (
    "import torch; x = torch.ones(3, device='cuda'); torch.cuda.synchronize(); print(x.device, x.sum().item(), "
    "torch.cuda.is_available())"
)
Check = Callable[[], None]


def computes() -> None:
    """Values, gradients and random numbers are the CPU's."""
    x = torch.arange(6.0).view(2, 3)
    theirs, ours = x.clone().requires_grad_(), x.to(DEVICE).requires_grad_()
    for leaf in (theirs, ours):
        (leaf @ leaf.T).relu().sum().backward()
    assert ours.grad is not None and theirs.grad is not None
    torch.testing.assert_close(ours.grad.cpu(), theirs.grad)


def runs_later() -> None:
    """Operations return before they run."""
    gpu, judge = simgpu.install(), simgpu.control()
    x = torch.ones(8, device=DEVICE)
    gpu.synchronize()
    judge.hold()
    y = x + 1
    pending = not gpu.current_stream().query()
    judge.release()
    assert pending and y.tolist() == [2.0] * 8


def copies_pinned_memory() -> None:
    """A copy of pinned memory reads it when it runs, on a stream of its own, and an event orders it."""
    gpu, judge = simgpu.install(), simgpu.control()
    batch, side = torch.zeros(1 << 16).pin_memory(), gpu.Stream()
    judge.hold()
    with gpu.stream(side):
        x = batch.to(DEVICE, non_blocking=True)
        copied = side.record_event()
    batch.fill_(3.0)
    gpu.current_stream().wait_event(copied)
    y = x * 2
    judge.release()
    assert y.cpu().eq(6.0).all()


def shows_a_race() -> None:
    """Without an event, the same program is a race, every time."""
    gpu, judge = simgpu.install(), simgpu.control()
    side = gpu.Stream()
    gpu.synchronize()
    judge.hold(stream=side.stream_id)
    with gpu.stream(side):
        x = torch.ones(4, device=DEVICE)
    early = (x + 1).isnan().all().item()
    judge.release()
    assert early


def counts_memory() -> None:
    """A full device raises an error at once, and can still be used."""
    gpu = simgpu.install()
    try:
        torch.empty(1 << 44, dtype=torch.uint8, device=DEVICE)
    except torch.OutOfMemoryError:
        pass
    else:
        raise AssertionError("a device of a few GiB has given 16 TiB")
    before = gpu.memory_allocated()
    x = torch.empty(1 << 20, device=DEVICE)
    assert gpu.memory_allocated() - before == x.nbytes


def reports_errors_late() -> None:
    """A kernel's error arrives at the next wait."""
    x = torch.ones(4, device=DEVICE)
    y = x[torch.tensor([9]).to(DEVICE)]
    try:
        y.sum().item()
    except simgpu.LateError:
        return
    raise AssertionError("an index out of bounds was not reported")


def trains_on_two_devices() -> None:
    """DistributedDataParallel with two ranks averages gradients."""
    from torch.nn.parallel import DistributedDataParallel

    from simgpu.distributed import ranks

    def work(rank: int) -> list[float]:
        simgpu.install().set_device(rank)
        torch.manual_seed(0)
        net = DistributedDataParallel(torch.nn.Linear(2, 1).to(DEVICE))
        net(torch.full((1, 2), float(rank)).to(DEVICE)).sum().backward()
        found: list[float] = net.module.weight.grad.flatten().tolist()
        return found

    assert ranks(work, 2) == [[0.5, 0.5]] * 2


def draws_a_timeline() -> None:
    """The picture of a notebook, and its text."""
    before = simgpu.timeline()
    torch.ones(3, device=DEVICE).sum().item()
    seen = simgpu.timeline(before)
    assert "item" in seen.describe() and "<svg" in seen._repr_html_()


def runs_programs_for_cuda() -> None:
    """A program that says "cuda", in a separate process."""
    # A GPU stays hidden once PyTorch has looked for it, and as_cuda() would hide its own devices.
    program = f"import os, simgpu; del os.environ['CUDA_VISIBLE_DEVICES']; simgpu.as_cuda(); {PROGRAM}"
    environment = dict(os.environ, CUDA_VISIBLE_DEVICES="")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
    assert done.stdout.split() == ["cuda:0", "3.0", "True"], done.stderr


CHECKS: tuple[Check, ...] = (
    computes, runs_later, copies_pinned_memory, shows_a_race, counts_memory, reports_errors_late,
    trains_on_two_devices, draws_a_timeline, runs_programs_for_cuda,
)  # fmt: skip


def row(checks: tuple[Check, ...] = CHECKS) -> tuple[str, bool]:
    """Run the checks.

    Returns:
        A row of the table, and whether all passed.
    """
    simgpu.install()
    failed = []
    for check in checks:
        try:
            check()
        except Exception:
            failed.append(check.__name__)
            print(f"{check.__name__} failed:\n{traceback.format_exc()}", file=sys.stderr)
    names = ", ".join(f"`{name}`" for name in failed)
    state = f"{len(checks) - len(failed)} passed" + (f", {len(failed)} failed: {names}" if failed else "")
    connection = "Unix sockets" if system.is_unix(link().socket) else "TCP"
    machine = f"{_name()} {platform.machine()}"
    cells = platform.python_version(), torch.__version__, machine, connection, f"`simgpu.report`: {state}"
    return f"| {' | '.join(cells)} |", not failed


def _name() -> str:
    """Return the system's name, and the notebook's service."""
    services = {"COLAB_RELEASE_TAG": "Colab", "KAGGLE_KERNEL_RUN_TYPE": "Kaggle", "CODESPACES": "Codespaces"}
    service = [f"{name}, " for variable, name in services.items() if variable in os.environ]
    version = platform.mac_ver()[0] or platform.win32_ver()[0]
    return "".join(service) + " ".join(part for part in (platform.system(), version) if part)


def main() -> None:
    """Print the table's head and this machine's row.

    Raises:
        SystemExit: with 1, if a check failed.
    """
    found, passed = row()
    print(HEAD, found, sep="\n")
    sys.exit(not passed)


if __name__ == "__main__":
    main()
