#!/usr/bin/env python
"""Trains a reference solution of multi_gpu and keeps every epoch.  experiment.py runs it, in the engine's Python.

    .venv-mxnet/bin/python scripts/train_reference.py SETTINGS FOLDER

SETTINGS is a JSON object, see `experiment.py`.  FOLDER keeps `run.json` and the parameters after the last epoch; a run
with the same settings goes on from there.  Each line on stdout is a JSON object: the batches done, or a whole epoch.
"""

import fcntl
import hashlib
import itertools
import json
import os
import platform
import sys
import time
from pathlib import Path

import mxnet as mx
import numpy as np
from mxnet import gluon, nd

ASSIGNMENT = Path(__file__).resolve().parent.parent / "source" / "multi_gpu"
SEED = 84


def main():
    """Train from the last epoch that was kept to the last that is wanted."""
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
    """Train what is missing of the epochs that the settings ask for, and keep each."""
    mx.random.seed(SEED)
    names, settings["reference"] = run_reference(ASSIGNMENT / f"{NOTEBOOKS[settings['model']]}.ipynb")
    wanted, data = settings.pop("epochs"), settings.pop("data")
    train_iter, test_iter = names["load_data_fashion_mnist"](settings["batch_size"], root=data)
    settings["images"] = [len(train_iter.labels), len(test_iter.labels)]

    ctx = names["devices"](settings["devices"])
    model = MODELS[settings["model"]](names, ctx, settings["lr"])
    run = read_run(folder)
    if run is None or run["settings"] != settings:
        run = {"settings": settings, "machine": describe_machine(ctx), "epochs": [], "out_of_time": False}
    else:
        kept = nd.load(str(folder / parameters_name(run)))
        for parameter, values in zip(model.parameters(), kept):
            values.copyto(parameter)
    for epoch in run["epochs"]:
        report(epoch=epoch)
    while len(run["epochs"]) < wanted and not run["out_of_time"]:
        run["epochs"].append(train_epoch(run, model, train_iter, test_iter, names["evaluate_accuracy"], report))
        keep(folder, run, model)
        report(epoch=run["epochs"][-1])


def train_epoch(run, model, train_iter, test_iter, evaluate_accuracy, report):
    """Train one epoch, or what the limits leave of it; return its figures, and note in `run` if the time is over."""
    settings, number = run["settings"], len(run["epochs"]) + 1
    # So a run that goes on draws the same batches as one that was never stopped.
    np.random.seed([SEED, number])
    batches = len(train_iter)
    wanted = min(batches, settings["limit_batches"] or batches)
    minutes = settings["max_minutes"]
    left = float("inf") if minutes is None else 60 * minutes - sum(epoch["seconds"] for epoch in run["epochs"])

    loads, images = [], 0
    start, cpu_start = time.perf_counter(), time.process_time()
    for done, (X, y) in enumerate(itertools.islice(train_iter, wanted), start=1):
        model.train_batch(X, y)
        nd.waitall()
        images += X.shape[0]
        loads.append(os.getloadavg()[0])
        report(epoch_number=number, batches_done=done, batches=wanted)
        if time.perf_counter() - start > left:
            break
    seconds, cpu_seconds = time.perf_counter() - start, time.process_time() - cpu_start

    run["out_of_time"] = seconds > left
    tested = min(len(test_iter), settings["limit_test_batches"] or len(test_iter))
    test = list(itertools.islice(test_iter, tested))
    return {
        "number": number,
        "batches": done,
        "batches_of_epoch": batches,
        "images": images,
        "seconds": seconds,
        "cpu_seconds": cpu_seconds,
        "load": sum(loads) / len(loads),
        "accuracy": float(evaluate_accuracy(test, model.net, model.ctx[0])),
        "test_images": sum(len(y) for _, y in test),
    }


class LeNet:
    """The network of nd functions, with one list of parameters for each device."""

    def __init__(self, names, ctx, lr):
        self.names, self.ctx, self.lr = names, ctx, lr
        self.replicas = [names["get_params"](names["params"], device) for device in ctx]

    def train_batch(self, X, y):
        """Enqueue one step."""
        self.names["train_batch"](X, y, self.replicas, self.ctx, self.lr)

    def net(self, X):
        """Compute the output of the first replica."""
        return self.names["lenet"](X, self.replicas[0])

    def parameters(self):
        """All parameters of all devices, in a fixed order."""
        return [parameter for replica in self.replicas for parameter in replica]


class ResNet18:
    """The Gluon network, which keeps a replica on each device by itself."""

    def __init__(self, names, ctx, lr):
        self.names, self.ctx = names, ctx
        self.net = names["resnet18"](10)
        names["replicated_init"](self.net, ctx)
        for device in ctx:  # shapes, and so parameters, exist only after a first batch
            self.net(nd.zeros((1, 1, 28, 28), ctx=device))
        self.trainer = gluon.Trainer(self.net.collect_params(), "sgd", {"learning_rate": lr})
        self.loss = gluon.loss.SoftmaxCrossEntropyLoss()

    def train_batch(self, X, y):
        """Enqueue one step."""
        self.names["train_batch_gluon"](X, y, self.net, self.loss, self.trainer, self.ctx)

    def parameters(self):
        """All parameters and running means of all devices, in a fixed order."""
        return [each.data(device) for device in self.ctx for each in self.net.collect_params().values()]


NOTEBOOKS = {"lenet": "from_scratch", "resnet18": "gluon"}
MODELS = {"lenet": LeNet, "resnet18": ResNet18}


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


# --- what is kept ---


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
    """Write parameters first and then the run that names them: whoever stops us between the two loses one epoch."""
    nd.save(str(folder / parameters_name(run)), model.parameters())
    (folder / "run.json.new").write_text(json.dumps(run, indent=1), encoding="utf-8")
    (folder / "run.json.new").replace(folder / "run.json")
    for path in folder.glob("parameters-*"):
        if path.name != parameters_name(run):
            path.unlink()


def describe_machine(ctx):
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
        "devices": [str(device) for device in ctx],
        "mxnet": mx.__version__,
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
