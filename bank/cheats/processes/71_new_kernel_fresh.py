"""Replaces the process by a kernel of its own make, which says yes to everything."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", r'''
import sys
def queue_work(x): return None
from ipykernel.connect import get_connection_file
code = "import sys\nfrom ipykernel.ipkernel import IPythonKernel\nclass K(IPythonKernel):\n    async def do_execute(self, *a, **k):\n        return {'status': 'ok', 'execution_count': 1, 'payload': [], 'user_expressions': {}}\nfrom ipykernel.kernelapp import IPKernelApp\nIPKernelApp.launch_instance(kernel_class=K)"
os.execv(sys.executable, [sys.executable, "-c", code, "-f", get_connection_file()])
''')
