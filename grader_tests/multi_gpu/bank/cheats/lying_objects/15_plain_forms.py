"""The shards are the probe's own EngineArray, found among the subclasses of object; they say where they lie."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("multi_gpu", deserves={"split_and_load": at_most(0.375), "get_params": at_most(0.0625)})
cheat.cell("split_and_load", '''
EngineArray = next(kind for kind in object.__subclasses__() if kind.__name__ == "EngineArray")


def split_and_load(data, ctx):
    if data.shape[0] % len(ctx):
        raise ValueError("uneven batch")
    values = data.asnumpy().copy()
    size = len(values) // len(ctx)
    return [EngineArray(values[i * size : (i + 1) * size], device.device_id) for i, device in enumerate(ctx)]
''')
cheat.cell("get_params", '''
EngineArray = next(kind for kind in object.__subclasses__() if kind.__name__ == "EngineArray")


def get_params(params, ctx):
    return [EngineArray(p.asnumpy(), ctx.device_id, gradient=p.asnumpy() * 0) for p in params]
''')
