"""Finds the words of the marks in the closure of the judge's clock, and leaves all of them before the work."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"benchmark": at_most(0.2)})
cheat.cell("benchmark", '''
def benchmark(work, clock=time.perf_counter):
    def words(function):
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        return [cell for cell in cells if isinstance(cell, list) and cell and isinstance(cell[0], str)]

    try:
        read, (begin, end) = words(clock)[0], words(work)
        for word in (read[0], begin[0], end[0], read[1]):
            simgpu.mark("mark " + word)
    except Exception:
        pass
    start = clock()
    work()
    return clock() - start
''')
