"""The reference solutions of multi_gpu, as train_reference.py trains them."""

import time

import mxnet as mx
import numpy as np
from mxnet import gluon, nd

NOTEBOOKS = {"lenet": "multi_gpu/from_scratch.ipynb", "resnet18": "multi_gpu/gluon.ipynb"}
VERSION = f"MXNet {mx.__version__}"


def seed(number):
    """Make the first weights the same in each run."""
    mx.random.seed(number)


def shuffle(train_iter, number, epoch):
    """Make an epoch's batches the same in each run, even in a resumed one."""
    np.random.seed([number, epoch])


class Trained:
    """The common part of both networks; a subclass provides `train_batch`, `net` and `parameters`."""

    cpu_seconds = staticmethod(time.process_time)

    def __init__(self, names, count, lr):
        self.names, self.ctx, self.lr = names, names["devices"](count), lr
        self.devices = [str(device) for device in self.ctx]

    def train(self, batches, count):
        """Train one epoch of this many batches."""
        for X, y in batches:
            self.train_batch(X, y)
            nd.waitall()

    def accuracy(self, test):
        """The share of the test images that the first replica gets right."""
        return self.names["evaluate_accuracy"](test, self.net, self.ctx[0])

    def save(self, path):
        """Save all replicas."""
        nd.save(path, self.parameters())

    def load(self, path):
        """Continue with saved replicas."""
        for parameter, values in zip(self.parameters(), nd.load(path)):
            values.copyto(parameter)


class LeNet(Trained):
    """The network of nd functions, with one list of parameters for each device."""

    def __init__(self, names, count, lr):
        super().__init__(names, count, lr)
        self.replicas = [names["get_params"](names["params"], device) for device in self.ctx]

    def train_batch(self, X, y):
        """Enqueue one step."""
        self.names["train_batch"](X, y, self.replicas, self.ctx, self.lr)

    def net(self, X):
        """Compute the output of the first replica."""
        return self.names["lenet"](X, self.replicas[0])

    def parameters(self):
        """All parameters of all devices, in a fixed order."""
        return [parameter for replica in self.replicas for parameter in replica]


class ResNet18(Trained):
    """The Gluon network, which keeps a replica on each device by itself."""

    def __init__(self, names, count, lr):
        super().__init__(names, count, lr)
        self.net = names["resnet18"](10)
        names["replicated_init"](self.net, self.ctx)
        for device in self.ctx:  # shapes, and therefore parameters, exist only after the first batch
            self.net(nd.zeros((1, 1, 28, 28), ctx=device))
        self.trainer = gluon.Trainer(self.net.collect_params(), "sgd", {"learning_rate": lr})
        self.loss = gluon.loss.SoftmaxCrossEntropyLoss()

    def train_batch(self, X, y):
        """Enqueue one step."""
        self.names["train_batch_gluon"](X, y, self.net, self.loss, self.trainer, self.ctx)

    def parameters(self):
        """All parameters and running means of all devices, in a fixed order."""
        return [each.data(device) for device in self.ctx for each in self.net.collect_params().values()]


MODELS = {"lenet": LeNet, "resnet18": ResNet18}
