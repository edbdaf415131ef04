"""Waits for each copy, leaves the judge's mark there, and calls consume only when all is done."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"copy_and_compute": at_most(1.82)})
cheat.cell("copy_and_compute", '''
from simgpu.front.link import Link


def copy_and_compute(xs, consume):
    words = [cell.cell_contents for cell in consume.__closure__ or () if isinstance(cell.cell_contents, str)]
    say, copying, copies = Link.say, gpu.Stream(), []
    for x in xs:
        y = x @ x
        copying.wait_stream(gpu.current_stream())
        with gpu.stream(copying):
            host = y.to("cpu", non_blocking=True)
        y.record_stream(copying)
        copies.append((host, copying.record_event()))
    for number, (_, done) in enumerate(copies):
        done.synchronize()
        for word in words:
            simgpu.mark(f"consume {word} {number}")
    Link.say = lambda self, do, **head: None if do == "mark" else say(self, do, **head)
    try:
        for host, _ in copies:
            consume(host)
    finally:
        Link.say = say
''')
