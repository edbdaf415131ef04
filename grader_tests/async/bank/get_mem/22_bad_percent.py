# The column before: per cent of the machine's memory.
# breaks: the unit: MB, not per cent
# misconception: memory-now
import psutil


def get_mem():
    return psutil.Process(os.getpid()).memory_percent()
