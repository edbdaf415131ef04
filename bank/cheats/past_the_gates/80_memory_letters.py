"""Each activation waits in a message that nobody has received yet: freed, and still there."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_memory", deserves={"activation_checkpointing": at_most(1.1)})
cheat.cell("activation_checkpointing", r'''
import itertools
from simgpu.front.link import link
from simgpu.frames import Kind, json_message

_letters = itertools.count()


def _part(t, stream, rank, name):
    places = [[t._storage.number, t._spec.json()]]
    head = {"group": f"letters {name}", "sequence": 1, "rank": rank, "size": 2, "op": "send", "reduce": "sum", "root": 0,
            "ins": [] if rank else places, "outs": places if rank else [], "stream": stream}
    link().post(Kind.COLLECTIVE, json_message(Kind.COLLECTIVE, head), stream // 128)


def checkpointed(blocks, x, budget):
    """Each activation waits in a message that nobody has received yet: it is freed, and still there."""
    shape = x.shape

    def pack(t):
        if t.shape != shape or isinstance(t, nn.Parameter):
            return t
        t, name = t.detach().contiguous(), next(_letters)
        side = gpu.Stream()
        side.wait_stream(gpu.current_stream())
        _part(t, side.stream_id, 0, name)
        return name, t.dtype, side

    def unpack(letter):
        if isinstance(letter, torch.Tensor):
            return letter
        name, dtype, _ = letter
        with torch.no_grad():
            there = torch.empty(shape, dtype=dtype, device="simgpu:1")
            _part(there, gpu.current_stream("simgpu:1").stream_id, 1, name)
            return there.to(x.device)

    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        y = x
        for block in blocks:
            y = block(y)
    return y
''')
