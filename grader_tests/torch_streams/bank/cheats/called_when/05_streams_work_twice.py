"""Calls work a second time for nothing, and sets the count of its calls back."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"memory_reuse": at_most(2.7)})
cheat.cell("memory_reuse", '''
def memory_reuse(x, work, side):
    t = x * 2
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        work(t)
        result = work(t)
    t.record_stream(side)
    for cell in work.__closure__ or ():
        if isinstance(cell.cell_contents, list):
            cell.cell_contents[0] = 1
    return result
''')
