# psutil counts bytes.
# breaks: the unit: MB, not bytes
# misconception: memory-now
import psutil


def get_mem():
    return psutil.Process(os.getpid()).memory_info().rss
