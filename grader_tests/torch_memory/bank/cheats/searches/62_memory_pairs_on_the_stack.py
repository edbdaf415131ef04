"""Looks through the callers' frames and the collector's objects for pairs of numbers."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_memory", deserves={"fsdp_counts": at_most(0.273)})
cheat.cell(
    "fsdp_counts",
    """
def fsdp_counts(layers, wrapping, reshard, passes):
    import gc

    def pairs():
        frame = sys._getframe(1)
        while frame is not None:
            for value in [*frame.f_locals.values(), *frame.f_globals.values()]:
                yield value
                if isinstance(value, (list, tuple)):
                    yield from value
                if isinstance(value, dict):
                    yield from list(value.values())
            frame = frame.f_back
        yield from gc.get_objects()

    for value in pairs():
        if type(value) is tuple and len(value) == 2 and all(type(n) is int and n >= passes for n in value):
            if value[0] >= value[1] and value[1] % passes == 0 and value[1] <= (len(wrapping) + 1) * passes:
                return value
    return 0, 0
""",
)
