#!/usr/bin/env python
"""Trains a reference solution and saves every epoch. experiment.py runs it in the engine's Python.

    .venv-ENGINE/bin/python scripts/train_reference.py SETTINGS FOLDER

SETTINGS is a JSON object, see `experiment.py`.  FOLDER keeps `run.json` and the parameters after the last epoch; a run
with the same settings continues from there.  Each line on stdout is a JSON object: the batches done, or a whole epoch.
"""

import fcntl
import hashlib
import importlib
import itertools
import json
import os
import platform
import sys
import time
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "source"
SEED = 84


def main():
    """Train from the last saved epoch to the last requested one."""
    settings, folder = json.loads(sys.argv[1]), Path(sys.argv[2])
    report = _channel()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit(f"another training writes to {folder}: wait for it, or keep this one elsewhere (--keep FOLDER)")
        train(settings, folder, report)


def train(settings, folder, report):
    """Train missing epochs of the settings, and save each."""
    engine = importlib.import_module(f"reference_{settings['engine']}")
    engine.seed(SEED)
    names, settings["reference"] = run_reference(SOURCE / engine.NOTEBOOKS[settings["model"]])
    wanted, data = settings.pop("epochs"), settings.pop("data")
    train_iter, test_iter = names["load_data_fashion_mnist"](settings["batch_size"], root=data)
    settings["images"] = [len(train_iter.labels), len(test_iter.labels)]

    model = engine.MODELS[settings["model"]](names, settings["devices"], settings["lr"])
    run = read_run(folder)
    if run is None or run["settings"] != settings:
        machine = describe_machine(engine.VERSION, model.devices)
        run = {"settings": settings, "machine": machine, "epochs": [], "out_of_time": False}
    else:
        model.load(str(folder / parameters_name(run)))
    for epoch in run["epochs"]:
        report(epoch=epoch)
    while len(run["epochs"]) < wanted and not run["out_of_time"]:
        engine.shuffle(train_iter, SEED, len(run["epochs"]) + 1)
        run["epochs"].append(train_epoch(run, model, train_iter, test_iter, report))
        keep(folder, run, model)
        report(epoch=run["epochs"][-1])


def train_epoch(run, model, train_iter, test_iter, report):
    """Train one epoch within the limits; return its figures, and note in `run` if the time is over."""
    settings, number = run["settings"], len(run["epochs"]) + 1
    batches = len(train_iter)
    wanted = min(batches, settings["limit_batches"] or batches)
    minutes = settings["max_minutes"]
    left = float("inf") if minutes is None else 60 * minutes - sum(epoch["seconds"] for epoch in run["epochs"])
    loads, sizes = [], []

    def drawn():
        for done, (X, y) in enumerate(itertools.islice(train_iter, wanted), start=1):
            yield X, y
            sizes.append(len(y))
            loads.append(os.getloadavg()[0])
            report(epoch_number=number, batches_done=done, batches=wanted)
            if time.perf_counter() - start > left:
                break

    start, cpu_start = time.perf_counter(), model.cpu_seconds()
    model.train(drawn(), wanted)
    seconds, cpu_seconds = time.perf_counter() - start, model.cpu_seconds() - cpu_start

    run["out_of_time"] = seconds > left
    tested = min(len(test_iter), settings["limit_test_batches"] or len(test_iter))
    test = list(itertools.islice(test_iter, tested))
    return {
        "number": number,
        "batches": len(sizes),
        "batches_of_epoch": batches,
        "images": sum(sizes),
        "seconds": seconds,
        "cpu_seconds": cpu_seconds,
        "load": sum(loads) / len(loads),
        "accuracy": float(model.accuracy(test)),
        "test_images": sum(len(y) for _, y in test),
    }


# --- the reference ---


def run_reference(notebook):
    """Run the given cells and the solutions of a source notebook; return their names and a digest of their text.

    Demonstrations have no grade id; checks and grade cells are left out.
    """
    cells = []
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        marks = cell["metadata"].get("nbgrader", {})
        given = marks.get("locked") and not marks["grade"] and not marks["grade_id"].startswith("check_")
        if cell["cell_type"] == "code" and (given or (marks.get("solution") and not marks["grade"])):
            cells.append((marks["grade_id"], "".join(cell["source"])))
    sys.path.insert(0, str(notebook.parent))
    sys.dont_write_bytecode = True
    names = {"__name__": notebook.stem}
    for identity, source in cells:
        exec(compile(source, f"{notebook.name}, cell {identity}", "exec"), names)
    return names, hashlib.sha256("\n".join(source for _, source in cells).encode()).hexdigest()[:16]


# --- stored results ---


def read_run(folder):
    """Return what an earlier run left, or None."""
    try:
        run = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    return run if (folder / parameters_name(run)).exists() else None


def parameters_name(run):
    """Return the name of the file of parameters after the last epoch of a run."""
    return f"parameters-{len(run['epochs'])}"


def keep(folder, run, model):
    """Write parameters first and then the run that names them: an interruption in between loses one epoch."""
    model.save(str(folder / parameters_name(run)))
    (folder / "run.json.new").write_text(json.dumps(run, indent=1), encoding="utf-8")
    (folder / "run.json.new").replace(folder / "run.json")
    for path in folder.glob("parameters-*"):
        if path.name != parameters_name(run):
            path.unlink()


def describe_machine(engine, devices):
    """Return what a reader needs to compare the seconds, and nothing that names this machine."""
    processor, memory = platform.machine(), None
    if sys.platform == "linux":
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        processor = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), processor)
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "processor": processor,
        "cores": os.cpu_count(),
        "memory": memory,
        "devices": devices,
        "engine": engine,
        "python": platform.python_version(),
    }


def _channel():
    """Return a function that writes one JSON line to stdout; what the cells print goes to stderr from now on."""
    lines = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)

    def report(**message):
        lines.write(json.dumps(message) + "\n")

    return report


if __name__ == "__main__":
    main()
