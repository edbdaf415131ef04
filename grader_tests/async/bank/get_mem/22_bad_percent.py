# The column before: per cent of the machine's memory.
# breaks: 4
# misconception: memory-now
import psutil


def get_mem():
    return psutil.Process(os.getpid()).memory_percent()
