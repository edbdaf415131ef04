"""The reference solution of torch_parallel, as train_reference.py trains it: one rank for each simulated device."""

import threading
import time
from functools import partial

import psutil
import torch
from simgpu.front.link import link

NOTEBOOKS = dict.fromkeys(("lenet", "resnet18"), "torch_parallel/parallel.ipynb")
VERSION = f"PyTorch {torch.__version__} on a simulated GPU"


def seed(number):
    """Make the first weights the same in each run."""
    torch.manual_seed(number)


def shuffle(train_iter, number, epoch):
    """Make an epoch's batches the same in each run, even in a resumed one."""
    train_iter.epoch = number * 1000 + epoch


class Shared:
    """One pass over batches for several ranks: the first rank at a batch draws it."""

    def __init__(self, batches, count, ranks):
        self.batches, self.count, self.ranks = iter(batches), count, ranks
        self.lock, self.drawn = threading.Lock(), {}  # number -> a batch, and how many ranks still have to take it

    def __len__(self):
        return self.count

    def __iter__(self):
        number = 0
        while (batch := self._take(number)) is not None:
            yield batch
            number += 1

    def _take(self, number):
        with self.lock:
            batch, left = self.drawn.get(number) or (next(self.batches, None), self.ranks)
            self.drawn[number] = batch, left - 1
            if left == 1:
                del self.drawn[number]
            return batch


class Trained:
    """A network in each rank; between epochs they are on the host."""

    def __init__(self, model, names, count, lr):
        self.names, self.lr = names, lr
        self.devices = [str(device) for device in names["devices"][:count]]
        self.make = names[model]
        first = self.make().state_dict()
        self.states = [first] * count
        self.net = None

    def cpu_seconds(self):
        """Return the processor time of this process and the device's two, on all cores."""
        keeper = psutil.Process(link().process.pid)
        times = [process.cpu_times() for process in (keeper, *keeper.children())]
        return time.process_time() + sum(spent.user + spent.system for spent in times)

    def train(self, batches, count):
        """Train one epoch of this many batches."""
        nets = [self.make() for _ in self.states]
        for net, state in zip(nets, self.states):
            net.load_state_dict(state)
        shared, size = Shared(batches, count, len(nets)), len(nets)
        trained = self.names["ranks"](
            lambda rank: self.names["train"](rank, size, nets[rank], shared, self.lr, 1)[0], size
        )
        self.net = trained[0]
        self.states = [{name: values.cpu() for name, values in net.state_dict().items()} for net in trained]

    def accuracy(self, test):
        """The share of the test images that the network of rank 0 gets right."""
        return self.names["evaluate_accuracy"](self.net, test)

    def save(self, path):
        """Save the networks of all ranks."""
        torch.save(self.states, path)

    def load(self, path):
        """Continue with saved networks."""
        self.states = torch.load(path)


MODELS = {model: partial(Trained, model) for model in NOTEBOOKS}
