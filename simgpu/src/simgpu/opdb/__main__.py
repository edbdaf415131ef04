"""``python -m simgpu.opdb``: PyTorch's operator database on the device, compared with the CPU.

It needs expecttest, as the database does. Each worker is a process; one that dies is started again after the entry that
killed it, which is in the table as ``abort``.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LOST = 77
"""A worker's exit code when its device has ended."""


def _worker(options: argparse.Namespace) -> None:
    warnings.filterwarnings("ignore")
    if options.record:
        os.environ["SIMGPU_DEVICE_OPTIONS"] = f"--record-operations {options.record}"
    import torch
    from torch.testing._internal.common_methods_invocations import op_db

    import simgpu
    from simgpu import operations
    from simgpu.front import plans
    from simgpu.opdb import compare

    torch.set_num_threads(1)
    simgpu.install()
    if options.record:
        plans.ALLOWED = operations.Allowed(options.record)
    for place in range(options.first, len(op_db), options.every):
        op = op_db[place]
        dtype = getattr(torch, options.dtype)
        if dtype not in op.dtypes or (options.only and options.only not in op.name):
            continue
        print(json.dumps({"begin": place, "name": op.name}), flush=True)
        verdict = compare.entry(op, place, dtype, options.samples)
        if options.record:
            compare.variants(op, dtype, options.samples)
        print(json.dumps(verdict.json()), flush=True)
        if "DeviceLost" in verdict.why or (options.record and not _answers()):
            os._exit(LOST)


def _answers() -> bool:
    """Whether the device still answers."""
    import torch

    try:
        torch.get_device_module("simgpu").synchronize()
    except simgpu_lost():
        return False
    except RuntimeError:
        pass
    return True


def simgpu_lost() -> type[Exception]:
    """The error of a device that has ended."""
    import simgpu

    return simgpu.DeviceLost


def _run(options: argparse.Namespace, first: int) -> Iterator[dict[str, Any]]:
    """Return the verdicts of every n-th entry, even if a device ends on the way."""
    while True:
        own = [
            "--worker",
            "--first",
            str(first),
            "--every",
            str(options.every),
            "--dtype",
            options.dtype,
            "--samples",
            str(options.samples),
        ]
        own += ["--only", options.only] if options.only else []
        own += ["--record", str(options.record)] if options.record else []
        command = [sys.executable, "-m", "simgpu.opdb", *own]
        begun: dict[str, Any] | None = None
        last = first
        noise = tempfile.TemporaryFile("w+")
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=None if options.verbose else noise, text=True
        ) as process:
            assert process.stdout is not None
            for line in process.stdout:
                if not line.startswith("{"):
                    continue
                told = json.loads(line)
                if "begin" in told:
                    begun = told
                else:
                    begun, last = None, told["place"]
                    if options.verbose:
                        print(line, end="", file=sys.stderr)
                    yield told
            process.wait()
        noise.seek(0)
        said = noise.read().strip()
        if begun is None:
            if process.returncode == LOST:
                first = last + options.every
                continue
            if process.returncode:
                print(said, file=sys.stderr)
                raise SystemExit(f"the worker ended with {process.returncode} between two entries")
            return
        why = f"the process ended with {process.returncode}: {said[-150:]}"
        yield {
            "place": begun["begin"],
            "name": begun["name"],
            "dtype": options.dtype,
            "forward": "abort",
            "backward": "",
            "why": why,
        }
        first = begun["begin"] + options.every


def table(verdicts: list[dict[str, Any]]) -> str:
    """Return the counts, and each entry that is not equal, as Markdown."""
    forward = Counter(v["forward"] for v in verdicts)
    backward = Counter(v["backward"] for v in verdicts if v["backward"])
    settled = [v for v in verdicts if v["forward"] not in ("random", "none")]
    good = sum(v["forward"] == "equal" and v["backward"] in ("", "equal") for v in settled)
    lines = [
        f"{len(verdicts)} entries: forward {dict(forward.most_common())}, backward {dict(backward.most_common())}.",
        f"Equal forward and backward: {good} of {len(settled)} whose result is not random "
        f"({good / max(len(settled), 1):.1%}).",
        "",
        "| entry | dtype | forward | backward | why |",
        "|---|---|---|---|---|",
    ]
    for v in verdicts:
        if v["forward"] not in ("equal", "random", "none") or v["backward"] not in ("", "equal"):
            lines.append(
                f"| {v['name']} | {v['dtype']} | {v['forward']} | {v['backward']} "
                f"| {v['why'].replace('|', '/')[:140]} |"
            )
    return "\n".join(lines)


def main() -> None:
    """Print the table; exit with 1 if an entry is wrong, hung, aborted, or an error other than a refusal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dtype", default="float32")
    parser.add_argument("--samples", type=int, default=5, help="number of samples of each entry")
    parser.add_argument("--first", type=int, default=0, help="the entry to begin with")
    parser.add_argument("--every", type=int, default=1, help="run only every n-th entry")
    parser.add_argument("--only", default="", help="run only entries whose name contains this text")
    parser.add_argument(
        "--record",
        type=Path,
        help="permit operations off the allow list, and name them in this file",
    )
    parser.add_argument("--json", type=Path, help="also write the verdicts to this file")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        _worker(options)
        return
    verdicts = list(_run(options, options.first))
    print(table(verdicts))
    if options.json:
        options.json.write_text(json.dumps(verdicts))
    sys.exit(any(v[way] in ("wrong", "hung", "abort", "error") for v in verdicts for way in ("forward", "backward")))


if __name__ == "__main__":
    main()
