# Divided once too often.
# breaks: the unit: MB, not GB
# misconception: memory-now
import psutil


def get_mem():
    return psutil.Process(os.getpid()).memory_info().rss / 1e9
