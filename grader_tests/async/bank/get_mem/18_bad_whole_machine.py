# The memory in use on the whole machine.
# breaks: 3
# misconception: memory-now
import psutil


def get_mem():
    return psutil.virtual_memory().used / 2**20
