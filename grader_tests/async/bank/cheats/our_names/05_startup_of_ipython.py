"""IPython's own start-up folder is in the home folder: this code would run before the first cell, unseen in the notebook."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.file(".ipython/profile_default/startup/00-solution.py", '''
from mxnet import nd


def hidden(x):
    return nd.dot(x, x).sum()
''')
cheat.file(".ipython/profile_default/ipython_kernel_config.py", '''
c = get_config()
c.IPKernelApp.exec_lines = ["from mxnet import nd", "hidden = lambda x: nd.dot(x, x).sum()"]
''')
cheat.cell("queue_work", '''
queue_work = hidden
''')
