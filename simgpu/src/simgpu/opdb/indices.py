"""``python -m simgpu.opdb.indices``: calls operations of PyTorch's database with indices that are out of range.

PyTorch's CPU kernels were not written for hostile indices.  Each sample that has a tensor of integers among its
arguments is run on the device with this tensor filled with numbers far out of range, below zero and above, and with one
such number at its end.  If the device ends, that is an abort, and the exit code is 1.
"""

import sys
import warnings
from typing import Any

import torch
from torch.utils._pytree import tree_leaves, tree_map

DEVICE = "simgpu"
FAR = 1 << 40, -(1 << 40), 10**6
MOST = 3  # samples of an entry
AT_ONCE, OURS, ATEN, RUNS = "the front end", "`checks.py`", "PyTorch's kernel", "nobody"
PAGE = """# Indices out of range

`python -m simgpu.opdb.indices` prints this page (torch 2.13.0+cpu). The command calls each operation of PyTorch's
database that takes tensors of integers. It sets all integers, or only the last one, to a number that is far above the
size of any array, or far below zero. The command fails if a call ends the device. The table says what checks the
integers:

- the front end, when the operation is enqueued;
- `checks.py` on the device, if PyTorch's kernel checks nothing;
- PyTorch's kernel;
- *nobody*: the call succeeds, because the operation treats the integers as plain numbers or brings them into range.

| operation | checked by |
|---|---|"""


def _corrupted(sample: Any, far: int, last: bool) -> tuple[Any, int]:
    """Return the sample's arguments on the device with all integers of tensors replaced, and their number."""
    count = 0

    def move(value: Any) -> Any:
        nonlocal count
        if not isinstance(value, torch.Tensor):
            return value
        value = value.detach().clone()
        if value.dtype in (torch.int64, torch.int32) and value.numel():
            count += 1
            bad = max(min(far, torch.iinfo(value.dtype).max), torch.iinfo(value.dtype).min)
            (value[(-1,) * value.dim()] if last else value).fill_(bad)
        return value.to(DEVICE)

    return tree_map(move, (sample.input, sample.args, sample.kwargs)), count


def _who(op: Any, sample: Any, far: int, last: bool) -> str:
    """Return what refused the indices; "" if the sample has no indices."""
    import simgpu

    (value, args, kwargs), count = _corrupted(sample, far, last)
    if not count:
        return ""
    gpu = torch.get_device_module(DEVICE)
    told = RUNS
    try:
        op(value, *args, **kwargs)
    except simgpu.LateError as error:
        return _late(error)
    except (IndexError, RuntimeError, ValueError, NotImplementedError, TypeError) as error:
        if isinstance(error, simgpu.DeviceLost):
            raise
        told = AT_ONCE
    try:
        gpu.synchronize()
    except simgpu.LateError as error:
        return _late(error)
    return told


def _late(error: Exception) -> str:
    return OURS if "are out of range: from" in str(error) else ATEN


def rows() -> list[tuple[str, str]]:
    """Return each entry that takes indices, and what checked them."""
    from torch.testing._internal.common_methods_invocations import op_db

    import simgpu

    found = []
    for op in op_db:
        if torch.float32 not in op.dtypes:
            continue
        told: set[str] = set()
        torch.manual_seed(0)
        try:
            samples = [sample for sample, _ in zip(op.sample_inputs("cpu", torch.float32), range(MOST), strict=False)]
        except Exception:
            continue
        for sample in samples:
            if any(
                isinstance(t, torch.Tensor) and t.dtype in (torch.int64, torch.int32)
                for t in tree_leaves((sample.input, sample.args, sample.kwargs))
            ):
                try:
                    told |= {who for far in FAR for last in (False, True) if (who := _who(op, sample, far, last))}
                except simgpu.DeviceLost:
                    raise SystemExit(f"{op.name}: the device has ended") from None
        if told:
            name = op.name + (f".{op.variant_test_name}" if op.variant_test_name else "")
            found.append((name, "; ".join(one for one in (AT_ONCE, OURS, ATEN, RUNS) if one in told)))
    return found


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    import simgpu

    torch.set_num_threads(1)
    simgpu.install()
    print(PAGE)
    for name, who in rows():
        print(f"| {name} | {who} |")
    sys.exit(0)
