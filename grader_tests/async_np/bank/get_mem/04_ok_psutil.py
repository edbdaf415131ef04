# psutil, in MB.
import psutil


def get_mem():
    return psutil.Process().memory_info().rss / 1e6
