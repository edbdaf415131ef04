"""Runs the tests of simgpu on pairs of Python and PyTorch, and writes the table of simgpu/docs/versions.md.

A pair that this machine cannot install stays "not run", with the reason. Other rows of the table stay as they are.
"""

import argparse
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SIMGPU, PAGE, FOLDER = ROOT / "simgpu", ROOT / "simgpu" / "docs" / "versions.md", ROOT / "build" / "simgpu-matrix"
PAIRS = ["3.10 2.10", "3.11 2.11", "3.12 2.12", "3.11 2.13", "3.11 2.14", "3.13 2.15", "3.14 2.15"]
TESTS = ["contract", "test_semantics.py", "test_memory.py", "test_breadth.py", "test_as_cuda.py"]
ROW = "| {python} | {torch} | {system} | {state} |"


def _uv() -> str:
    found = shutil.which("uv") or shutil.which("uv", path=str(ROOT / ".venv" / "bin"))
    if found is None:
        sys.exit("simgpu-matrix: uv is missing: run make setup, or pip install uv")
    return found


def environment(pair: str, backend: str) -> Path | str:
    """Return the Python of a pair's environment, created if missing; or why that fails."""
    python, torch = pair.split()
    folder = FOLDER / f"py{python}-torch{torch}"
    made = folder / "bin" / "python"
    if (folder / "made").exists():
        return made
    packages = [f"torch=={torch}.*", "numpy", "pytest", "expecttest", "psutil", "setuptools"]
    backends = ["--torch-backend", backend] if backend else []
    commands = [
        [_uv(), "venv", "--quiet", "--no-project", "--clear", "--seed", "--python", python, str(folder)],
        [_uv(), "pip", "install", "--quiet", "--python", str(made), *backends, *packages],
    ]
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode and made.exists() and not backend:  # pip's configuration may name mirrors that uv does not read
        done = subprocess.run([str(made), "-m", "pip", "install", "-q", *packages], capture_output=True, text=True)
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        return "not run: cannot be installed here: " + (lines[0] if lines else "no reason given").strip()[:120]
    (folder / "made").touch()
    return made


def tested(python: Path) -> tuple[str, str]:
    """Return the PyTorch version, and the state for the table."""
    names = "import torch; print(torch.__version__)"
    version = subprocess.run([python, "-c", names], capture_output=True, text=True, check=True).stdout.strip()
    tests = [f"tests/{name}" for name in TESTS]
    done = subprocess.run(
        [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--no-header", *tests],
        capture_output=True,
        text=True,
        cwd=SIMGPU,
        env={"PYTHONPATH": "src", "PATH": "/usr/bin:/bin", "OMP_NUM_THREADS": "1"},
    )
    lines = done.stdout.splitlines()
    print(*lines[-40:], sep="\n")
    counts = re.findall(r"(\d+) (passed|failed|skipped|errors?)", lines[-1] if lines else "")
    failed = sorted({m[1] for line in lines if (m := re.match(r"(?:FAILED|ERROR) \S+::(\w+)", line))})
    state = ", ".join(f"{n} {what}" for n, what in sorted(counts, key=lambda c: c[1] != "passed")) or "ended early"
    return version, state + (f": {', '.join(f'`{name}`' for name in failed)}" if failed else "")


def write(rows: dict[str, str]) -> None:
    """Put rows of these pairs into the table."""
    text = PAGE.read_text()
    head, table, tail = re.split(r"<!-- (?:begin|end) of the table -->\n", text)
    for line in table.splitlines()[2:]:
        python, torch = (cell.strip() for cell in line.split("|")[1:3])
        pair = f"{python} {'.'.join(torch.split('.')[:2])}"
        rows.setdefault(pair, line)
    ordered = [rows[pair] for pair in PAIRS if pair in rows] + [row for pair, row in rows.items() if pair not in PAIRS]
    lines = ["| Python | PyTorch | system | result |", "|---|---|---|---|", *ordered]
    PAGE.write_text(f"{head}<!-- begin of the table -->\n" + "\n".join(lines) + f"\n<!-- end of the table -->\n{tail}")


def main() -> None:
    """``make simgpu-matrix ARGS="..."``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "pairs",
        nargs="*",
        default=PAIRS,
        help='Python and PyTorch, such as "3.13 2.15"; all pairs of the table, if none is named',
    )
    parser.add_argument(
        "--backend", default="cpu", help='the value of --torch-backend for uv pip install; "" takes the usual build'
    )
    options = parser.parse_args()
    for pair in options.pairs:
        python, torch = pair.split()
        system = f"{platform.system()} {platform.machine()}"
        found = environment(pair, options.backend)
        state = found
        if isinstance(found, Path):
            torch, state = tested(found)
        row = ROW.format(python=python, torch=torch, system=system, state=state)
        print(row)
        write({pair: row})


if __name__ == "__main__":
    main()
