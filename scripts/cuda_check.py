"""Runs simgpu and a CUDA card side by side, and writes their results into docs/results/cuda.md.

    make cuda-check               simgpu, and the card if PyTorch finds one
    make cuda-check ARGS=--trial  with `simgpu.as_cuda()` as the card, into build/cuda.md: a trial of this script

It needs a PyTorch for CUDA, NumPy and Matplotlib, and no other part of the course: on a machine with a card, run
``python scripts/cuda_check.py``. Separate processes make each column; they are killed after ten minutes.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE, TRIAL = ROOT / "docs" / "results" / "cuda.md", ROOT / "build" / "cuda.md"
NOTEBOOKS = sorted(ROOT.glob("source/torch_*/*.ipynb"))
SECONDS = 600
NOT_RUN = "not run"
CARD = """
import json, torch
found = {}
if torch.cuda.is_available():
    found = {"name": torch.cuda.get_device_name(), "cuda": torch.version.cuda, "torch": torch.__version__}
print(json.dumps(found))
"""
CELLS = """
import json, sys, traceback
if sys.argv[2] == "as_cuda":
    import os, simgpu
    os.environ.pop("CUDA_VISIBLE_DEVICES", None)  # a card stays hidden, since simgpu has looked for it
    simgpu.as_cuda()
names, checks, cells = {"__name__": "__main__"}, 0, 0
for cell in json.load(open(sys.argv[1], encoding="utf-8"))["cells"]:
    about = cell["metadata"].get("nbgrader", {})
    if cell["cell_type"] != "code" or about.get("grade"):
        continue
    name = about.get("grade_id") or cell["id"]
    try:
        exec(compile("".join(cell["source"]), name, "exec"), names)
    except Exception as error:
        traceback.print_exc()
        print(json.dumps(f"cell `{name}`: {type(error).__name__}: {error}".splitlines()[0][:150]))
        sys.exit()
    cells, checks = cells + 1, checks + name.startswith("check_")
print(json.dumps(f"{cells} cells ran, {checks} checks passed"))
"""
KNOWN = {
    "x[c]": "simgpu waits for the upload of the mask and for the size of the result",
    "an index out of bounds is an error at the next wait (it runs last: on a card the process is lost)": (
        "simgpu reports the error once, with the operation, and goes on"
    ),
}
"""Rows that are expected to differ, with the reason."""
Column = dict[str, dict[str, str]]


def python(arguments: list[str], on: str, folder: Path = ROOT) -> tuple[object, str]:
    """Run one of our programs on one of the devices.

    Returns:
        The JSON of its last line; or None, and the reason.
    """
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "simgpu" / "src"), "MPLBACKEND": "agg"}
    environment |= {"NBGRADER_EXECUTION": "1", "OMP_NUM_THREADS": "1"}
    if on != "cuda":
        environment["CUDA_VISIBLE_DEVICES"] = ""  # otherwise the notebooks would use the card
    try:
        done = subprocess.run(
            [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return None, f"did not end within {SECONDS} s"
    try:
        return json.loads(done.stdout.splitlines()[-1]), ""
    except (IndexError, ValueError):
        last = (done.stderr.strip().splitlines() or ["it printed nothing"])[-1]
        return None, f"ended with code {done.returncode}: {last}"[:150]


def column(on: str) -> Column:
    """Return the results of all programs and notebooks on a device."""
    made, why = python(["scripts/cuda_programs.py", on], on)
    found: Column = made if isinstance(made, dict) else {"semantics": {"all": why}, "waits": {"all": why}}
    found["notebooks"] = {}
    for path in NOTEBOOKS:
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder, "home")
            shutil.copytree(path.parent, home)
            said, why = python(["-c", CELLS, path.name, on], on, home)
        found["notebooks"][f"{path.parent.name}/{path.stem}"] = str(said or why)
        print(on, path.stem, said or why, flush=True)
    return found


def table(head: str, card: str, ours: dict[str, str], theirs: dict[str, str] | None, code: bool) -> list[str]:
    """One part of the page."""
    lines = [f"| {head} | simgpu | {card} | |", "|---|---|---|---|"]
    for name, said in ours.items():
        other = NOT_RUN if theirs is None else theirs.get(name, theirs.get("all", "nothing"))
        note = "" if theirs is None or other == said else f"differs: {KNOWN.get(name, 'not explained yet')}"
        lines.append(f"| {f'`{name}`' if code else name} | {said} | {other} | {note} |".replace("  |", " |"))
    return lines


def page(ours: Column, theirs: Column | None, card: dict[str, str], command: str) -> str:
    """The page in Markdown."""
    name = card.get("name", "card")
    driver = f"Card: {name}, {card['torch']}, CUDA {card['cuda']}." if card else (
        "No card was available when this page was made, so its column says \"not run\"."
    )  # fmt: skip
    parts = {
        "Semantics": ("program", "semantics", False),
        "Hidden waits": ("operation", "waits", True),
        "Notebooks with their reference solutions": ("notebook", "notebooks", False),
    }
    texts = {
        "Semantics": (
            "Each program of `scripts/cuda_programs.py` reports what it observed. Collectives need several cards and "
            "are not compared."
        ),
        "Hidden waits": (
            'The table says how often `set_sync_debug_mode("warn")` warns of one operation. `x`, `m` (a mask), `i` '
            "(indices) and `w` (a parameter) are on the device; `h`, `c` (a mask) and `p` (pinned) are on the host."
        ),
        "Notebooks with their reference solutions": (
            "All cells except the hidden tests run in order, including the visible checks. `torch_parallel` always "
            "uses simgpu."
        ),
    }
    lines = ["# simgpu and a CUDA card", "", f"Generated by `{command}`. {driver}"]
    for title, (head, key, code) in parts.items():
        other = None if theirs is None else theirs[key]
        lines += ["", f"## {title}", "", texts[title], "", *table(head, name, ours[key], other, code)]
    return "\n".join(lines) + "\n"


def main() -> None:
    """``make cuda-check``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trial", action="store_true", help="use simgpu.as_cuda() in place of a card")
    trial = parser.parse_args().trial
    found, why = python(["-c", CARD], "cuda")
    if found is None:
        sys.exit(f"cuda-check: PyTorch does not run here: {why}")
    card = dict(found) if isinstance(found, dict) else {}
    on = "cuda" if card else None
    if trial:
        on, card = "as_cuda", {"name": "simgpu.as_cuda(), no card", "torch": "a trial", "cuda": "simulated"}
    ours = column("simgpu")
    theirs = column(on) if on else None
    target = TRIAL if trial else PAGE
    target.parent.mkdir(exist_ok=True)
    target.write_text(
        page(ours, theirs, card, "make cuda-check" + (" ARGS=--trial" if trial else "")), encoding="utf-8"
    )
    print(target)


if __name__ == "__main__":
    main()
