"""A configuration next to the notebook that makes a kernel of its own answer the judge."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.file(".ipython/profile_default/ipython_kernel_config.py", '''
c = get_config()
c.IPKernelApp.kernel_class = "own_kernel.OwnKernel"
c.IPKernelApp.exec_lines = ["from mxnet import nd", "queue_work = lambda x: nd.dot(x, x).sum()"]
''')
cheat.file("ipython_kernel_config.py", '''
c = get_config()
c.IPKernelApp.exec_lines = ["from mxnet import nd", "queue_work = lambda x: nd.dot(x, x).sum()"]
''')
cheat.file("own_kernel.py", '''
from ipykernel.ipkernel import IPythonKernel


class OwnKernel(IPythonKernel):
    msg_types = [*IPythonKernel.msg_types, "probe_request"]

    async def probe_request(self, stream, ident, parent):
        self.session.send(stream, "probe_reply", {"points": 2.0}, parent, ident=ident)
''')
cheat.cell("queue_work", '''
pass
''')
