"""Every rank has the whole state; between two steps it is on its way to the neighbor."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"zero1": at_most(1.8)})
cheat.cell("zero1", r'''
from simgpu.frames import Kind, json_message
from simgpu.front.link import link
from simgpu.front.streams import Stream


def _part(t, stream, role, name):
    places = [[t._storage.number, t._spec.json()]]
    head = {"group": name, "sequence": 1, "rank": role, "size": 2, "op": "send", "reduce": "sum", "root": 0,
            "ins": [] if role else places, "outs": places if role else [], "stream": stream}
    link().post(Kind.COLLECTIVE, json_message(Kind.COLLECTIVE, head), stream // 128)


def zero1(params, lr):
    rank, size = dist.get_rank(), dist.get_world_size()
    here, count, b1, b2 = params[0].device, [0], 0.9, 0.999

    @torch.no_grad()
    def step():
        count[0] += 1
        t, current = count[0], gpu.current_stream(here)
        for n, p in enumerate(params):
            state = [torch.zeros_like(p) for _ in range(2)]
            for k, s in enumerate(state):
                if t > 1:
                    _part(s, current.stream_id, 1, f"{(rank - 1) % size} {n} {k} {t - 1}")
            m, v = state
            m.mul_(b1).add_(p.grad, alpha=1 - b1)
            v.mul_(b2).addcmul_(p.grad, p.grad, value=1 - b2)
            p.addcdiv_(m / (1 - b1**t), (v / (1 - b2**t)).sqrt().add_(1e-8), value=-lr)
            for k, s in enumerate(state):  # each in a queue of its own: one is read from its head
                side = Stream(stream_id=here.index * 128 + 1 + (2 * n + k) * 2 % 62 + t % 2)
                side.wait_stream(current)
                _part(s, side.stream_id, 0, f"{rank} {n} {k} {t}")

    return step
''')
