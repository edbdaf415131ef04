# The column before: per cent of the machine's memory.
# breaks: the unit: MB, not per cent
import psutil


def get_mem():
    return psutil.Process(os.getpid()).memory_percent()
