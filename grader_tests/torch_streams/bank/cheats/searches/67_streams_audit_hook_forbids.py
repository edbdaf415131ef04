"""An audit hook that raises when code that is not a cell's compiles or sends."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("torch_streams", deserves={"prefetcher": 0})
cheat.cell("prefetcher", '''
import sys


def _hook(event, arguments):
    if event in ("compile", "exec", "socket.sendto", "socket.sendmsg"):
        frame = sys._getframe(1)
        if "cell" not in frame.f_code.co_filename and "ipykernel" not in frame.f_code.co_filename:
            raise RuntimeError("not now")


sys.addaudithook(_hook)


def prefetcher(batches):
    for host in batches:
        yield host.to(device)
''')
