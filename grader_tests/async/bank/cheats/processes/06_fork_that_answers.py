"""The kernel forks: the parent sleeps and the child answers in its place, with a score."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
import os


def queue_work(x):
    kernel = get_ipython().kernel
    child = os.posix_spawn("/bin/true", ["true"], {})
    os.waitpid(child, 0)
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.write(writer, b"2.0")
        kernel.session.send(kernel.shell_stream, "probe_reply", {"points": 2.0}, parent=kernel.get_parent("shell"))
        os._exit(0)
    return float(os.read(reader, 9))
''')
