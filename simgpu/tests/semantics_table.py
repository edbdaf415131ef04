"""Writes the pages that the tests and the source decide: ``python tests/semantics_table.py FOLDER`` in simgpu/.

semantics.md has the rows of CUDA's semantics, assertions.md those of PyTorch's own tests, functions.md the names of
``torch.cuda``.
"""

import contextlib
import io
import sys
from pathlib import Path

import pytest


class Collector:
    """Pytest's plugin that keeps the marks."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, tuple[str, ...]], list[str]] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            for mark in item.iter_markers():
                if mark.name in ("cuda", "pytorch"):
                    identity = item.nodeid.partition("[")[0]
                    ids = self.rows.setdefault((mark.name, mark.args), [])
                    if identity not in ids:
                        ids.append(identity)

    def of(self, name: str) -> dict[tuple[str, ...], str]:
        """The rows of one mark, with their tests."""
        return {args: ", ".join(f"`{i}`" for i in ids) for (mark, args), ids in self.rows.items() if mark == name}


def pages() -> dict[str, str]:
    """Each page by its name."""
    collector = Collector()
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider", "tests"], plugins=[collector])
    return {
        "semantics.md": semantics(collector.of("cuda")),
        "assertions.md": assertions(collector.of("pytorch")),
        "functions.md": functions(),
    }


def semantics(rows: dict[tuple[str, ...], str]) -> str:
    """The rows of CUDA's semantics."""
    lines = [
        "# Semantics of CUDA and simgpu",
        "",
        "`make simgpu-docs` generates this page from the tests that it names. A *late* error is raised at a later wait. "
        "A judge's *gate* [holds work back](judge.md#gates-log-and-memory) until the judge or a wait of the host opens it. "
        "Rows about held work apply only while a gate is closed.",
        "",
        "| CUDA | source | simgpu | test |",
        "|---|---|---|---|",
        *(f"| {' | '.join(args)} | {tests} |" for args, tests in rows.items()),
    ]
    return "\n".join(lines) + "\n"


def assertions(rows: dict[tuple[str, ...], str]) -> str:
    """What of PyTorch's own tests holds."""
    from test_pytorch_assertions import LIMITS, NOT_APPLICABLE

    lines = [
        "# What PyTorch's own tests assert",
        "",
        "The table lists PyTorch's tests of asynchronous devices (`test/test_accelerator.py`, `test/test_cuda.py`, and "
        "the tests of streams and events in `torch_openreg`), and says what holds on simgpu. `make simgpu-docs` "
        "generates this page.",
        "",
        "| PyTorch's test | simgpu | simgpu's test, or the reason |",
        "|---|---|---|",
        *(f"| {args[0]} | holds | {tests} |" for args, tests in rows.items()),
        *(f"| {name} | limit | {why} |" for name, why in LIMITS.items()),
        *(f"| {name} | not applicable | {why} |" for name, why in NOT_APPLICABLE.items()),
    ]
    return "\n".join(lines) + "\n"


def functions() -> str:
    """The names of ``torch.cuda``."""
    from simgpu.front import cuda_gaps
    from simgpu.front.module import DeviceModule

    here = sorted(n for n in dir(DeviceModule) if not n.startswith("_"))
    lines = [
        "# Names of torch.cuda",
        "",
        "`torch.get_device_module(\"simgpu\")` has these names of `torch.cuda`. After `simgpu.as_cuda()`, `torch.cuda` "
        "also has them. `make simgpu-docs` generates this page.",
        "",
        f"{', '.join(f'`{name}`' for name in here)}.",
        "",
        "The following names raise `NotImplementedError` with the name and the reason, and `hasattr(gpu, name)` is False. "
        "After `simgpu.as_cuda()`, `hasattr(torch.cuda, name)` is True if PyTorch has the name, and calling it raises the "
        "error. So do the functions and classes of modules such as `nccl`. Exceptions, `amp`, and tensor types without complex numbers, such as `FloatTensor`, work.",
        "",
        "| names | reason |",
        "|---|---|",
        *(f"| {', '.join(f'`{n}`' for n in names.split())} | {why} |" for why, names in cuda_gaps.REASONS.items()),
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for name, page in pages().items():
        (Path(sys.argv[1]) / name).write_text(page)
