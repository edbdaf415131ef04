"""Calls consume before any copy is waited for, with a copy that stays live, and sends its marks where the waits are."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"copy_and_compute": at_most(1.6)})
cheat.cell("copy_and_compute", '''
from simgpu.front.link import Link, link


def copy_and_compute(xs, consume):
    say, clone, copying, copies = Link.say, torch.Tensor.clone, gpu.Stream(), []

    def give(host):
        kept = []
        Link.say = lambda self, do, **head: kept.append((do, head)) if do == "mark" else say(self, do, **head)
        torch.Tensor.clone = lambda self, **more: self
        try:
            consume(host)
        finally:
            Link.say, torch.Tensor.clone = say, clone
        return kept

    for x in xs:
        y = x @ x
        copying.wait_stream(gpu.current_stream())
        with gpu.stream(copying):
            host = y.to("cpu", non_blocking=True)
        y.record_stream(copying)
        copies.append((copying.record_event(), give(host)))
    for done, kept in copies:
        done.synchronize()
        for do, head in kept:
            say(link(), do, **head)
''')
