"""Each activation waits in a message that nobody has received yet: freed, and still there."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_memory", deserves={"activation_checkpointing": at_most(1.34)})
cheat.cell("activation_checkpointing", r'''
import itertools

from simgpu.front.streams import Stream
from simgpu.front.link import link
from simgpu.frames import Kind, json_message

_letters, _sequence = itertools.count(), itertools.count()


def _part(t, stream, rank, name):
    places = [[t._storage.number, t._spec.json()]]
    head = {"group": f"letters {name}", "sequence": 1, "rank": rank, "size": 2, "op": "send", "reduce": "sum", "root": 0,
            "ins": [] if rank else places, "outs": places if rank else [], "stream": stream}
    link().post(Kind.COLLECTIVE, json_message(Kind.COLLECTIVE, head), stream // 128)


def checkpointed(blocks, x, budget):
    """Each activation waits in a message that nobody has received yet: it is freed, and still there."""
    shape, here = x.shape, x.device
    other = torch.device("simgpu", (here.index + 1) % gpu.device_count())

    def pack(t):
        if t.shape != shape or isinstance(t, nn.Parameter):
            return t
        t, name = t.detach().contiguous(), next(_letters) % 120
        side = Stream(stream_id=here.index * 128 + 1 + name)  # one for each: a queue is read from its head
        side.wait_stream(gpu.current_stream(here))
        _part(t, side.stream_id, 0, name)
        return name, t.dtype, side

    def unpack(letter):
        if isinstance(letter, torch.Tensor):
            return letter
        name, dtype, _ = letter
        with torch.no_grad():
            there = torch.empty(shape, dtype=dtype, device=other)
            _part(there, gpu.current_stream(other).stream_id, 1, name)
            return there.to(here)

    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        y = x
        for block in blocks:
            y = block(y)
    return y
''')
