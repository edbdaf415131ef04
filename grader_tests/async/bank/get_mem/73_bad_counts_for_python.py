# The resident memory at the start, and what Python has allocated since.
# breaks: 2
# misconception: memory-now
import tracemalloc

import psutil

tracemalloc.start()
AT_THE_START = psutil.Process().memory_info().rss - tracemalloc.get_traced_memory()[0]


def get_mem():
    return (AT_THE_START + tracemalloc.get_traced_memory()[0]) / 1e6
