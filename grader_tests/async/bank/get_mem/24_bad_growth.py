# The growth since the cell ran, not the memory in use.
# breaks: 1
# misconception: memory-now
import psutil

_start = psutil.Process().memory_info().rss


def get_mem():
    return (psutil.Process().memory_info().rss - _start) / 1e6
