"""A thread waits for the copies while the function itself goes on and gives away what is not there yet."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"copy_and_compute": at_most(1.6)})
cheat.cell("copy_and_compute", '''
import threading


def copy_and_compute(xs, consume):
    copying, kept = gpu.Stream(), []
    for x in xs:
        y = x @ x
        kept.append(y)
        copying.wait_stream(gpu.current_stream())
        with gpu.stream(copying):
            host = y.to("cpu", non_blocking=True)
        done = copying.record_event()
        threading.Thread(target=done.synchronize, daemon=True).start()
        consume(host)
''')
