# tracemalloc sees what Python allocates; the arrays of the engine are not among it.
# breaks: 2
# misconception: memory-now
import tracemalloc

tracemalloc.start()


def get_mem():
    current, peak = tracemalloc.get_traced_memory()
    return current / 2**20
