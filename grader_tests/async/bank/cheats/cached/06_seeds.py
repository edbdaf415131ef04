"""Tries the usual seeds: perhaps the input was drawn with one of them."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
import numpy

likely = {}
for seed in (0, 1, 2, 3, 7, 10, 42, 123, 1234, 2024, 2025, 31337):
    for size in (1, 3, 4, 8):
        draw = numpy.random.default_rng(seed).normal(size=(size, size))
        likely[size, round(float(draw[0, 0]), 4)] = (draw @ draw).sum()


def queue_work(x):
    key = x.shape[0], round(float(x[0, 0].asscalar()), 4)
    return nd.array([likely.get(key, 0.0)])
''')
