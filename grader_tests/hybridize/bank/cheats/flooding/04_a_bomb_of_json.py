"""Sends, as the reply to its test, JSON that takes Python thirty times the memory of its text."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("hybridize", deserves={"get_net": 0})
cheat.cell("get_net", '''
def get_net():
    kernel = get_ipython().kernel
    bomb = b'{"returned": [' + b"[]," * 4_000_000 + b"0]}"
    kernel.session.send(kernel.shell_stream, "probe_reply", bomb, parent=kernel.get_parent("shell"))
    return None
''')
