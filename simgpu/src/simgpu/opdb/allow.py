"""``python -m simgpu.opdb.allow RECORD``: makes the allow list from a recording.

With an overload come its packet's other overloads and its in-place form, where the CPU has a kernel for them: they
are the same
kernel with another way to say the arguments or the place of the result.
"""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import torch

from simgpu import operations
from simgpu.device import own_kernels


def _packets(name: str) -> Iterator[torch._ops.OpOverloadPacket]:
    for packet in (name, f"{name}_", name.removesuffix("_")):
        found = getattr(torch.ops.aten, packet, None)
        if isinstance(found, torch._ops.OpOverloadPacket):
            yield found


def _has_kernel(op: torch._ops.OpOverload) -> bool:
    if str(op) in own_kernels.BY_NAME:
        return True
    try:
        return bool(torch._C._dispatch_has_computed_kernel_for_dispatch_key(op.name(), "CPU"))
    except RuntimeError:  # TorchScript's own overloads, on numbers
        return False


def allowed(recorded: Iterable[str]) -> list[str]:
    """Return the sorted list."""
    names = set()
    for line in recorded:
        match = operations.NAME.fullmatch(line)
        if match is None or not operations.may_stand_in_a_list(line):
            continue
        for packet in _packets(match[1]):
            for overload in packet.overloads():
                if "name" in overload.lower():  # named tensors
                    continue
                op = getattr(packet, overload)
                if _has_kernel(op) and operations.may_stand_in_a_list(str(op)):
                    names.add(str(op))
    return sorted(names)


if __name__ == "__main__":
    print("\n".join(allowed(Path(sys.argv[1]).read_text().split())))
